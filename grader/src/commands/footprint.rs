//! `grader footprint`: how much distinct memory a program touches, over time.

use super::{Outcome, emit, profiling::Selection};
use crate::{
    profile::{
        FootprintReport, footprint_plot,
        footprint_report::FootprintSettings,
        footprint_text::{self, Layout},
        sizes::{Unit, parse_count},
    },
    tracer::{Request, request::Analysis},
};
use std::path::PathBuf;

/// Instructions per interval if nothing else is asked for: about a hundred rows for a second of work.
const DEFAULT_INTERVAL: u64 = 10_000_000;

/// Count the distinct cache lines or pages that a program touches, interval by interval
#[derive(Debug, clap::Args)]
pub struct FootprintArgs {
    #[command(flatten)]
    selection: Selection,
    /// Instructions per interval, such as 28000, 10M or 1G
    #[arg(long, value_name = "N", value_parser = parse_count, default_value_t = DEFAULT_INTERVAL)]
    interval: u64,
    /// What to count: line, page, or a power of two of bytes such as 2M
    #[arg(long, value_name = "UNIT", default_value = "line")]
    unit: Unit,
    /// Columns that exclude each other, as Intel SDE prints them
    #[arg(long)]
    exclusive: bool,
    /// Rows for each thread as well
    #[arg(long)]
    per_thread: bool,
    /// Write a plot to this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Runs the program and prints its footprint.
///
/// # Errors
///
/// If nothing could be measured, or the plot cannot be written.
pub fn run(args: &FootprintArgs) -> Outcome {
    let plot = args
        .plot
        .as_deref()
        .map(emit::PlotFile::create)
        .transpose()?;
    let analysis = Analysis::Footprint {
        interval: Some(args.interval),
        unit_shift: args.unit.shift(),
        per_thread: args.per_thread,
    };
    let measured = args.selection.measure(|| Request::new(analysis))?;
    let settings = FootprintSettings {
        unit_bytes: args.unit.bytes(),
        interval: args.interval,
        function: measured.function.clone(),
    };
    let report = FootprintReport::new(&measured.outcome, &settings);
    if let Some(plot) = plot {
        plot.write(&footprint_plot::plot(&report))?;
    }
    let layout = if args.exclusive {
        Layout::Exclusive
    } else {
        Layout::Inclusive
    };
    if args.json {
        emit::json(&report);
    } else {
        emit::text(&footprint_text::table(&report, layout));
    }
    Ok(emit::notes(&report.notes, &measured.outcome))
}
