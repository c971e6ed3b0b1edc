//! Cargo, asked for the few targets of a lab that a grade needs.
//!
//! All selected labs are built by one cargo for the debug gate and one for what is measured, side
//! by side. A lab that does not compile does not keep the others from being built.

mod messages;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::course::Lab;
use crate::error::{Error, While as _};
use crate::host::process::{self, Limits};
use messages::Messages;

/// Whose code stands in the solution's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The reader's.
    Solution,
    /// The lab's reference.
    Reference,
}

/// Where to build: the checkout itself, or a clean copy of it.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// The folder with the workspace's Cargo.toml.
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
}

/// A lab's programs.
#[derive(Debug, Clone)]
pub struct BuiltLab {
    /// The lab's name.
    pub slug: String,
    /// The lab's folder in the workspace that was built.
    pub folder: PathBuf,
    /// The gate, built for debugging: arithmetic that overflows panics.
    pub debug_gate: PathBuf,
    /// The gate, built as what is measured is built.
    pub release_gate: PathBuf,
    /// The bench that iai-callgrind drives.
    pub bench: PathBuf,
    /// The folder with iai-callgrind's runner.
    pub runner_folder: PathBuf,
}

/// A lab whose code the compiler refused, with the compiler's words.
#[derive(Debug, Clone)]
pub struct NotBuilt {
    /// What the compiler said.
    pub compiler: String,
}

/// Long enough for a first build on a slow machine, and an end to a build script that hangs.
const BUILD_LIMITS: Limits = Limits {
    time: Duration::from_secs(30 * 60),
    output_bytes: 64 << 20,
};

const RUNNER: &str = "iai-callgrind-runner";

/// Builds what grading `labs` needs; one result for each lab, in their order.
///
/// # Errors
///
/// [`Error::Cargo`] when cargo fails for another reason than a lab's code, such as a broken
/// manifest; [`Error::Interrupted`] by Ctrl-C.
pub fn labs(
    workspace: &Workspace,
    labs: &[Lab],
    answer: Answer,
) -> Result<Vec<Result<BuiltLab, NotBuilt>>, Error> {
    let debug_targets = ["--test", "correct", "-p", "count-runner", "--bin", RUNNER];
    let release_targets = ["--release", "--test", "correct", "--bench", "instructions"];
    let (debug, release) = thread::scope(|scope| {
        let debug = scope.spawn(|| cargo(workspace, labs, answer, &debug_targets));
        let release = cargo(workspace, labs, answer, &release_targets);
        (debug.join().expect("building does not panic"), release)
    });
    let (debug, release) = (debug?, release?);
    let Some(runner) = debug.program("count-runner", RUNNER) else {
        return Err(Error::Cargo(debug.errors_of("count-runner")));
    };
    let runner_folder = runner.parent().unwrap_or(Path::new(".")).to_path_buf();
    let built = labs.iter().map(|lab| {
        let slug = lab.slug.clone();
        let programs = (
            debug.program(&slug, "correct"),
            release.program(&slug, "correct"),
            release.program(&slug, "instructions"),
        );
        let (Some(debug_gate), Some(release_gate), Some(bench)) = programs else {
            // Both builds refuse the same code; the one that got further says more.
            let said = [release.errors_of(&slug), debug.errors_of(&slug)];
            let compiler = said.into_iter().find(|errors| !errors.is_empty());
            return Err(NotBuilt {
                compiler: compiler.unwrap_or_default(),
            });
        };
        let folder = workspace.root.join("labs").join(&lab.part).join(&slug);
        let runner_folder = runner_folder.clone();
        Ok(BuiltLab {
            slug,
            folder,
            debug_gate,
            release_gate,
            bench,
            runner_folder,
        })
    });
    Ok(built.collect())
}

/// Builds a lab's plain program as it is measured, for a profiler to look at.
///
/// # Errors
///
/// [`Error::Cargo`] with the compiler's words.
pub fn plain_program(workspace: &Workspace, lab: &Lab) -> Result<PathBuf, Error> {
    let labs = std::slice::from_ref(lab);
    let built = cargo(
        workspace,
        labs,
        Answer::Solution,
        &["--release", "--bin", &lab.slug],
    )?;
    built
        .program(&lab.slug, &lab.slug)
        .ok_or_else(|| Error::Cargo(built.errors_of(&lab.slug)))
}

fn cargo(
    workspace: &Workspace,
    labs: &[Lab],
    answer: Answer,
    targets: &[&str],
) -> Result<Messages, Error> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .current_dir(&workspace.root)
        .args([
            "build",
            "--quiet",
            "--keep-going",
            "--message-format=json-diagnostic-rendered-ansi",
        ])
        .arg("--target-dir")
        .arg(&workspace.target)
        .args(targets);
    for lab in labs {
        command.arg("-p").arg(&lab.slug);
    }
    if answer == Answer::Reference {
        let features: Vec<_> = labs
            .iter()
            .map(|lab| format!("{}/reference", lab.slug))
            .collect();
        command.arg("--features").arg(features.join(","));
    }
    let ended = process::run(&mut command, BUILD_LIMITS)?;
    let messages =
        Messages::parse(&ended.stdout).while_trying(|| "reading what cargo printed".into())?;
    if ended.succeeded() || messages.has_errors() {
        return Ok(messages);
    }
    Err(Error::Cargo(ended.complaints()))
}
