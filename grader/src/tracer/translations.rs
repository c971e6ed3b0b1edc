//! TLB misses and page walks, as the tool's result file has them.

use serde::{Deserialize, Serialize};

/// Counts of one side and one page size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Tally {
    /// Pages accessed: one for each access, two for one that reaches into a second page.
    pub accesses: u64,
    /// Accesses that the first level could not translate.
    pub l1_misses: u64,
    /// Accesses that no level could translate.
    pub walks: u64,
    /// Entries of the page tables that the walks read.
    pub levels_read: u64,
}

/// Counts by page size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct BySize {
    /// Pages of 4 KB.
    #[serde(rename = "4k", default)]
    pub small: Tally,
    /// Pages of 2 MB.
    #[serde(rename = "2m", default)]
    pub huge: Tally,
    /// Pages of 1 GB.
    #[serde(rename = "1g", default)]
    pub giant: Tally,
}

/// Counts by side and page size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct BySide {
    /// Loads and stores.
    pub data: BySize,
    /// Instruction fetches.
    pub instruction: BySize,
}

/// A mapping that was accessed. All of a file's mappings with the same rights are one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Mapping {
    /// The file's path, a name such as `[stack]`, or empty.
    pub name: String,
    /// Rights as `/proc/self/maps` prints them.
    pub rights: String,
    /// First byte.
    pub start: u64,
    /// The byte after the last.
    pub end: u64,
    /// What was counted in it.
    #[serde(flatten)]
    pub counts: BySide,
}

/// An instruction whose accesses missed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct MissingSite {
    /// `load`, `store` or `fetch`.
    pub kind: String,
    /// Where the instruction stands in the process.
    pub address: u64,
    /// The file that it was mapped from.
    pub object: Option<String>,
    /// Where the file's own symbol table and disassembly have it.
    pub object_address: Option<u64>,
    /// Innermost inlined function first: `name (file:line)`, or `name (in object)`, or `???`.
    pub frames: Vec<String>,
    /// Its accesses that the first level could not translate.
    pub l1_misses: u64,
    /// Its accesses that no level could translate.
    pub walks: u64,
}

/// Distinct pages used in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct WorkingSet {
    /// Number of the interval's first instruction.
    pub start: u64,
    /// Pages loaded from or stored to: of 4 KB, 2 MB and 1 GB.
    pub data: [u64; 3],
    /// Pages fetched from: of 4 KB, 2 MB and 1 GB.
    pub instruction: [u64; 3],
}

/// All translations of a process.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Translations {
    /// Name of the core whose TLBs were modelled.
    pub machine: String,
    /// How page sizes were found out: `pagemap scan`, `smaps sums`, `assumed 4k`, `assumed 2m`, or
    /// `unreadable` if they were not, and all were taken as 4 KB.
    pub pages: String,
    /// All counts together.
    #[serde(flatten)]
    pub counts: BySide,
    /// The mappings that were accessed, in the order of their first access.
    #[serde(skip)]
    pub mappings: Vec<Mapping>,
    /// The instructions with most walks, if they were asked for.
    #[serde(skip)]
    pub sites: Vec<MissingSite>,
    /// The working set over time, if it was asked for.
    #[serde(skip)]
    pub working_sets: Vec<WorkingSet>,
}

/// What [`Translations::pages`] says if the kernel told nothing of page sizes.
const UNREADABLE: &str = "unreadable";

impl Translations {
    /// Whether the process's page sizes could be found out.
    #[must_use]
    pub fn knows_sizes(&self) -> bool {
        self.pages != UNREADABLE
    }
}

impl Tally {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            accesses: self.accesses + other.accesses,
            l1_misses: self.l1_misses + other.l1_misses,
            walks: self.walks + other.walks,
            levels_read: self.levels_read + other.levels_read,
        }
    }
}

impl BySize {
    /// All page sizes together.
    #[must_use]
    pub fn total(&self) -> Tally {
        self.small.plus(self.huge).plus(self.giant)
    }

    /// The page sizes with their names, ascending.
    #[must_use]
    pub fn sizes(&self) -> [(&'static str, Tally); 3] {
        [("4k", self.small), ("2m", self.huge), ("1g", self.giant)]
    }
}
