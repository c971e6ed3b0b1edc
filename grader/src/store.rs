//! What outlives a run: best scores and hints, and results that need not be measured again.

pub mod memory;
pub mod progress;

use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

/// Replaces a file's content at once: a reader sees the old or the new, never half of it.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
