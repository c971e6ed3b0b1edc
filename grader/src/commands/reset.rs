//! `grader reset`: a fresh solution, with the old one kept beside it.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{Outcome, ask, print};
use crate::course::{Course, fresh_solution};
use crate::error::{Exit, While as _};
use crate::host::git;

/// What `reset` is told.
#[derive(Debug, Clone, Args)]
pub struct ResetArgs {
    /// The lab
    pub lab: String,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
}

/// Puts the untouched solution back.
///
/// # Errors
///
/// If there is no such lab, or its files cannot be read or written.
pub fn run(args: &ResetArgs) -> Outcome {
    let course = Course::around_here()?;
    let lab = course.lab(&args.lab)?;
    // The baseline in the checkout may have been edited; git knows the one that counts.
    let baseline = match git::committed(&course.root, &lab.baseline()) {
        Some(committed) => committed,
        None => fs::read(lab.baseline())
            .while_trying(|| format!("reading {}", lab.baseline().display()))?,
    };
    let fresh = fresh_solution(&String::from_utf8_lossy(&baseline));
    let solution = lab.solution();
    let old = fs::read(&solution).unwrap_or_default();
    if old == fresh.as_bytes() {
        print(&format!("{} is fresh already.\n", lab.slug));
        return Ok(Exit::Passed);
    }
    let question = format!(
        "Put a fresh solution.rs into {}? Yours is kept beside it.",
        lab.slug
    );
    if !args.yes && !ask(&question) {
        print("Nothing was changed.\n");
        return Ok(Exit::Passed);
    }
    let mut said = String::new();
    if solution.exists() {
        let kept = unused_name(&solution);
        fs::rename(&solution, &kept)
            .while_trying(|| format!("keeping your solution as {}", kept.display()))?;
        said = format!("Yours is now {}.\n", shown(&kept, &course.root));
    }
    fs::write(&solution, fresh).while_trying(|| format!("writing {}", solution.display()))?;
    print(&format!("{} is fresh again. {said}", lab.slug));
    Ok(Exit::Passed)
}

/// `solution.rs.kept-1`, or the next number that no file has.
fn unused_name(solution: &Path) -> PathBuf {
    let name = |number: u32| {
        let mut name = solution.as_os_str().to_owned();
        name.push(format!(".kept-{number}"));
        PathBuf::from(name)
    };
    (1..)
        .map(name)
        .find(|path| !path.exists())
        .expect("there are more numbers than files")
}

fn shown<'a>(path: &'a Path, root: &Path) -> std::path::Display<'a> {
    path.strip_prefix(root).unwrap_or(path).display()
}
