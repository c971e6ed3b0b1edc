//! The programs that measuring needs: are they here, new enough, and if not, how to get them.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A tool that is not here, or too old.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Missing {
    /// What is needed.
    pub tool: &'static str,
    /// What was found instead.
    pub found: String,
    /// What to type.
    pub remedy: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}\nTo get it: {}",
            self.tool, self.found, self.remedy
        )
    }
}

/// A version, major and minor.
type Version = (u32, u32);

/// Older ones lack what the tools print: DHAT's counts came with 3.15, what the tracer links
/// against was tried from 3.19 on.
const OLDEST_VALGRIND: Version = (3, 19);

/// Valgrind's version, as `3.19.0`; it is looked up once.
///
/// # Errors
///
/// [`Missing`] with the line to type.
pub fn valgrind() -> Result<String, Missing> {
    static FOUND: OnceLock<Result<String, Missing>> = OnceLock::new();
    FOUND.get_or_init(look_for_valgrind).clone()
}

fn look_for_valgrind() -> Result<String, Missing> {
    let missing = |found: String| Missing {
        tool: "Valgrind",
        found,
        remedy: install("valgrind"),
    };
    let printed = first_line(Command::new("valgrind").arg("--version"));
    let printed = printed.ok_or_else(|| missing("there is no `valgrind` in PATH".into()))?;
    let version = printed.trim_start_matches("valgrind-").to_owned();
    match version_of(&version) {
        Some(found) if found >= OLDEST_VALGRIND => Ok(version),
        Some(_) => {
            let (major, minor) = OLDEST_VALGRIND;
            Err(missing(format!(
                "this is version {version}; {major}.{minor} or newer is needed"
            )))
        }
        None => Err(missing(format!("`valgrind --version` printed `{printed}`"))),
    }
}

fn version_of(text: &str) -> Option<Version> {
    let mut numbers = text
        .split(['.', '-', ' '])
        .map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// The first line that a command prints, if it can be run and succeeds.
pub fn first_line(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(|line| line.trim().to_owned())
}

/// The line to type to install a package here.
pub fn install(package: &str) -> String {
    let managers = [
        ("apt-get", "apt-get install -y"),
        ("dnf", "dnf install -y"),
        ("pacman", "pacman -S --noconfirm"),
        ("zypper", "zypper install -y"),
    ];
    let here = managers.iter().find(|(program, _)| find(program).is_some());
    match here {
        Some((_, line)) => format!("sudo {line} {package}"),
        None => format!("install the package `{package}` of your system"),
    }
}

/// Whether address-space layout randomisation can be turned off for a child; some containers
/// forbid it, and iai-callgrind then has to be told not to try.
pub fn can_fix_addresses() -> bool {
    static CAN: OnceLock<bool> = OnceLock::new();
    *CAN.get_or_init(|| {
        let mut command = Command::new("setarch");
        let output = command.args([env::consts::ARCH, "-R", "true"]).output();
        output.is_ok_and(|output| output.status.success())
    })
}

/// The program of that name in PATH.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::version_of;

    #[test]
    fn versions_of_several_makers_are_understood() {
        assert_eq!(version_of("3.19.0"), Some((3, 19)));
        assert_eq!(version_of("3.26.0.GIT-lbmacos"), Some((3, 26)));
        assert_eq!(version_of("garbage"), None);
    }
}
