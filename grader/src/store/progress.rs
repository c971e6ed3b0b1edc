//! `.cyclewise/progress.json`: the best scores so far, and how many hints were seen.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A reader's progress.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// By lab.
    #[serde(default)]
    pub labs: BTreeMap<String, LabProgress>,
    /// What a newer grader wrote and this one does not know, kept as it is.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, serde_json::Value>,
}

/// The progress with one lab.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LabProgress {
    /// The best score so far, 0 to 100; `None` before the first grade.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_score: Option<f64>,
    /// How many hints were shown.
    #[serde(default)]
    pub hints_seen: usize,
    /// What a newer grader wrote and this one does not know, kept as it is.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, serde_json::Value>,
}

/// The file of a reader's progress.
#[derive(Debug, Clone)]
pub struct ProgressFile {
    path: PathBuf,
}

impl ProgressFile {
    /// The file in the folder `keepsakes`.
    pub fn new(keepsakes: &Path) -> Self {
        Self {
            path: keepsakes.join("progress.json"),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the progress; none yet is an empty one. An unreadable file is put aside, not lost, and
    /// the error says where.
    ///
    /// # Errors
    ///
    /// If the file is there and cannot be used.
    pub fn read(&self) -> io::Result<Progress> {
        let text = match fs::read(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Progress::default()),
            read => read?,
        };
        serde_json::from_slice(&text).map_err(|error| {
            let aside = self.path.with_extension("json.unreadable");
            let moved = match fs::rename(&self.path, &aside) {
                Ok(()) => format!("it was put aside as {}", aside.display()),
                Err(failed) => format!("it could not be put aside: {failed}"),
            };
            io::Error::other(format!(
                "{} cannot be read ({error}); {moved}",
                self.path.display()
            ))
        })
    }

    /// Reads, changes and replaces the file. Two graders at once: the later one waits.
    ///
    /// # Errors
    ///
    /// If the file cannot be used or replaced; the old content is then still there.
    pub fn update(&self, change: impl FnOnce(&mut Progress)) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let lock = fs::File::create(folder.join("lock"))?;
        lock.lock()?;
        let mut progress = self.read()?;
        let before = progress.clone();
        change(&mut progress);
        if progress == before {
            return Ok(());
        }
        let mut text = serde_json::to_string_pretty(&progress)?;
        text.push('\n');
        super::replace(&self.path, text.as_bytes())
    }
}

impl Progress {
    /// The progress with a lab, to be changed.
    pub fn lab(&mut self, slug: &str) -> &mut LabProgress {
        self.labs.entry(slug.to_owned()).or_default()
    }

    /// Keeps the better of the stored score and `score`.
    pub fn keep_best(&mut self, slug: &str, score: f64) {
        let lab = self.lab(slug);
        lab.best_score = Some(lab.best_score.map_or(score, |best| best.max(score)));
    }
}

#[cfg(test)]
mod tests {
    use super::ProgressFile;

    #[test]
    fn a_lower_score_takes_nothing_away() {
        let folder = tempfile::tempdir().unwrap();
        let file = ProgressFile::new(folder.path());
        file.update(|progress| progress.keep_best("lab", 80.0))
            .unwrap();
        file.update(|progress| progress.keep_best("lab", 20.0))
            .unwrap();
        assert_eq!(file.read().unwrap().labs["lab"].best_score, Some(80.0));
    }

    #[test]
    fn an_unreadable_file_is_put_aside_and_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let file = ProgressFile::new(folder.path());
        std::fs::write(file.path(), "{half a fi").unwrap();
        let error = file.read().unwrap_err().to_string();
        assert!(error.contains("progress.json.unreadable"), "{error}");
        let aside = folder.path().join("progress.json.unreadable");
        assert_eq!(std::fs::read_to_string(aside).unwrap(), "{half a fi");
        assert!(file.read().unwrap().labs.is_empty());
    }

    #[test]
    fn what_a_newer_grader_wrote_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = ProgressFile::new(folder.path());
        std::fs::write(
            file.path(),
            r#"{"labs":{"lab":{"stars":3}},"theme":"dark"}"#,
        )
        .unwrap();
        file.update(|progress| progress.keep_best("lab", 1.0))
            .unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(text.contains("stars") && text.contains("theme"), "{text}");
    }

    #[test]
    fn two_graders_at_once_lose_no_score() {
        let folder = tempfile::tempdir().unwrap();
        let file = ProgressFile::new(folder.path());
        std::thread::scope(|scope| {
            for lab in 0..8 {
                let file = &file;
                scope.spawn(move || {
                    for _ in 0..5 {
                        file.update(|progress| {
                            let best = progress.lab(&format!("lab-{lab}")).best_score;
                            progress.keep_best(&format!("lab-{lab}"), best.unwrap_or(0.0) + 1.0);
                        })
                        .unwrap();
                    }
                });
            }
        });
        let progress = file.read().unwrap();
        assert_eq!(progress.labs.len(), 8);
        assert!(
            progress
                .labs
                .values()
                .all(|lab| lab.best_score == Some(5.0))
        );
    }
}
