//! The steps of the gate, one line each, written before they are taken.

use std::ffi::OsString;
use std::fs::File;
use std::io::Write as _;

use super::Refusal;

/// Where the steps go; nowhere when nobody asked.
pub(super) struct Report {
    file: Option<File>,
}

impl Report {
    /// # Panics
    ///
    /// If the file cannot be created: a gate that cannot report must not seem to pass.
    pub(super) fn open(path: Option<OsString>) -> Self {
        let file = path.map(|path| {
            File::create(&path)
                .unwrap_or_else(|error| panic!("cannot create {}: {error}", path.display()))
        });
        Self { file }
    }

    pub(super) fn seed(&mut self, seed: u64) {
        self.line(&format!("seed {seed}"));
    }

    pub(super) fn case(&mut self, name: &str) {
        self.line(&format!("case {name}"));
    }

    /// A remark takes one line, whatever it holds.
    pub(super) fn remark(&mut self, remark: &str) {
        let line: Vec<&str> = remark.split_whitespace().collect();
        self.line(&format!("remark {}", line.join(" ")));
    }

    /// A refusal takes several lines and ends the file.
    pub(super) fn verdict(&mut self, verdict: &Result<(), Refusal>) {
        match verdict {
            Ok(()) => self.line("passed"),
            Err(refusal) => self.line(&format!("refused\n{refusal}")),
        }
    }

    fn line(&mut self, line: &str) {
        if let Some(file) = &mut self.file {
            writeln!(file, "{line}").expect("the verdict file was writable a moment ago");
        }
    }
}
