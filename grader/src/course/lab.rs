//! One lab's folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::Manifest;
use crate::error::{Error, While as _};

/// A lab, as the grader knows it: its names, its folder and its lab.toml.
#[derive(Debug, Clone)]
pub struct Lab {
    /// The name of the folder, the crate and the page; it never changes.
    pub slug: String,
    /// The part of the course: the folder's folder.
    pub part: String,
    /// The lab's folder.
    pub folder: PathBuf,
    /// What lab.toml says.
    pub manifest: Manifest,
}

impl Lab {
    /// Reads the lab in `folder`, somewhere below `root`.
    ///
    /// # Errors
    ///
    /// [`Error::NoManifest`] or [`Error::BadManifest`].
    pub fn read(root: &Path, folder: &Path) -> Result<Self, Error> {
        let name = |path: Option<&Path>| {
            path.and_then(Path::file_name)
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let slug = name(Some(folder));
        let path = folder.join("lab.toml");
        let shown = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
        if !path.exists() {
            return Err(Error::NoManifest { slug, path: shown });
        }
        let bytes = fs::read(&path).while_trying(|| format!("reading {}", path.display()))?;
        let bad = |found: String| Error::BadManifest {
            path: shown.clone(),
            found,
        };
        let text = String::from_utf8(bytes).map_err(|error| bad(error.to_string()))?;
        let manifest = Manifest::parse(&text).map_err(bad)?;
        Ok(Self {
            slug,
            part: name(folder.parent()),
            folder: folder.to_path_buf(),
            manifest,
        })
    }

    /// The one file that a reader edits.
    pub fn solution(&self) -> PathBuf {
        self.folder.join("src/solution.rs")
    }

    /// The frozen slow version.
    pub fn baseline(&self) -> PathBuf {
        self.folder.join("src/baseline.rs")
    }

    /// The reference answer.
    pub fn reference(&self) -> PathBuf {
        self.folder.join("reference/solution.rs")
    }

    /// The lab's page, below the book's `src` folder.
    pub fn page(&self) -> PathBuf {
        Path::new(&self.part).join(&self.slug).with_extension("md")
    }
}
