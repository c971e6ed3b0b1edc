//! Edits elsewhere than in `solution.rs`: they are told, and graded as committed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::build::Workspace;
use crate::course::{Course, Lab};
use crate::error::{Error, While as _};
use crate::host::git;

/// Which files a grade is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The reader's solutions; everything else as it was committed, where git can tell.
    Committed,
    /// All files as they lie in the checkout, for whoever writes labs.
    Checkout,
}

/// What is built, and what was edited in the checkout.
pub(super) struct CheckedOut {
    pub(super) workspace: Workspace,
    edited: Vec<PathBuf>,
    /// Held while the clean copy is in use: a second grader would change it under us.
    _lock: Option<File>,
}

/// The files that every lab's grade depends on.
const SHARED: [&str; 5] = [
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    ".cargo",
    "labs/kit",
];

/// Looks for edits and, if there are any, makes a clean copy with only the solutions taken over.
pub(super) fn check_out(
    course: &Course,
    labs: &[Lab],
    source: Source,
) -> Result<CheckedOut, Error> {
    let checkout = Workspace {
        root: course.root.clone(),
        target: course.target(),
    };
    let as_it_lies = CheckedOut {
        workspace: checkout,
        edited: Vec::new(),
        _lock: None,
    };
    if source == Source::Checkout || labs.is_empty() {
        return Ok(as_it_lies);
    }
    let folders = labs
        .iter()
        .map(|lab| Path::new("labs").join(&lab.part).join(&lab.slug));
    let watched: Vec<PathBuf> = SHARED
        .map(PathBuf::from)
        .into_iter()
        .chain(folders)
        .collect();
    let mut edited = git::changed(&course.root, &watched);
    edited.retain(|file| !file.ends_with("src/solution.rs"));
    if edited.is_empty() {
        return Ok(as_it_lies);
    }
    let root = course.scratch().join("committed");
    let lock = clean_copy(course, labs, &root)
        .while_trying(|| format!("making a clean copy of the course in {}", root.display()))?;
    let workspace = Workspace {
        root,
        target: course.target(),
    };
    Ok(CheckedOut {
        workspace,
        edited,
        _lock: Some(lock),
    })
}

fn clean_copy(course: &Course, labs: &[Lab], root: &Path) -> std::io::Result<File> {
    fs::create_dir_all(course.scratch())?;
    let lock = File::create(course.scratch().join("committed.lock"))?;
    lock.lock()?;
    if root.exists() {
        fs::remove_dir_all(root)?;
    }
    git::export(&course.root, root)?;
    for lab in labs {
        let into = root
            .join("labs")
            .join(&lab.part)
            .join(&lab.slug)
            .join("src/solution.rs");
        fs::copy(lab.solution(), into)?;
    }
    Ok(lock)
}

impl CheckedOut {
    /// The edited files that the lab's grade depends on, as they are shown.
    pub(super) fn edited_in(&self, lab: &Lab) -> Vec<String> {
        let folder = Path::new("labs").join(&lab.part).join(&lab.slug);
        let concerns = |file: &&PathBuf| {
            file.starts_with(&folder) || SHARED.iter().any(|shared| file.starts_with(shared))
        };
        let edited = self.edited.iter().filter(concerns);
        edited.map(|file| file.display().to_string()).collect()
    }
}
