//! Counts of a model: the lab's bench runs the simulation and prints the counts as JSON.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{Instrument, Readings};
use crate::build::BuiltLab;
use crate::error::{Error, While as _};
use crate::host::process::{self, Limits};

/// A simulation of a lab takes about two seconds; a scheduler that never gets on takes for ever.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(60),
    output_bytes: 1 << 20,
};

pub(super) fn measure(
    instrument: Instrument,
    lab: &BuiltLab,
    variant: &str,
    folder: &Path,
) -> Result<Readings, Error> {
    let failed = |found: String| Error::Measure {
        lab: lab.slug.clone(),
        tool: instrument.name(),
        found,
    };
    // Whoever looks for the instrument's files finds an empty folder, not the last run's.
    std::fs::create_dir_all(folder).while_trying(|| format!("making {}", folder.display()))?;
    let mut command = Command::new(&lab.bench);
    command
        .current_dir(&lab.folder)
        .env("LAB_KIT_VARIANT", variant);
    let ended = process::run(&mut command, LIMITS)?;
    if ended.status.is_none() {
        let seconds = LIMITS.time.as_secs();
        return Err(failed(format!(
            "the {variant} was still simulated after {seconds} s"
        )));
    }
    if !ended.succeeded() {
        return Err(failed(ended.complaints()));
    }
    let readings: Readings =
        serde_json::from_slice(&ended.stdout).map_err(|error| failed(error.to_string()))?;
    if readings.is_empty() {
        return Err(failed("the simulation counted nothing".into()));
    }
    Ok(readings)
}
