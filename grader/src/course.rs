//! The course on disk: where it is, and which labs it has.

mod fresh;
mod lab;
mod manifest;

use std::path::{Path, PathBuf};
use std::{env, fs};

pub use fresh::fresh_solution;
pub use lab::Lab;
pub use manifest::{Guard, Manifest, Need, Scored};

use crate::error::{Error, While as _};

/// A checkout of the course.
#[derive(Debug, Clone)]
pub struct Course {
    /// The workspace's folder.
    pub root: PathBuf,
    /// All labs, by part and name.
    pub labs: Vec<Lab>,
}

impl Course {
    /// Finds the course around the current folder.
    ///
    /// # Errors
    ///
    /// [`Error::NoCourse`] outside of a checkout, [`Error::NoManifest`] and [`Error::BadManifest`]
    /// for a lab that is not described.
    pub fn around_here() -> Result<Self, Error> {
        let here = env::current_dir().while_trying(|| "finding the current folder".into())?;
        let is_root =
            |folder: &&Path| folder.join("labs").is_dir() && folder.join("Cargo.toml").is_file();
        let root = here.ancestors().find(is_root);
        let root = root.ok_or_else(|| Error::NoCourse(here.clone()))?;
        Self::at(root)
    }

    /// The course in the folder `root`.
    ///
    /// # Errors
    ///
    /// [`Error::NoManifest`] and [`Error::BadManifest`] for a lab that is not described.
    pub fn at(root: &Path) -> Result<Self, Error> {
        let labs_folder = root.join("labs");
        let mut labs = Vec::new();
        for part in folders_in(&labs_folder)? {
            for folder in folders_in(&part)? {
                // A part may also hold a library that its labs share; only labs have a solution.
                let is_lab = ["lab.toml", "src/solution.rs", "src/baseline.rs"];
                if is_lab.iter().any(|file| folder.join(file).exists()) {
                    labs.push(Lab::read(root, &folder)?);
                }
            }
        }
        Ok(Self {
            root: root.to_path_buf(),
            labs,
        })
    }

    /// The lab named `slug`, or `part/slug`.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownLab`] with the nearest name.
    pub fn lab(&self, name: &str) -> Result<&Lab, Error> {
        let matches = |lab: &&Lab| lab.slug == name || format!("{}/{}", lab.part, lab.slug) == name;
        self.labs
            .iter()
            .find(matches)
            .ok_or_else(|| self.unknown(name))
    }

    /// The labs of these names, or all when there are none. A part's name stands for its labs.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownLab`] with the nearest name.
    pub fn select(&self, names: &[String]) -> Result<Vec<Lab>, Error> {
        if names.is_empty() {
            return Ok(self.labs.clone());
        }
        let mut selected: Vec<Lab> = Vec::new();
        for name in names {
            let part: Vec<&Lab> = self.labs.iter().filter(|lab| &lab.part == name).collect();
            let named = if part.is_empty() {
                vec![self.lab(name)?]
            } else {
                part
            };
            for lab in named {
                if selected.iter().all(|earlier| earlier.slug != lab.slug) {
                    selected.push(lab.clone());
                }
            }
        }
        Ok(selected)
    }

    /// Where the grader keeps what can be made again: remembered results, measurements.
    pub fn scratch(&self) -> PathBuf {
        self.target().join("cyclewise")
    }

    /// Cargo's target folder.
    pub fn target(&self) -> PathBuf {
        let chosen = env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty());
        self.root
            .join(chosen.map_or_else(|| "target".into(), PathBuf::from))
    }

    /// Where the grader keeps what a reader would miss: best scores, hints seen.
    pub fn keepsakes(&self) -> PathBuf {
        self.root.join(".cyclewise")
    }

    fn unknown(&self, name: &str) -> Error {
        /// Below this likeness (Jaro and Winkler) a suggestion confuses more than it helps.
        const LIKE_ENOUGH: f64 = 0.7;
        let likeness = |lab: &Lab| strsim::jaro_winkler(&lab.slug, name);
        let nearest = self
            .labs
            .iter()
            .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let nearest = nearest.filter(|lab| likeness(lab) > LIKE_ENOUGH);
        Error::UnknownLab {
            name: name.into(),
            nearest: nearest.map(|lab| lab.slug.clone()),
        }
    }
}

/// The folders in `folder`, by name, without hidden ones.
fn folders_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).while_trying(|| format!("reading {}", folder.display()))?;
    let is_shown = |path: &PathBuf| {
        path.is_dir()
            && path
                .file_name()
                .is_some_and(|name| !name.as_encoded_bytes().starts_with(b"."))
    };
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_shown)
        .collect();
    folders.sort();
    Ok(folders)
}
