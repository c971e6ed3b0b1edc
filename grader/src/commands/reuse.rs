//! `grader reuse`: how far apart a program's uses of an address and of a line are.

use super::{Outcome, emit, profiling::Selection};
use crate::{
    profile::{Cache, ReuseReport, caches, reuse_plot, reuse_report::ReuseSettings, reuse_text},
    tracer::{Request, request::Analysis},
};
use std::{env, path::PathBuf};

/// Loads and stores shown by a bare `--loads`.
const DEFAULT_LOADS: &str = "10";
/// Instructions asked of the tool for each line shown: unrolled and inlined loops have many.
const INSTRUCTIONS_PER_LOAD: usize = 16;
/// Accesses shown by a bare `--list`.
const DEFAULT_LIST: &str = "100";

/// Measure reuse distances: of all accesses, and of the loads that would miss most
#[derive(Debug, clap::Args)]
pub struct ReuseArgs {
    #[command(flatten)]
    selection: Selection,
    /// Show the N loads and stores that would miss most
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = DEFAULT_LOADS,
        value_parser = clap::value_parser!(u32).range(1..=100_000),
    )]
    loads: Option<u32>,
    /// Show each instruction by itself; else those of a source line are taken together
    #[arg(long, requires = "loads")]
    by_instruction: bool,
    /// List the first N accesses one by one
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = DEFAULT_LIST,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
    )]
    list: Option<u32>,
    /// What a distance counts: distinct lines, as caches do, or distinct locations (addresses)
    #[arg(long, value_name = "UNIT", default_value = "lines", value_parser = ["lines", "locations"])]
    distance: String,
    /// Sizes of the caches to compare with, such as 32K,1M,32M; else this machine's
    #[arg(long, value_name = "SIZES", value_parser = parse_caches)]
    caches: Option<CacheSizes>,
    /// Write a plot to this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// What `--caches` says.
#[derive(Clone, Debug)]
struct CacheSizes(Vec<Cache>);

fn parse_caches(text: &str) -> Result<CacheSizes, String> {
    caches::parse(text).map(CacheSizes)
}

/// Runs the program and prints its reuse distances.
///
/// # Errors
///
/// If nothing could be measured, or the plot cannot be written.
pub fn run(args: &ReuseArgs) -> Outcome {
    let plot = args
        .plot
        .as_deref()
        .map(emit::PlotFile::create)
        .transpose()?;
    let (mut caches, told) = match &args.caches {
        Some(CacheSizes(caches)) => (caches.clone(), true),
        None => caches::of_this_machine(),
    };
    caches.truncate(4);
    if !told {
        super::complain("Linux does not tell this machine's caches; --caches names them");
    }
    let in_locations = args.distance == "locations";
    let wanted =
        |count: Option<u32>| count.map_or(0, |count| usize::try_from(count).unwrap_or(usize::MAX));
    let analysis = Analysis::Reuse {
        in_locations,
        list: wanted(args.list),
        sites: match wanted(args.loads) {
            0 => 0,
            // Enough instructions to make up the lines: those after them hardly miss.
            loads => loads.saturating_mul(INSTRUCTIONS_PER_LOAD).max(1000),
        },
        caches_lines: caches.iter().map(Cache::lines).collect(),
    };
    let measured = args.selection.measure(|| Request::new(analysis))?;
    let settings = ReuseSettings {
        function: measured.function.clone(),
        caches,
        in_locations,
        loads: wanted(args.loads),
        by_line: !args.by_instruction,
        here: env::current_dir().unwrap_or_default(),
    };
    let report = ReuseReport::new(&measured.outcome, &settings);
    if let Some(plot) = plot {
        plot.write(&reuse_plot::plot(&report))?;
    }
    if args.json {
        emit::json(&report);
    } else {
        emit::text(&reuse_text::tables(&report));
    }
    Ok(emit::notes(&report.notes, &measured.outcome))
}
