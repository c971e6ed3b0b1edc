//! The program to measure: found, and looked at before Valgrind gets it.

use super::TracerError;
use std::{
    env,
    ffi::{OsStr, OsString},
    fs::File,
    io::Read,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// A program that Valgrind can be expected to start.
#[derive(Clone, Debug)]
pub struct Program {
    /// As it was typed.
    pub name: String,
    /// Where it was found.
    pub path: PathBuf,
    /// What it is called with.
    pub arguments: Vec<OsString>,
    /// The folder that it runs in; else the current one.
    pub folder: Option<PathBuf>,
    /// What really runs if the program is a script.
    pub interpreter: Option<String>,
}

/// The first bytes of an ELF file. Source: System V ABI, "ELF header".
const ELF_MAGIC: &[u8] = b"\x7fELF";
/// Position and value of the class byte that says 64-bit.
const CLASS_64: (usize, u8) = (4, 2);
/// Position of the machine number, two bytes, least significant first.
const MACHINE_AT: usize = 18;
/// Machine numbers worth a name. Source: System V ABI, `e_machine`.
const MACHINES: &[(u16, &str)] = &[
    (3, "32-bit x86"),
    (8, "MIPS"),
    (20, "PowerPC"),
    (21, "64-bit PowerPC"),
    (22, "S/390"),
    (40, "32-bit Arm"),
    (62, "64-bit x86"),
    (183, "64-bit Arm"),
    (243, "RISC-V"),
    (258, "LoongArch"),
];
const X86_64: u16 = 62;

impl Program {
    /// Finds `name` as a shell would and checks that it can run here.
    ///
    /// # Errors
    ///
    /// If there is no such file, it may not be executed, or it is for another machine.
    pub fn find(name: &OsStr, arguments: Vec<OsString>) -> Result<Self, TracerError> {
        let shown = name.to_string_lossy().into_owned();
        let path = locate(name).ok_or_else(|| TracerError::NoProgram {
            name: shown.clone(),
            hint: if Path::new(name).components().count() > 1 {
                "; check the path"
            } else {
                " in PATH; for one in this folder, write ./ before its name"
            },
        })?;
        let start = readable_start(&path)?;
        let interpreter = match start.strip_prefix(b"#!") {
            Some(line) => Some(first_line(line)),
            None => {
                check_machine(&path, &start)?;
                None
            }
        };
        Ok(Self {
            name: shown,
            path,
            arguments,
            folder: None,
            interpreter,
        })
    }
}

/// A name with a slash is a path; any other is looked for in PATH.
fn locate(name: &OsStr) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 || path.has_root() {
        return path.exists().then(|| path.to_owned());
    }
    let folders = env::var_os("PATH")?;
    let candidates = env::split_paths(&folders).map(|folder| folder.join(name));
    candidates.into_iter().find(|path| path.is_file())
}

fn readable_start(path: &Path) -> Result<Vec<u8>, TracerError> {
    let attempt = || format!("reading the program `{}`", path.display());
    let metadata = path.metadata().map_err(TracerError::io(attempt()))?;
    let not = |found| TracerError::NotExecutable {
        path: path.to_owned(),
        found,
    };
    if metadata.is_dir() {
        return Err(not("a folder"));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(not("not executable"));
    }
    let mut start = Vec::new();
    let file = File::open(path).map_err(TracerError::io(attempt()))?;
    let mut beginning = file.take(256);
    beginning
        .read_to_end(&mut start)
        .map_err(TracerError::io(attempt()))?;
    Ok(start)
}

fn first_line(text: &[u8]) -> String {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(line).trim().to_owned()
}

fn check_machine(path: &Path, start: &[u8]) -> Result<(), TracerError> {
    let machine = start.get(MACHINE_AT..MACHINE_AT + 2);
    let machine = machine.map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    let (class_at, class_64) = CLASS_64;
    match machine {
        Some(machine) if start.starts_with(ELF_MAGIC) => {
            let named = MACHINES.iter().find(|(number, _)| *number == machine);
            let is_64 = start.get(class_at) == Some(&class_64);
            if machine == X86_64 && is_64 {
                return Ok(());
            }
            let found = match named {
                Some((X86_64, _)) => "the x32 ABI".to_owned(),
                Some((_, name)) => (*name).to_owned(),
                None => format!("machine number {machine}"),
            };
            let path = path.to_owned();
            Err(TracerError::WrongArchitecture { path, found })
        }
        _ => Err(TracerError::NotExecutable {
            path: path.to_owned(),
            found: "neither an ELF program nor a script",
        }),
    }
}

#[cfg(test)]
mod tests;
