//! What git knows of the checkout. Without git, or outside of a repository, it knows nothing.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Files below `paths` that differ from the last commit, relative to `root`. Files that were never
/// committed do not count: git cannot tell what they should be.
pub fn changed(root: &Path, paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut command = git(root);
    command
        .args(["diff", "--name-only", "--relative", "-z", "HEAD", "--"])
        .args(paths);
    let Some(output) = command
        .output()
        .ok()
        .filter(|output| output.status.success())
    else {
        return Vec::new();
    };
    split_paths(&output.stdout)
}

/// Puts the last commit's files below `root` into the folder `into`, all dated now: cargo builds what
/// is newer than what it built before, and the commit may be older than that.
///
/// # Errors
///
/// If git or tar is missing or fails.
pub fn export(root: &Path, into: &Path) -> io::Result<()> {
    std::fs::create_dir_all(into)?;
    let mut archive = git(root)
        .args(["archive", "--format=tar", "HEAD", "."])
        .stdout(Stdio::piped())
        .spawn()?;
    let pipe = archive
        .stdout
        .take()
        .expect("its output was piped a line ago");
    let unpacked = Command::new("tar")
        .arg("-xmf")
        .arg("-")
        .arg("-C")
        .arg(into)
        .stdin(pipe)
        .status();
    let packed = archive.wait()?;
    if packed.success() && unpacked?.success() {
        return Ok(());
    }
    Err(io::Error::other("`git archive HEAD | tar -x` failed"))
}

/// The files of the checkout, committed or not, without those that git was told to ignore; relative
/// to `root`. None without git.
pub fn files(root: &Path) -> Option<Vec<PathBuf>> {
    let mut command = git(root);
    command.args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]);
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(split_paths(&output.stdout))
}

fn split_paths(zero_separated: &[u8]) -> Vec<PathBuf> {
    let names = zero_separated
        .split(|&byte| byte == 0)
        .filter(|name| !name.is_empty());
    names
        .map(|name| PathBuf::from(String::from_utf8_lossy(name).into_owned()))
        .collect()
}

/// The committed content of a file, if git has it.
pub fn committed(root: &Path, file: &Path) -> Option<Vec<u8>> {
    let relative = file.strip_prefix(root).ok()?;
    let mut command = git(root);
    let output = command
        .arg("show")
        .arg(format!("HEAD:./{}", relative.display()))
        .output()
        .ok()?;
    output.status.success().then_some(output.stdout)
}

fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(root)
        .stderr(Stdio::null())
        .stdin(Stdio::null());
    command
}
