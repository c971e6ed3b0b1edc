//! `grader tlb`: how often a program's page tables are walked, and what huge pages would change.

use super::{Outcome, emit, profiling::Selection};
use crate::{
    profile::{
        sizes::parse_count,
        tlb_report::{By, TlbReport, TlbSettings},
        tlb_text,
    },
    tracer::{
        Request,
        request::{Analysis, PageSource},
    },
};
use clap::builder::PossibleValuesParser;
use models::tlb::machines::{self, MACHINES};
use std::env;

/// Instructions asked of the tool when they are grouped: all that matter.
const SITES: usize = 100_000;

/// Count TLB misses and page walks, given which pages really are huge
#[derive(Debug, clap::Args)]
pub struct TlbArgs {
    #[command(flatten)]
    selection: Selection,
    /// The core whose TLBs are modelled
    #[arg(
        long,
        value_name = "MACHINE",
        default_value = "zen4",
        value_parser = PossibleValuesParser::new(MACHINES.iter().map(|machine| machine.name)),
    )]
    machine: String,
    /// Page sizes: those that the process has, or 4 KB for all, or 2 MB wherever a whole piece is
    /// mapped, which tells what huge pages would buy
    #[arg(long, default_value = "smaps", value_parser = ["smaps", "4k", "2m"])]
    pages: String,
    /// What the rows are
    #[arg(long, default_value = "mapping", value_parser = ["mapping", "function", "load"])]
    by: String,
    /// Show the distinct pages used in each interval of N instructions, such as 10M
    #[arg(long, value_name = "N", value_parser = parse_count)]
    interval: Option<u64>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Runs the program and prints its page walks.
///
/// # Errors
///
/// If nothing could be measured.
///
/// # Panics
///
/// Never: the command line takes only names of machines.
pub fn run(args: &TlbArgs) -> Outcome {
    let machine = machines::named(&args.machine).expect("only machines' names are taken");
    let by = match args.by.as_str() {
        "function" => By::Function,
        "load" => By::Load,
        _ => By::Mapping,
    };
    let analysis = Analysis::Tlb {
        machine: machine.name,
        pages: match args.pages.as_str() {
            "4k" => PageSource::Small,
            "2m" => PageSource::Huge,
            _ => PageSource::Process,
        },
        interval: args.interval,
        sites: if by == By::Mapping { 0 } else { SITES },
    };
    let measured = args.selection.measure(|| Request::new(analysis))?;
    let settings = TlbSettings {
        function: measured.function.clone(),
        by,
        here: env::current_dir().unwrap_or_default(),
    };
    let report = TlbReport::new(&measured.outcome, &settings);
    if args.json {
        emit::json(&report);
    } else {
        emit::text(&tlb_text::tables(&report));
    }
    Ok(emit::notes(&report.notes, &measured.outcome))
}
