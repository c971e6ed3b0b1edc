//! What the grader asks for, as `--name=value` options on Valgrind's command line.

use alloc::{string::String, vec::Vec};
use models::tlb::{Machine, machines};

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Analysis {
    /// Instructions only: the self-check against Callgrind.
    Count,
    /// Distinct units per interval.
    Footprint,
    /// Reuse distances of all data accesses.
    Reuse,
    /// The executed instructions themselves.
    Trace,
    /// TLB misses and page walks.
    Tlb,
}

/// Where the page sizes of a TLB measurement come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageSource {
    /// The process's own page tables.
    Process,
    /// Sums of huge pages in `smaps`, as if the kernel knew no better.
    Sums,
    /// All pages are taken as 4 KB.
    Small,
    /// All whole pieces of 2 MB are taken as huge pages.
    Huge,
}

/// The options, with their defaults.
pub(crate) struct Options {
    pub(crate) analysis: Analysis,
    /// The result file is this, then `.PID.INCARNATION`.
    pub(crate) result_prefix: String,
    /// Instructions per interval, at least 1.
    pub(crate) interval: u64,
    /// log2 of the unit's bytes, at most 30.
    pub(crate) unit_shift: u32,
    pub(crate) per_thread: bool,
    /// Whether memory that the kernel reads and writes for the program counts.
    pub(crate) kernel: bool,
    /// Only while this function runs.
    pub(crate) function: Option<String>,
    /// Keep a histogram for each load and store instruction.
    pub(crate) per_site: bool,
    /// Whether reuse distances count addresses instead of lines.
    pub(crate) in_locations: bool,
    /// How many accesses to list one by one.
    pub(crate) list: usize,
    /// How many sites to report.
    pub(crate) sites: usize,
    /// Cache sizes in lines for which misses are counted, at most four; the first ranks sites.
    pub(crate) cache_lines: Vec<u32>,
    /// Whether the children of a fork write results of their own.
    pub(crate) children: bool,
    /// How many instructions to record at most.
    pub(crate) trace_limit: u64,
    /// Calls of the function to let pass before.
    pub(crate) skip_calls: u64,
    /// Instructions inside the function to let pass after that.
    pub(crate) skip_instructions: u64,
    /// Whether recorded instructions are written with their source lines.
    pub(crate) names: bool,
    /// The core whose TLBs are modelled.
    pub(crate) machine: &'static Machine<'static>,
    pub(crate) pages: PageSource,
}

impl Options {
    pub(crate) const fn new() -> Self {
        Self {
            analysis: Analysis::Count,
            result_prefix: String::new(),
            interval: u64::MAX,
            unit_shift: 6,
            per_thread: false,
            kernel: true,
            function: None,
            per_site: false,
            in_locations: false,
            list: 0,
            sites: 0,
            cache_lines: Vec::new(),
            children: false,
            trace_limit: 0,
            skip_calls: 0,
            skip_instructions: 0,
            names: false,
            machine: &machines::ZEN4,
            pages: PageSource::Process,
        }
    }

    /// Takes one `--name=value`; `None` if it is not one of ours, or its value is out of range.
    pub(crate) fn set(&mut self, argument: &str) -> Option<()> {
        let (name, value) = argument.strip_prefix("--")?.split_once('=')?;
        match name {
            "analysis" => {
                self.analysis = match value {
                    "count" => Analysis::Count,
                    "footprint" => Analysis::Footprint,
                    "reuse" => Analysis::Reuse,
                    "trace" => Analysis::Trace,
                    "tlb" => Analysis::Tlb,
                    _ => return None,
                }
            }
            "result-prefix" => self.result_prefix = value.into(),
            "interval" => self.interval = value.parse().ok().filter(|&n| n > 0)?,
            "unit-shift" => self.unit_shift = value.parse().ok().filter(|&bits| bits <= 30)?,
            "per-thread" => self.per_thread = yes_or_no(value)?,
            "kernel" => self.kernel = yes_or_no(value)?,
            "function" => self.function = Some(value.into()),
            "per-site" => self.per_site = yes_or_no(value)?,
            "in-locations" => self.in_locations = yes_or_no(value)?,
            "list" => self.list = value.parse().ok()?,
            "sites" => self.sites = value.parse().ok()?,
            "cache-lines" => self.cache_lines = numbers(value)?,
            "trace-limit" => self.trace_limit = value.parse().ok()?,
            "skip-calls" => self.skip_calls = value.parse().ok()?,
            "skip-instructions" => self.skip_instructions = value.parse().ok()?,
            "names" => self.names = yes_or_no(value)?,
            "machine" => self.machine = machines::named(value)?,
            "pages" => {
                self.pages = match value {
                    "process" => PageSource::Process,
                    "sums" => PageSource::Sums,
                    "4k" => PageSource::Small,
                    "2m" => PageSource::Huge,
                    _ => return None,
                }
            }
            "children" => self.children = yes_or_no(value)?,
            _ => return None,
        }
        Some(())
    }
}

fn yes_or_no(value: &str) -> Option<bool> {
    match value {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn numbers(value: &str) -> Option<Vec<u32>> {
    let numbers: Option<Vec<u32>> = value.split(',').map(|number| number.parse().ok()).collect();
    numbers.filter(|numbers| numbers.len() <= 4)
}
