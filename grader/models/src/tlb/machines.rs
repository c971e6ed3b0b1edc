//! The machines by name.
//!
//! Makers publish sizes and ways, but neither how a set is chosen nor what makes room: the model takes
//! the page's number modulo the sets, and true LRU. They publish nothing of the walkers' caches
//! either; those numbers decide how many levels a walk reads, never whether there is a walk.

use super::{Index, Level, Machine, PageSize, Policy, TlbArray, WalkCache};
use crate::trace::AccessKind::{Fetch, Load, Store};

const DATA: &[crate::trace::AccessKind] = &[Load, Store];
const ALL_KINDS: &[crate::trace::AccessKind] = &[Load, Store, Fetch];
const ALL_SIZES: &[PageSize] = &PageSize::ALL;
const SMALL: &[PageSize] = &[PageSize::Small];
const HUGE: &[PageSize] = &[PageSize::Huge];
const GIANT: &[PageSize] = &[PageSize::Giant];
const SMALL_AND_HUGE: &[PageSize] = &[PageSize::Small, PageSize::Huge];

const ZEN4_GUIDE: &str = "AMD, Software Optimization Guide for the Zen 4 Microarchitecture (57647), \
                          sections on the instruction fetch and load-store translation buffers";
const INTEL_MANUAL: &str = "Intel 64 and IA-32 Architectures Optimization Reference Manual, TLB \
                            parameters of the microarchitecture";
const STORE_MANUAL: &str = "Intel 64 and IA-32 Architectures Optimization Reference Manual, Golden \
                            Cove: a first-level TLB of its own for stores";
const ASSUMED: &str = "assumed: not published; of the order that reverse engineering finds (van \
                       Schaik and others, RevAnC, EuroSec 2017)";

/// An array without a hash and with true LRU, as all of this file are.
const fn array(
    level: Level,
    kinds: &'static [crate::trace::AccessKind],
    sizes: &'static [PageSize],
    (entries, ways): (u32, u32),
    source: &'static str,
) -> TlbArray {
    TlbArray {
        level,
        kinds,
        sizes,
        entries,
        ways,
        index: Index::Modulo,
        policy: Policy::Lru,
        source,
    }
}

/// AMD Zen 4: fully associative first-level arrays for all page sizes; the second level apart for
/// instructions and data.
pub const ZEN4: Machine<'static> = Machine {
    name: "zen4",
    title: "AMD Zen 4",
    arrays: &[
        array(Level::First, &[Fetch], ALL_SIZES, (64, 64), ZEN4_GUIDE),
        array(Level::First, DATA, ALL_SIZES, (72, 72), ZEN4_GUIDE),
        array(
            Level::Second,
            &[Fetch],
            SMALL_AND_HUGE,
            (512, 8),
            ZEN4_GUIDE,
        ),
        array(Level::Second, DATA, SMALL_AND_HUGE, (3072, 24), ZEN4_GUIDE),
    ],
    splits_giant_pages: true,
    walk_caches: &[WalkCache {
        levels: &[21, 30, 39],
        entries: 64,
        source: ASSUMED,
    }],
};

/// Intel Golden Cove: first-level arrays apart by page size, and one for stores; the second level
/// shared by everything.
pub const GOLDEN_COVE: Machine<'static> = Machine {
    name: "golden-cove",
    title: "Intel Golden Cove",
    arrays: &[
        array(Level::First, &[Fetch], SMALL, (256, 8), INTEL_MANUAL),
        array(Level::First, &[Fetch], HUGE, (32, 8), INTEL_MANUAL),
        array(Level::First, &[Load], SMALL, (96, 6), INTEL_MANUAL),
        array(Level::First, &[Load], HUGE, (32, 4), INTEL_MANUAL),
        array(Level::First, &[Load], GIANT, (8, 8), INTEL_MANUAL),
        array(Level::First, &[Store], ALL_SIZES, (16, 16), STORE_MANUAL),
        array(
            Level::Second,
            ALL_KINDS,
            ALL_SIZES,
            (2048, 16),
            INTEL_MANUAL,
        ),
    ],
    splits_giant_pages: false,
    walk_caches: INTEL_WALK_CACHES,
};

/// Intel Skylake: first-level arrays apart by page size; the second level shared by instructions and
/// data, apart for 1 GB pages.
pub const SKYLAKE: Machine<'static> = Machine {
    name: "skylake",
    title: "Intel Skylake",
    arrays: &[
        array(Level::First, &[Fetch], SMALL, (128, 8), INTEL_MANUAL),
        array(Level::First, &[Fetch], HUGE, (8, 8), INTEL_MANUAL),
        array(Level::First, DATA, SMALL, (64, 4), INTEL_MANUAL),
        array(Level::First, DATA, HUGE, (32, 4), INTEL_MANUAL),
        array(Level::First, DATA, GIANT, (4, 4), INTEL_MANUAL),
        array(
            Level::Second,
            ALL_KINDS,
            SMALL_AND_HUGE,
            (1536, 12),
            INTEL_MANUAL,
        ),
        array(Level::Second, ALL_KINDS, GIANT, (16, 4), INTEL_MANUAL),
    ],
    splits_giant_pages: false,
    walk_caches: INTEL_WALK_CACHES,
};

const INTEL_WALK_CACHES: &[WalkCache] = &[
    WalkCache {
        levels: &[21],
        entries: 32,
        source: ASSUMED,
    },
    WalkCache {
        levels: &[30],
        entries: 4,
        source: ASSUMED,
    },
    WalkCache {
        levels: &[39],
        entries: 2,
        source: ASSUMED,
    },
];

/// All of them.
pub const MACHINES: &[Machine<'static>] = &[ZEN4, GOLDEN_COVE, SKYLAKE];

/// The machine of that name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Machine<'static>> {
    MACHINES.iter().find(|machine| machine.name == name)
}
