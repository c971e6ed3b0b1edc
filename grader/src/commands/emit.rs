//! How the profiling commands bring out their reports.

use super::{complain, print};
use crate::{
    error::{Error, Exit, While as _},
    tracer::{Ending, Outcome},
};
use serde::Serialize;
use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
};

/// Prints a table.
pub(super) fn text(text: &str) {
    print(text);
}

/// Prints a report as JSON.
pub(super) fn json(report: &impl Serialize) {
    let text = serde_json::to_string_pretty(report).expect("a report's keys are all strings");
    print(&text);
    print("\n");
}

/// Says how far the numbers can be trusted, and with what exit code that ends.
pub(super) fn notes(notes: &[String], outcome: &Outcome) -> Exit {
    for note in notes {
        complain(note);
    }
    match outcome.ending {
        Ending::Exited(_) => Exit::Passed,
        Ending::Killed(_) => Exit::NotMeasured,
        Ending::Interrupted => Exit::Interrupted,
    }
}

/// A plot's file, opened before the program runs: a run of an hour is not lost to a wrong path.
pub(super) struct PlotFile {
    file: File,
    path: PathBuf,
}

impl PlotFile {
    /// Opens the file for writing.
    pub(super) fn create(path: &Path) -> Result<Self, Error> {
        let file = File::create(path).while_trying(|| attempt(path))?;
        let path = path.to_owned();
        Ok(Self { file, path })
    }

    /// Writes the picture.
    pub(super) fn write(mut self, svg: &str) -> Result<(), Error> {
        let written = self.file.write_all(svg.as_bytes());
        written.while_trying(|| attempt(&self.path))
    }
}

fn attempt(path: &Path) -> String {
    format!("cannot write the plot {}", path.display())
}
