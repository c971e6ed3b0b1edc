//! The reuse distances of a run, as data.

use super::{
    caches::Cache,
    source_line::{SourceLine, source_line},
};
use crate::tracer::{
    Outcome,
    result_file::{Distances, ProcessResult, Site},
};
use serde::Serialize;
use std::path::Path;

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

/// One load or store instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Load {
    /// `load` or `store`.
    pub kind: &'static str,
    /// Where the instruction stands in the process.
    pub address: u64,
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
    /// Distinct lines touched.
    pub lines: u64,
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
    /// Reports of the processes that the program started, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<ReuseReport>,
}

impl ReuseReport {
    /// The report of a run for `caches`; source files below `here` are named relative to it.
    #[must_use]
    pub fn new(outcome: &Outcome, function: Option<&str>, caches: &[Cache], here: &Path) -> Self {
        let of = |process: &ProcessResult| Self::of(process, outcome, function, caches, here);
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

    fn of(
        process: &ProcessResult,
        outcome: &Outcome,
        function: Option<&str>,
        caches: &[Cache],
        here: &Path,
    ) -> Self {
        let end = process.end.as_ref();
        let reuse = process.reuse.as_ref();
        let misses = reuse.map_or(&[][..], |reuse| &reuse.misses);
        let caches = caches
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
            function: function.map(str::to_owned),
            complete: outcome.ending.is_complete() && end.is_some(),
            notes: Vec::new(),
            instructions: end.map_or(0, |end| end.instructions),
            accesses: reuse.map_or(0, |reuse| reuse.touches),
            lines: reuse.map_or(0, |reuse| reuse.lines),
            temporal: Histogram::of(reuse.map(|reuse| &reuse.temporal)),
            spatial: Histogram::of(reuse.map(|reuse| &reuse.spatial)),
            caches: caches.collect(),
            curve: curve.collect(),
            loads: process
                .sites
                .iter()
                .map(|site| Load::of(site, here))
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

    /// All accesses, those without an earlier use included.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.first_use + self.bins.iter().map(|bin| bin.accesses).sum::<u64>()
    }
}

impl Load {
    fn of(site: &Site, here: &Path) -> Self {
        Self {
            kind: if site.store { "store" } else { "load" },
            address: site.address,
            source: source_line(&site.frames, site.address, site.object.as_deref(), here),
            accesses: site.touches,
            misses: site.misses.clone(),
            temporal: Histogram::of(Some(&site.temporal)),
            spatial: Histogram::of(Some(&site.spatial)),
        }
    }
}
