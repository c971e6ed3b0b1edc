//! The translations of a run, as data.

use super::source_line::{SourceLine, source_line};
use crate::tracer::{
    Outcome,
    result_file::ProcessResult,
    translations::{BySide, BySize, MissingSite, Tally, WorkingSet},
};
use serde::Serialize;
use std::{
    cmp::Reverse,
    path::{Path, PathBuf},
};

/// What to know when the kernel told nothing of page sizes.
pub const UNKNOWN_SIZES: &str = "looked for the process's page sizes in /proc/self/pagemap and \
     /proc/self/smaps, and neither may be read here: all pages were taken as 4 KB. Run it where /proc \
     is mounted and readable, or say --pages 4k or --pages 2m";

/// What the rows of the report are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Mappings of the process.
    Mapping,
    /// Functions, with what they call inlined.
    Function,
    /// Loads and stores.
    Load,
}

/// What the report says beside the measurement.
#[derive(Clone, Debug)]
pub struct TlbSettings {
    /// The function that measuring was limited to.
    pub function: Option<String>,
    /// What the rows are.
    pub by: By,
    /// Folder that paths are shown relative to.
    pub here: PathBuf,
}

/// Counts of one side: all together, and by page size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SideCounts {
    /// All page sizes together.
    #[serde(flatten)]
    pub total: Tally,
    /// Each page size by itself.
    pub by_page_size: BySize,
}

/// A mapping and what was counted in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MappingCounts {
    /// The file's path, a name such as `[stack]`, or empty for anonymous memory.
    pub name: String,
    /// Rights as `/proc/PID/maps` prints them.
    pub rights: String,
    /// First byte.
    pub start: u64,
    /// The byte after the last.
    pub end: u64,
    /// Loads and stores.
    pub data: SideCounts,
    /// Instruction fetches.
    pub instruction: SideCounts,
}

/// Misses of a function, or of the loads or stores of a source line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Misses {
    /// `load`, `store` or `fetch`; `None` for all of a function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Where.
    #[serde(flatten)]
    pub source: SourceLine,
    /// Accesses that the first level could not translate.
    pub l1_misses: u64,
    /// Loads and stores that no level could translate.
    pub data_walks: u64,
    /// Fetches that no level could translate.
    pub instruction_walks: u64,
}

/// TLB misses and page walks of a program.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TlbReport {
    /// The program and its arguments.
    pub command: String,
    /// The process's number.
    pub pid: u32,
    /// The function that measuring was limited to.
    pub function: Option<String>,
    /// Whether the program was measured to its end.
    pub complete: bool,
    /// What the user should know about the numbers.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// Instructions executed.
    pub instructions: u64,
    /// Name of the core whose TLBs were modelled.
    pub machine: String,
    /// How page sizes were found out: `pagemap scan`, `smaps sums`, `assumed 4k` or `assumed 2m`.
    pub page_sizes: String,
    /// Walks of both sides in 1000 instructions.
    pub walks_per_1000_instructions: f64,
    /// Loads and stores.
    pub data: SideCounts,
    /// Instruction fetches.
    pub instruction: SideCounts,
    /// Mappings, those with most walks first.
    pub mappings: Vec<MappingCounts>,
    /// Functions, those with most walks first, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<Misses>,
    /// Loads and stores, those with most walks first, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<Misses>,
    /// Distinct pages used in each interval, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub working_set: Vec<WorkingSet>,
    /// Reports of the processes that the program started, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<TlbReport>,
}

impl From<BySize> for SideCounts {
    fn from(by_page_size: BySize) -> Self {
        Self {
            total: by_page_size.total(),
            by_page_size,
        }
    }
}

impl MappingCounts {
    /// Both sides together.
    #[must_use]
    pub fn total(&self) -> Tally {
        self.data.total.plus(self.instruction.total)
    }
}

impl Misses {
    /// Walks of both sides.
    #[must_use]
    pub fn walks(&self) -> u64 {
        self.data_walks + self.instruction_walks
    }
}

impl TlbReport {
    /// The report of a run.
    #[must_use]
    pub fn new(outcome: &Outcome, settings: &TlbSettings) -> Self {
        let of = |process: &ProcessResult| Self::of(process, outcome, settings);
        let mut reports = outcome.processes.iter().map(of);
        let main = reports
            .next()
            .unwrap_or_else(|| of(&ProcessResult::default()));
        Self {
            notes: notes(outcome),
            children: reports.collect(),
            ..main
        }
    }

    fn of(process: &ProcessResult, outcome: &Outcome, settings: &TlbSettings) -> Self {
        let end = process.end.as_ref();
        let instructions = end.map_or(0, |end| end.instructions);
        let translations = process.translations.as_ref();
        let counts = translations.map_or_else(BySide::default, |of| of.counts);
        let walks = counts.data.total().walks + counts.instruction.total().walks;
        let sites = translations.map_or(&[][..], |of| &of.sites);
        let mut mappings: Vec<MappingCounts> = translations
            .map_or(&[][..], |of| &of.mappings)
            .iter()
            .map(|mapping| MappingCounts {
                name: mapping.name.clone(),
                rights: mapping.rights.clone(),
                start: mapping.start,
                end: mapping.end,
                data: mapping.counts.data.into(),
                instruction: mapping.counts.instruction.into(),
            })
            .collect();
        mappings.retain(|mapping| mapping.total().accesses > 0);
        mappings.sort_by_key(|mapping| {
            let total = mapping.total();
            Reverse((total.walks, total.l1_misses, total.accesses))
        });
        let wanted = |by, rows: fn(&[MissingSite], &Path) -> Vec<Misses>| {
            if settings.by == by {
                rows(sites, &settings.here)
            } else {
                Vec::new()
            }
        };
        Self {
            command: outcome.command.clone(),
            pid: process.pid,
            function: settings.function.clone(),
            complete: outcome.ending.is_complete() && end.is_some(),
            notes: Vec::new(),
            instructions,
            machine: translations.map_or_else(String::new, |of| of.machine.clone()),
            page_sizes: translations.map_or_else(String::new, |of| of.pages.clone()),
            walks_per_1000_instructions: walks as f64 * 1000.0 / instructions.max(1) as f64,
            data: counts.data.into(),
            instruction: counts.instruction.into(),
            mappings,
            functions: wanted(By::Function, functions),
            loads: wanted(By::Load, loads),
            working_set: translations.map_or_else(Vec::new, |of| of.working_sets.clone()),
            children: Vec::new(),
        }
    }
}

/// How far the numbers can be trusted.
fn notes(outcome: &Outcome) -> Vec<String> {
    let mut notes = outcome.notes();
    let translations = outcome.main().translations.as_ref();
    if translations.is_some_and(|translations| !translations.knows_sizes()) {
        notes.push(UNKNOWN_SIZES.to_owned());
    }
    notes
}

/// Misses of one site, at `source`.
fn misses(site: &MissingSite, kind: Option<String>, source: SourceLine) -> Misses {
    let of = |is_wanted: bool| if is_wanted { site.walks } else { 0 };
    Misses {
        kind,
        source,
        l1_misses: site.l1_misses,
        data_walks: of(site.kind != "fetch"),
        instruction_walks: of(site.kind == "fetch"),
    }
}

/// Adds up what `same` says belongs together, most walks first.
fn grouped(
    all: impl Iterator<Item = Misses>,
    same: impl Fn(&Misses, &Misses) -> bool,
) -> Vec<Misses> {
    let mut rows: Vec<Misses> = Vec::new();
    for misses in all {
        match rows.iter_mut().find(|row| same(row, &misses)) {
            Some(row) => {
                row.l1_misses += misses.l1_misses;
                row.data_walks += misses.data_walks;
                row.instruction_walks += misses.instruction_walks;
            }
            None => rows.push(misses),
        }
    }
    rows.sort_by_key(|row| Reverse((row.walks(), row.l1_misses)));
    rows
}

/// Misses by the function that the instruction is part of, not the one that was inlined into it.
fn functions(sites: &[MissingSite], _here: &Path) -> Vec<Misses> {
    let all = sites.iter().map(|site| {
        let outermost = site.frames.last().map(std::slice::from_ref);
        let address = site.object_address.unwrap_or(site.address);
        let mut source = source_line(
            outermost.unwrap_or_default(),
            address,
            site.object.as_deref(),
            Path::new(""),
        );
        if source.function.starts_with("0x") {
            // Without symbols the object file is all that is known.
            source.function = "???".to_owned();
        }
        source.line = None;
        source.object.clone_from(&site.object);
        misses(site, None, source)
    });
    grouped(all, |a, b| a.source == b.source)
}

/// Misses of loads and stores by source line, or by instruction without one.
fn loads(sites: &[MissingSite], here: &Path) -> Vec<Misses> {
    let data = sites.iter().filter(|site| site.kind != "fetch");
    let all = data.map(|site| {
        let address = site.object_address.unwrap_or(site.address);
        let source = source_line(&site.frames, address, site.object.as_deref(), here);
        misses(site, Some(site.kind.clone()), source)
    });
    grouped(all, |a, b| a.kind == b.kind && a.source == b.source)
}
