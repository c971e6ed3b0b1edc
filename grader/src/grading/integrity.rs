//! Edits elsewhere than in `solution.rs`: they are told, and graded as committed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::build::Workspace;
use crate::course::{Course, Lab, fresh_solution};
use crate::error::{Error, While as _};
use crate::host::git;

/// Which files a grade is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<'a> {
    /// The reader's solutions; everything else as it was committed, where git can tell.
    Committed,
    /// The solutions handed in with this folder; everything else as it was committed.
    Submission(&'a Submission),
    /// All files as they lie in the checkout, for whoever writes labs.
    Checkout,
    /// As [`Source::Checkout`], with every solution as it was before anybody touched it.
    Fresh,
}

/// A folder with somebody's solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The folder: `SLUG.rs` or `SLUG/solution.rs` for each lab, or a checkout of the course.
    pub folder: PathBuf,
}

impl Submission {
    /// The submission in `folder`.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The file with the solution of `lab`, if there is one.
    pub fn solution(&self, lab: &Lab) -> Option<PathBuf> {
        let places = [
            format!("{}.rs", lab.slug),
            format!("{}/solution.rs", lab.slug),
            format!("labs/{}/{}/src/solution.rs", lab.part, lab.slug),
        ];
        let mut places = places.into_iter().map(|place| self.folder.join(place));
        places.find(|place| place.is_file())
    }
}

impl Source<'_> {
    /// Where the solution of `lab` is read.
    pub(super) fn solution(&self, lab: &Lab) -> PathBuf {
        let submitted = match self {
            Self::Submission(submission) => submission.solution(lab),
            _ => None,
        };
        submitted.unwrap_or_else(|| lab.solution())
    }
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
    source: Source<'_>,
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
    match source {
        Source::Fresh => return with_fresh_solutions(course, labs, as_it_lies),
        Source::Submission(_) => return committed_with(course, labs, source, Vec::new()),
        Source::Committed | Source::Checkout => {}
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
    committed_with(course, labs, source, edited)
}

/// A copy of what was committed, with the solutions of `source`.
fn committed_with(
    course: &Course,
    labs: &[Lab],
    source: Source<'_>,
    edited: Vec<PathBuf>,
) -> Result<CheckedOut, Error> {
    let copy = copy(course, "committed", |root| {
        git::export(&course.root, root)?;
        for lab in labs {
            fs::copy(source.solution(lab), solution_in(root, lab))?;
        }
        Ok(())
    })?;
    Ok(CheckedOut { edited, ..copy })
}

/// The checkout itself when nobody touched the solutions, otherwise a copy in which nobody did.
fn with_fresh_solutions(
    course: &Course,
    labs: &[Lab],
    as_it_lies: CheckedOut,
) -> Result<CheckedOut, Error> {
    let fresh = |lab: &Lab| fs::read_to_string(lab.baseline()).map(|text| fresh_solution(&text));
    let is_fresh = |lab: &Lab| fresh(lab).ok() == fs::read_to_string(lab.solution()).ok();
    if labs.iter().all(is_fresh) {
        return Ok(as_it_lies);
    }
    copy(course, "fresh", |root| {
        let files = git::files(&course.root)
            .ok_or_else(|| io::Error::other("git does not tell which files belong to it"))?;
        for file in files.iter().filter(|file| course.root.join(file).is_file()) {
            let into = root.join(file);
            fs::create_dir_all(into.parent().unwrap_or(root))?;
            fs::copy(course.root.join(file), into)?;
        }
        for lab in labs {
            fs::write(solution_in(root, lab), fresh(lab)?)?;
        }
        Ok(())
    })
}

/// A copy of the course called `name`, which `fill` fills; an earlier one is removed.
fn copy(
    course: &Course,
    name: &str,
    fill: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<CheckedOut, Error> {
    let root = course.scratch().join(name);
    let copied = || -> io::Result<File> {
        fs::create_dir_all(course.scratch())?;
        let lock = File::create(root.with_extension("lock"))?;
        lock.lock()?;
        if root.exists() {
            fs::remove_dir_all(&root)?;
        }
        fill(&root)?;
        set_apart(&root, name)?;
        Ok(lock)
    };
    let lock = copied().while_trying(|| format!("copying the course to {}", root.display()))?;
    let workspace = Workspace {
        root,
        target: course.target(),
    };
    Ok(CheckedOut {
        workspace,
        edited: Vec::new(),
        _lock: Some(lock),
    })
}

/// Gives the copy's packages a version of their own, `0.1.0+committed`.
///
/// Cargo tells packages of one workspace apart by their place in it and by their version. With the
/// same version a copy would overwrite the checkout's programs, and take the checkout's for its own.
fn set_apart(root: &Path, name: &str) -> io::Result<()> {
    let path = root.join("Cargo.toml");
    let text = fs::read_to_string(&path)?;
    let mut manifest: toml::Table = text.parse().map_err(io::Error::other)?;
    let version = manifest
        .get_mut("workspace")
        .and_then(|workspace| workspace.get_mut("package")?.get_mut("version"));
    if let Some(toml::Value::String(version)) = version {
        version.push(if version.contains('+') { '.' } else { '+' });
        version.push_str(name);
    }
    fs::write(&path, manifest.to_string())
}

fn solution_in(root: &Path, lab: &Lab) -> PathBuf {
    root.join("labs")
        .join(&lab.part)
        .join(&lab.slug)
        .join("src/solution.rs")
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
