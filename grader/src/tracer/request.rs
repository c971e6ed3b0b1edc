//! What to measure.

use std::ffi::OsString;

/// Which of the tool's analyses runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// Instructions only.
    Count,
    /// Distinct units per interval.
    Footprint {
        /// Instructions per interval, at least 1; `None` for one interval over the whole run.
        interval: Option<u64>,
        /// log2 of the unit's size in bytes, at most 30.
        unit_shift: u32,
        /// Whether each thread gets rows of its own.
        per_thread: bool,
    },
    /// Reuse distances.
    Reuse {
        /// Whether distances count distinct addresses instead of lines.
        in_locations: bool,
        /// How many accesses to list one by one, from the first on.
        list: usize,
        /// How many loads and stores to report, worst first; 0 for none, which is faster.
        sites: usize,
        /// Cache sizes in lines for which misses are counted, at most four; the first ranks sites.
        caches_lines: Vec<u32>,
    },
    /// The executed instructions of the function that [`Request::function`] names.
    Trace {
        /// Calls of the function to let pass first.
        skip_calls: u64,
        /// Instructions inside the function to let pass then.
        skip_instructions: u64,
        /// Instructions to record at most.
        limit: u64,
        /// Whether instructions are named by source lines, which takes time.
        names: bool,
    },
    /// TLB misses and page walks.
    Tlb {
        /// Name of the core whose TLBs are modelled.
        machine: &'static str,
        /// Where page sizes come from.
        pages: PageSource,
        /// Instructions per interval of the working set, at least 1; `None` for none.
        interval: Option<u64>,
        /// How many instructions to report, those with most walks first; 0 for none, which is faster.
        sites: usize,
    },
}

/// Where the page sizes of a TLB measurement come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSource {
    /// The process's own page tables.
    Process,
    /// Sums of huge pages in `smaps`, which is what is used if the kernel knows no better.
    Sums,
    /// All pages are taken as 4 KB.
    Small,
    /// All whole pieces of 2 MB within a mapping are taken as huge pages.
    Huge,
}

impl PageSource {
    fn option(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Sums => "sums",
            Self::Small => "4k",
            Self::Huge => "2m",
        }
    }
}

/// What to measure, and which part of the program counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The analysis.
    pub analysis: Analysis,
    /// Count only while this function runs.
    pub function: Option<String>,
    /// Whether processes that the program starts are measured too.
    pub children: bool,
    /// The program's whole environment, for runs whose counts must be the same everywhere: it lies on
    /// the stack and shifts what stands there. `None` for the current one.
    pub environment: Option<Vec<(OsString, OsString)>>,
    /// Whether memory that the kernel reads and writes for the program counts.
    pub kernel: bool,
}

impl Request {
    /// The whole program, the kernel's accesses included, without its children.
    #[must_use]
    pub fn new(analysis: Analysis) -> Self {
        Self {
            analysis,
            function: None,
            children: false,
            environment: None,
            kernel: true,
        }
    }

    /// Whether the result names source lines.
    pub(super) fn names_sources(&self) -> bool {
        matches!(
            self.analysis,
            Analysis::Reuse { sites: 1.., .. }
                | Analysis::Reuse { list: 1.., .. }
                | Analysis::Trace { names: true, .. }
                | Analysis::Tlb { sites: 1.., .. }
        )
    }

    /// The tool's options.
    pub(super) fn options(&self) -> Vec<OsString> {
        let mut options = match &self.analysis {
            Analysis::Count => vec!["--analysis=count".to_owned()],
            Analysis::Footprint {
                interval,
                unit_shift,
                per_thread,
            } => vec![
                "--analysis=footprint".to_owned(),
                format!("--interval={}", interval.unwrap_or(u64::MAX)),
                format!("--unit-shift={unit_shift}"),
                format!("--per-thread={}", yes_or_no(*per_thread)),
            ],
            Analysis::Reuse {
                in_locations,
                list,
                sites,
                caches_lines,
            } => {
                let sizes: Vec<String> = caches_lines.iter().map(u32::to_string).collect();
                vec![
                    "--analysis=reuse".to_owned(),
                    format!("--in-locations={}", yes_or_no(*in_locations)),
                    format!("--list={list}"),
                    format!("--cache-lines={}", sizes.join(",")),
                    format!("--per-site={}", yes_or_no(*sites > 0)),
                    format!("--sites={sites}"),
                ]
            }
            Analysis::Trace {
                skip_calls,
                skip_instructions,
                limit,
                names,
            } => vec![
                "--analysis=trace".to_owned(),
                format!("--skip-calls={skip_calls}"),
                format!("--skip-instructions={skip_instructions}"),
                format!("--trace-limit={limit}"),
                format!("--names={}", yes_or_no(*names)),
            ],
            Analysis::Tlb {
                machine,
                pages,
                interval,
                sites,
            } => vec![
                "--analysis=tlb".to_owned(),
                format!("--machine={machine}"),
                format!("--pages={}", pages.option()),
                format!("--interval={}", interval.unwrap_or(u64::MAX)),
                format!("--per-site={}", yes_or_no(*sites > 0)),
                format!("--sites={sites}"),
            ],
        };
        options.push(format!("--kernel={}", yes_or_no(self.kernel)));
        options.push(format!("--children={}", yes_or_no(self.children)));
        options.push(format!("--trace-children={}", yes_or_no(self.children)));
        if let Some(function) = &self.function {
            options.push(format!("--function={function}"));
        }
        options.into_iter().map(OsString::from).collect()
    }
}

fn yes_or_no(choice: bool) -> &'static str {
    if choice { "yes" } else { "no" }
}
