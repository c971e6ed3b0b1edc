//! `grader plot`: the picture of a footprint that was recorded earlier, without the program.

use super::{Outcome, emit};
use crate::{
    error::{Error, Exit, While as _},
    profile::{FootprintReport, footprint_plot},
};
use std::{fs, path::PathBuf};

/// Draw a footprint that `footprint --json` recorded
#[derive(Debug, clap::Args)]
pub struct PlotArgs {
    /// What `grader footprint --json` printed
    #[arg(value_name = "FILE.json")]
    recorded: PathBuf,
    /// Where the picture goes
    #[arg(value_name = "FILE.svg")]
    picture: PathBuf,
}

/// Reads the report and writes its picture.
///
/// # Errors
///
/// If the report cannot be read or is none, or the picture cannot be written. A report that cannot
/// be used leaves an earlier picture as it is.
pub fn run(args: &PlotArgs) -> Outcome {
    let path = &args.recorded;
    let text = fs::read_to_string(path).while_trying(|| format!("reading {}", path.display()))?;
    let report: FootprintReport =
        serde_json::from_str(&text).map_err(|why| Error::NoFootprint {
            path: path.clone(),
            found: why.to_string(),
        })?;
    emit::PlotFile::create(&args.picture)?.write(&footprint_plot::plot(&report))?;
    Ok(Exit::Passed)
}
