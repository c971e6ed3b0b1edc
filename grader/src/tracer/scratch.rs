//! A folder for one run, removed at its end.

use super::TracerError;
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A new, empty folder below the system's folder for temporary files.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes the folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn new() -> Result<Self, TracerError> {
        loop {
            let number = COUNT.fetch_add(1, Relaxed);
            // Of one length, whatever the numbers: see `run`.
            let name = format!("cyclewise-{:010}-{number:06}", process::id());
            let path = env::temp_dir().join(name);
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                // Left by a process of the same number that was killed.
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
                Err(source) => {
                    let attempt = format!("making the folder {}", path.display());
                    return Err(TracerError::Io { attempt, source });
                }
            }
        }
    }

    /// Where the folder is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing depends on the folder going away.
        let _ = fs::remove_dir_all(&self.path);
    }
}
