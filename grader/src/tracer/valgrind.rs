//! The installed Valgrind: its version, and where its parts lie.

use super::TracerError;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The Valgrind versions, major and minor, that this repository was tested with.
pub const TESTED: &[(u32, u32)] = &[(3, 19)];
/// [`TESTED`], to read.
pub const TESTED_TEXT: &str = "3.19";

/// Where distributions put what Valgrind loads into a traced program, and its tools.
const PARTS_FOLDERS: &[&str] = &[
    "/usr/libexec/valgrind",
    "/usr/lib/x86_64-linux-gnu/valgrind",
    "/usr/lib64/valgrind",
    "/usr/lib/valgrind",
    "/usr/local/libexec/valgrind",
    "/usr/local/lib/valgrind",
];
/// What Valgrind loads into every traced program.
pub(super) const PRELOAD: &str = "vgpreload_core-amd64-linux.so";
/// The tool that ours is checked against.
pub(super) const CALLGRIND: &str = "callgrind-amd64-linux";

/// The Valgrind in PATH.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valgrind {
    /// As it calls itself, such as `3.19.0`.
    pub version: String,
    /// The folder of its tools.
    pub parts: PathBuf,
}

impl Valgrind {
    /// Asks the Valgrind in PATH what it is.
    ///
    /// # Errors
    ///
    /// If there is none, or it lacks its tools.
    pub fn find() -> Result<Self, TracerError> {
        let output = Command::new("valgrind").arg("--version").output();
        let output = output.map_err(|_| TracerError::NoValgrind)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version = text.trim().strip_prefix("valgrind-");
        let version = version.ok_or(TracerError::NoValgrind)?.to_owned();
        let parts = PARTS_FOLDERS.iter().map(Path::new);
        let parts = parts
            .into_iter()
            .find(|folder| folder.join(PRELOAD).is_file());
        let parts = parts.ok_or_else(|| TracerError::Build {
            found: format!(
                "Valgrind {version} is installed, but {PRELOAD} is in none of {}; install the \
                 package `valgrind` of your distribution",
                PARTS_FOLDERS.join(", ")
            ),
        })?;
        Ok(Self {
            version,
            parts: parts.to_owned(),
        })
    }

    /// Whether this version was tested with the tool.
    #[must_use]
    pub fn is_tested(&self) -> bool {
        let mut numbers = self.version.split('.').map(|number| number.parse().ok());
        match (numbers.next().flatten(), numbers.next().flatten()) {
            (Some(major), Some(minor)) => TESTED.contains(&(major, minor)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Valgrind {
        Valgrind {
            version: text.to_owned(),
            parts: PathBuf::new(),
        }
    }

    #[test]
    fn patch_releases_of_a_tested_version_are_tested() {
        assert!(version("3.19.0").is_tested());
        assert!(version("3.19.1.GIT").is_tested());
    }

    #[test]
    fn other_versions_are_not_tested() {
        for other in ["3.26.0", "3.1", "4.19.0", "unknown"] {
            assert!(!version(other).is_tested(), "{other}");
        }
    }
}
