//! Results remembered by what they depend on, so that an unchanged lab costs nothing.
//!
//! A result's key is a hash over everything that could change it: the measured binary's bytes, the
//! instrument and its version. Nothing is ever out of date, only unused.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

/// A folder of remembered results.
#[derive(Debug, Clone)]
pub struct Memory {
    folder: PathBuf,
    /// Whether to look before measuring; what was measured is remembered either way.
    recall: bool,
}

/// What a result depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// A key over the content of `files` and the texts `facts`.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn new(files: &[&Path], facts: &[&str]) -> std::io::Result<Self> {
        let mut hash = Sha256::new();
        for file in files {
            hash.update(Sha256::digest(fs::read(file)?));
        }
        for fact in facts {
            hash.update(Sha256::digest(fact));
        }
        Ok(Self(
            hash.finalize()
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        ))
    }
}

impl Key {
    /// The key as hexadecimal digits.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl Memory {
    /// The memory kept in `folder`.
    pub fn new(folder: PathBuf, recall: bool) -> Self {
        Self { folder, recall }
    }

    /// The result remembered for `key`, if there is a readable one.
    pub fn recall<T: DeserializeOwned>(&self, key: &Key) -> Option<T> {
        if !self.recall {
            return None;
        }
        serde_json::from_slice(&fs::read(self.file(key)).ok()?).ok()
    }

    /// Remembers a result. A memory that cannot be written costs time, not correctness.
    pub fn keep<T: Serialize>(&self, key: &Key, result: &T) {
        if let Ok(text) = serde_json::to_vec(result) {
            let _ = super::replace(&self.file(key), &text);
        }
    }

    fn file(&self, key: &Key) -> PathBuf {
        self.folder.join(&key.0).with_extension("json")
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Memory};

    #[test]
    fn a_result_is_recalled_by_all_it_depends_on() {
        let folder = tempfile::tempdir().unwrap();
        let binary = folder.path().join("binary");
        std::fs::write(&binary, "one").unwrap();
        let memory = Memory::new(folder.path().join("memory"), true);
        let key = Key::new(&[&binary], &["Callgrind"]).unwrap();
        memory.keep(&key, &42);
        assert_eq!(memory.recall(&key), Some(42));
        assert_eq!(
            memory.recall::<i32>(&Key::new(&[&binary], &["DHAT"]).unwrap()),
            None
        );
        std::fs::write(&binary, "two").unwrap();
        let changed = Key::new(&[&binary], &["Callgrind"]).unwrap();
        assert_eq!(memory.recall::<i32>(&changed), None);
    }

    #[test]
    fn a_damaged_result_is_measured_again() {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory::new(folder.path().into(), true);
        let key = Key::new(&[], &["x"]).unwrap();
        memory.keep(&key, &"fine");
        std::fs::write(memory.file(&key), "{half").unwrap();
        assert_eq!(memory.recall::<String>(&key), None);
    }
}
