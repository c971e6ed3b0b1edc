//! What is measured: any program, or the kernel of a lab.

use crate::tracer::{Program, TracerError};
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The function that lab-kit calls a lab's kernel from. Source: `labs/kit/src/measured.rs`.
pub const LAB_FUNCTION: &str = "lab_kit_measured";

/// A program, and the function that is measured in it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The program.
    pub program: Program,
    /// The function, if not the whole program is measured.
    pub function: Option<String>,
}

impl Subject {
    /// A program as it stands on the command line, name first.
    ///
    /// # Errors
    ///
    /// If the program cannot run; see [`Program::find`].
    pub fn program(command: &[OsString], function: Option<String>) -> Result<Self, TracerError> {
        let (name, arguments) = command.split_first().ok_or(TracerError::NoProgram {
            name: String::new(),
            hint: "; write the program and its arguments after --",
        })?;
        Ok(Self {
            program: Program::find(name, arguments.to_vec())?,
            function,
        })
    }

    /// The kernel of the lab `slug`, in `variant`: `baseline`, `solution`, or `reference`, which is
    /// built in the solution's place.
    ///
    /// # Errors
    ///
    /// If there is no such lab or it does not build.
    pub fn lab(slug: &str, variant: &str) -> Result<Self, TracerError> {
        let (variant, features): (_, &[_]) = match variant {
            "reference" => ("solution", &["--features", "reference"]),
            variant => (variant, &[]),
        };
        let binary = build_lab(slug, features)?;
        Ok(Self {
            program: Program::find(binary.as_os_str(), vec![variant.into()])?,
            function: Some(LAB_FUNCTION.to_owned()),
        })
    }
}

/// The folder of a lab that the current workspace has.
fn lab_folder(slug: &str) -> Option<PathBuf> {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let here = env::current_dir().ok()?;
    let roots = here.ancestors().chain([built_in]);
    let labs = roots
        .map(|root| root.join("labs"))
        .find(|labs| labs.is_dir())?;
    let parts = labs.read_dir().ok()?.flatten();
    let mut folders = parts.map(|part| part.path().join(slug));
    folders.find(|folder| folder.join("lab.toml").is_file())
}

/// Builds the lab's program as its reader would, and says where it is.
fn build_lab(slug: &str, features: &[&str]) -> Result<PathBuf, TracerError> {
    let folder = lab_folder(slug).ok_or_else(|| TracerError::NoProgram {
        name: slug.to_owned(),
        hint: ", and no lab of this name in labs/; write a program after --",
    })?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(&folder)
        .args([
            "build",
            "--release",
            "--message-format=json-render-diagnostics",
        ])
        .args(["--package", slug, "--bin", slug])
        .args(features)
        .stderr(Stdio::inherit())
        .output()
        .map_err(TracerError::io(format!("building the lab {slug}")))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let executable = messages.lines().rev().find_map(executable_of);
    executable
        .filter(|_| output.status.success())
        .ok_or_else(|| TracerError::Build {
            found: format!("the lab {slug} does not build; cargo says why above"),
        })
}

/// The path in cargo's message that a program was made.
fn executable_of(message: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(message).ok()?;
    message.get("executable")?.as_str().map(PathBuf::from)
}
