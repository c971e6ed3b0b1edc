//! The reuse distances of a run, as data.

use super::{
    caches::Cache,
    source_line::{SourceLine, source_line},
};
use crate::tracer::{
    Outcome,
    result_file::{Access, Distances, ProcessResult, Site},
};
use serde::Serialize;
use std::{
    cmp::Reverse,
    path::{Path, PathBuf},
};

/// One bin of a histogram. Distances are in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Smallest distance of the bin.
    pub first: u64,
    /// Largest distance of the bin.
    pub last: u64,
    /// Accesses with such a distance.
    pub accesses: u64,
}

/// A histogram of reuse distances, in bins that double.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Histogram {
    /// Bins by ascending distance, without the empty ones at the end.
    pub bins: Vec<Bin>,
    /// Accesses without an earlier use of that kind.
    pub first_use: u64,
}

/// Expected misses of a fully associative LRU cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CacheMisses {
    /// The cache.
    #[serde(flatten)]
    pub cache: Cache,
    /// Accesses expected to miss it.
    pub misses: u64,
}

/// A point of the miss ratio curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CurvePoint {
    /// Size of the cache.
    pub size_bytes: u64,
    /// Accesses expected to miss it.
    pub misses: u64,
}

/// The loads, or the stores, of one source line; or one instruction without a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Load {
    /// `load` or `store`.
    pub kind: &'static str,
    /// Addresses of its instructions in the process, worst first: a compiler may copy a load.
    pub instructions: Vec<u64>,
    /// Function and line.
    #[serde(flatten)]
    pub source: SourceLine,
    /// Accesses.
    pub accesses: u64,
    /// Expected misses of each cache of the report, in the same order.
    pub misses: Vec<u64>,
    /// Distances to the last use of the same address.
    pub temporal: Histogram,
    /// Distances to the last use of another address of the same line.
    pub spatial: Histogram,
}

/// One access of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedAccess {
    /// `load` or `store`.
    pub kind: &'static str,
    /// First byte touched.
    pub address: u64,
    /// Bytes touched.
    pub size_bytes: u64,
    /// Distance to the last use of the same address, if there was one.
    pub temporal: Option<u32>,
    /// Distance to the last use of another address of the same line, if there was one.
    pub spatial: Option<u32>,
    /// Function and line.
    #[serde(flatten)]
    pub source: SourceLine,
}

/// What the request said, as far as the report repeats it.
#[derive(Clone, Debug)]
pub struct ReuseSettings {
    /// The function that measuring was limited to.
    pub function: Option<String>,
    /// The caches that misses are counted for.
    pub caches: Vec<Cache>,
    /// Whether distances count distinct addresses instead of lines.
    pub in_locations: bool,
    /// How many loads and stores to show.
    pub loads: usize,
    /// Whether the instructions of a source line are taken together.
    pub by_line: bool,
    /// Source files below this folder are named relative to it.
    pub here: PathBuf,
}

/// The reuse distances of one process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReuseReport {
    /// What was run.
    pub command: String,
    /// Process number.
    pub pid: u32,
    /// The function that measuring was limited to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Whether the program was measured to its own end.
    pub complete: bool,
    /// What the reader of the numbers should know.
    pub notes: Vec<String>,
    /// Instructions counted.
    pub instructions: u64,
    /// Loads and stores, one for each line that they touch.
    pub accesses: u64,
    /// What distances count: `lines`, or `locations`, which are distinct addresses.
    pub distances_in: &'static str,
    /// Distinct lines touched; distinct addresses if distances count those.
    pub units: u64,
    /// Distances to the last use of the same address.
    pub temporal: Histogram,
    /// Distances to the last use of another address of the same line.
    pub spatial: Histogram,
    /// The caches that were asked about.
    pub caches: Vec<CacheMisses>,
    /// Misses against the cache's size, ascending.
    pub curve: Vec<CurvePoint>,
    /// The loads and stores expected to miss the first cache most, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<Load>,
    /// The first accesses one by one, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub list: Vec<ListedAccess>,
    /// Reports of the processes that the program started, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<ReuseReport>,
}

impl ReuseReport {
    /// The report of a run.
    #[must_use]
    pub fn new(outcome: &Outcome, settings: &ReuseSettings) -> Self {
        let of = |process: &ProcessResult| Self::of(process, outcome, settings);
        let mut reports = outcome.processes.iter().map(of);
        let main = reports
            .next()
            .unwrap_or_else(|| of(&ProcessResult::default()));
        Self {
            notes: outcome.notes(),
            children: reports.collect(),
            ..main
        }
    }

    fn of(process: &ProcessResult, outcome: &Outcome, settings: &ReuseSettings) -> Self {
        let end = process.end.as_ref();
        let reuse = process.reuse.as_ref();
        let misses = reuse.map_or(&[][..], |reuse| &reuse.misses);
        let caches = settings
            .caches
            .iter()
            .zip(misses)
            .map(|(cache, &misses)| CacheMisses {
                cache: cache.clone(),
                misses,
            });
        let curve = reuse.map_or(&[][..], |reuse| &reuse.curve).iter();
        let curve = curve.map(|&(lines, misses)| CurvePoint {
            size_bytes: lines * super::sizes::LINE_BYTES,
            misses,
        });
        Self {
            command: outcome.command.clone(),
            pid: process.pid,
            function: settings.function.clone(),
            complete: outcome.ending.is_complete() && end.is_some(),
            notes: Vec::new(),
            instructions: end.map_or(0, |end| end.instructions),
            accesses: reuse.map_or(0, |reuse| reuse.touches),
            distances_in: if settings.in_locations {
                "locations"
            } else {
                "lines"
            },
            units: reuse.map_or(0, |reuse| reuse.units),
            temporal: Histogram::of(reuse.map(|reuse| &reuse.temporal)),
            spatial: Histogram::of(reuse.map(|reuse| &reuse.spatial)),
            caches: caches.collect(),
            curve: curve.collect(),
            loads: loads(process, settings),
            list: process
                .accesses
                .iter()
                .map(|access| ListedAccess::of(access, &settings.here))
                .collect(),
            children: Vec::new(),
        }
    }
}

impl Histogram {
    fn of(distances: Option<&Distances>) -> Self {
        let Some(distances) = distances else {
            return Self::default();
        };
        let bins = distances.bins.iter();
        let bins = bins.map(|&(first, last, accesses)| Bin {
            first,
            last,
            accesses,
        });
        Self {
            bins: bins.collect(),
            first_use: distances.cold,
        }
    }

    /// Adds another histogram; both have the same bins, one perhaps more of them.
    fn merge(&mut self, other: &Self) {
        self.first_use += other.first_use;
        let known = self.bins.len();
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.accesses += more.accesses;
        }
        self.bins.extend(other.bins.iter().skip(known));
    }

    /// All accesses, those without an earlier use included.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.first_use + self.bins.iter().map(|bin| bin.accesses).sum::<u64>()
    }
}

impl ListedAccess {
    fn of(access: &Access, here: &Path) -> Self {
        Self {
            kind: kind(access.store),
            address: access.address,
            size_bytes: access.size_bytes,
            temporal: access.temporal,
            spatial: access.spatial,
            source: source_line(&access.frames, access.instruction, None, here),
        }
    }
}

fn kind(is_store: bool) -> &'static str {
    if is_store { "store" } else { "load" }
}

/// The worst loads and stores of a process.
fn loads(process: &ProcessResult, settings: &ReuseSettings) -> Vec<Load> {
    let mut loads: Vec<Load> = Vec::new();
    for site in &process.sites {
        let load = Load::of(site, &settings.here);
        let same = |known: &&mut Load| settings.by_line && known.is_same_line(&load);
        match loads.iter_mut().find(same) {
            Some(known) => known.merge(&load),
            None => loads.push(load),
        }
    }
    loads.sort_by_key(|load| Reverse((load.misses.first().copied(), load.accesses)));
    loads.truncate(settings.loads);
    loads
}

impl Load {
    fn of(site: &Site, here: &Path) -> Self {
        Self {
            kind: kind(site.store),
            instructions: vec![site.address],
            source: source_line(
                &site.frames,
                site.object_address.unwrap_or(site.address),
                site.object.as_deref(),
                here,
            ),
            accesses: site.touches,
            misses: site.misses.clone(),
            temporal: Histogram::of(Some(&site.temporal)),
            spatial: Histogram::of(Some(&site.spatial)),
        }
    }

    fn is_same_line(&self, other: &Self) -> bool {
        self.kind == other.kind && self.source.line.is_some() && self.source == other.source
    }

    fn merge(&mut self, other: &Self) {
        self.instructions.extend(&other.instructions);
        self.accesses += other.accesses;
        for (misses, more) in self.misses.iter_mut().zip(&other.misses) {
            *misses += more;
        }
        self.temporal.merge(&other.temporal);
        self.spatial.merge(&other.spatial);
    }
}
