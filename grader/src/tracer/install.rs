//! Building the tool when it is needed, and putting it where Valgrind finds it.
//!
//! Cargo decides whether there is anything to build, so the tool always fits the sources. It is
//! built for the processor at hand in a target folder of its own: its flags would otherwise make
//! cargo build everything else again.

use super::{
    TracerError, self_check,
    valgrind::{CALLGRIND, PRELOAD, TESTED_TEXT, Valgrind},
};
use std::{
    env, fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// The one platform that the tool is for.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// As Valgrind looks for it: the tool's name and the platform.
const TOOL_FILE: &str = "tracer-amd64-linux";
/// What the tool's build script puts before each line that is meant for the user.
const MARK: &str = "tracer-build: ";
/// Flags of a freestanding static program. Valgrind's archives are not position independent, and
/// GNU ld is the linker whose options the build script writes.
const RUSTFLAGS: &[&str] = &[
    "-Crelocation-model=static",
    "-Ctarget-feature=+crt-static",
    "-Clinker-features=-lld",
];
/// Separates flags in `CARGO_ENCODED_RUSTFLAGS`. Source: the Cargo book, "Environment variables".
const FLAG_SEPARATOR: &str = "\x1f";

/// The installed tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The folder that Valgrind is given as its own.
    pub folder: PathBuf,
    /// The Valgrind that it is part of.
    pub valgrind: Valgrind,
    /// What the user should know, such as that this Valgrind was not tested.
    pub warnings: Vec<String>,
}

impl Tool {
    /// The tool's program.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        self.folder.join(TOOL_FILE)
    }

    /// Builds the tool if its sources changed, installs it, and checks it if that was not done yet.
    ///
    /// # Errors
    ///
    /// If something that it is built from is missing, or it does not count as Callgrind does.
    pub fn prepare() -> Result<Self, TracerError> {
        let valgrind = Valgrind::find()?;
        let root = workspace_root()?;
        let target = env::var_os("CARGO_TARGET_DIR").map_or_else(
            || root.join("target"),
            |folder| root.join(PathBuf::from(folder)),
        );
        let built = build(&root, &target.join("tracer/build"))?;
        let folder = target.join("tracer").join(&valgrind.version);
        install(&built, &folder, &valgrind)?;
        let mut tool = Self {
            folder,
            valgrind,
            warnings: Vec::new(),
        };
        if self_check::is_due(&tool) {
            self_check::run(&tool)?;
            if !tool.valgrind.is_tested() {
                tool.warnings.push(format!(
                    "Valgrind {} was not tested with this tracer (tested: {TESTED_TEXT}); it counts \
                     the same instructions as Callgrind does, so it is used",
                    tool.valgrind.version
                ));
            }
        }
        Ok(tool)
    }
}

/// The workspace that this command was built in, or else the one that it is called in.
fn workspace_root() -> Result<PathBuf, TracerError> {
    const TOOL_SOURCES: &str = "grader/tracer/Cargo.toml";
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let here = env::current_dir().map_err(TracerError::io("looking up the current folder"))?;
    let mut candidates = built_in.into_iter().chain(here.ancestors());
    candidates
        .find(|folder| folder.join(TOOL_SOURCES).is_file())
        .map(Path::to_owned)
        .ok_or_else(|| TracerError::Build {
            found: format!(
                "found no {TOOL_SOURCES} in this folder or above it; call the grader in the \
                 Cyclewise workspace"
            ),
        })
}

fn build(root: &Path, target: &Path) -> Result<PathBuf, TracerError> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let flags: Vec<&str> = RUSTFLAGS.iter().copied().chain(processor_flag()).collect();
    let output = Command::new(&cargo)
        .current_dir(root)
        .args(["build", "--quiet", "--package=tracer", "--bin=tracer"])
        .args(["--features=tool", "--profile=tracer"])
        .arg(format!("--target={TARGET}"))
        .arg("--target-dir")
        .arg(target)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join(FLAG_SEPARATOR))
        .output()
        .map_err(TracerError::io(format!(
            "building the tracer with {} (install Rust from https://rustup.rs)",
            cargo.display()
        )))?;
    if output.status.success() {
        Ok(target.join(TARGET).join("tracer/tracer"))
    } else {
        let text = String::from_utf8_lossy(&output.stderr);
        Err(TracerError::Build {
            found: explanation(&text),
        })
    }
}

/// The lines meant for the user, or the end of what cargo said if there are none.
fn explanation(text: &str) -> String {
    let mut told: Vec<&str> = Vec::new();
    for line in text.lines() {
        if let Some((_, message)) = line.split_once(MARK)
            && !told.contains(&message)
        {
            told.push(message);
        }
    }
    if told.is_empty() {
        let lines: Vec<&str> = text.lines().collect();
        let end = lines.len().saturating_sub(20);
        return format!("cargo failed:\n{}", lines[end..].join("\n"));
    }
    told.join("\n")
}

/// The models count bits and shift by variable amounts all the time.
fn processor_flag() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe")
        && is_x86_feature_detected!("fma")
    {
        return Some("-Ctarget-cpu=x86-64-v3");
    }
    None
}

fn install(built: &Path, folder: &Path, valgrind: &Valgrind) -> Result<(), TracerError> {
    let attempt = || format!("installing the tracer in {}", folder.display());
    fs::create_dir_all(folder).map_err(TracerError::io(attempt()))?;
    let preload = valgrind.parts.join(PRELOAD);
    for (from, name) in [(built, TOOL_FILE), (&preload, PRELOAD)] {
        let new = fs::read(from).map_err(TracerError::io(attempt()))?;
        let installed = folder.join(name);
        if fs::read(&installed).is_ok_and(|old| old == new) {
            continue;
        }
        // A rename, so that a grader that runs at the same time sees the old file or the new one.
        let part = folder.join(format!("{name}.{}", std::process::id()));
        fs::copy(from, &part).map_err(TracerError::io(attempt()))?;
        fs::rename(&part, &installed).map_err(TracerError::io(attempt()))?;
        self_check::forget(folder);
    }
    // The self-check runs Callgrind from the same folder: paths of different lengths make a program
    // execute different numbers of instructions before it starts.
    match symlink(valgrind.parts.join(CALLGRIND), folder.join(CALLGRIND)) {
        Err(why) if why.kind() != io::ErrorKind::AlreadyExists => {
            Err(TracerError::io(attempt())(why))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::explanation;

    #[test]
    fn what_the_build_script_says_is_all_that_is_shown() {
        let cargo = "error: failed to run custom build command for `tracer v0.1.0`\n\n\
                     Caused by:\n  process didn't exit successfully\n  --- stderr\n  \
                     tracer-build: found no archive libcoregrind-amd64-linux.a; install the package\n";
        assert_eq!(
            explanation(cargo),
            "found no archive libcoregrind-amd64-linux.a; install the package"
        );
    }

    #[test]
    fn other_failures_show_the_end_of_the_output() {
        let text: String = (0..50).map(|line| format!("line {line}\n")).collect();
        let shown = explanation(&text);
        assert!(shown.starts_with("cargo failed:\nline 30\n"), "{shown}");
        assert!(shown.ends_with("line 49"), "{shown}");
    }
}
