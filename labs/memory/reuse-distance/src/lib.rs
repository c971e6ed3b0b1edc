//! The reuse distances of a trace: the analysis that predicts cache hits, to be written by you.
//!
//! An access to an address can be helped by two earlier ones: the last to the same address (its
//! *temporal* reuse) and the last to another address of the same line (its *spatial* reuse). Its
//! distance from either is the number of distinct addresses, other than its own, that were accessed
//! in between.

mod baseline;
mod distances;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;
mod trace;

pub use distances::Distances;
pub use trace::Trace;

use lab_kit::{Case, Lab, Seed};

/// Bytes of a cache line, on every x86-64 processor so far.
pub const LINE_BYTES: u32 = 64;

/// The number of the line that holds an address.
pub fn line(address: u32) -> u32 {
    address / LINE_BYTES
}

/// `reuse_distances(trace)` has one entry per access.
pub type ReuseDistances = fn(&Trace) -> Vec<Distances>;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct ReuseDistance;

impl Lab for ReuseDistance {
    type Input = Trace;
    type Output = Vec<Distances>;
    type Function = ReuseDistances;

    const BASELINE: ReuseDistances = baseline::reuse_distances;
    const SOLUTION: ReuseDistances = solution::reuse_distances;

    fn call(reuse_distances: ReuseDistances, trace: &mut Trace) -> Vec<Distances> {
        reuse_distances(trace)
    }

    fn examples() -> Vec<Case<Trace>> {
        let [a, b, c, d, e] = [0, 8, 16, 64, 72];
        let pass = Trace::sequential(0, 12, 8);
        vec![
            Case::new("a b e b c d a", Trace::new(vec![a, b, e, b, c, d, a])),
            Case::new("b a b a a", Trace::new(vec![b, a, b, a, a])),
            Case::new("two passes", pass.clone().then(pass)),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Trace>> {
        let far_apart = Trace::sequential(0, 40, 64);
        let mut cases = vec![
            Case::new("no access", Trace::new(vec![])),
            Case::new("one access", Trace::new(vec![4000])),
            Case::new("one address again and again", Trace::new(vec![8; 50])),
            Case::new(
                "one address a line, twice",
                far_apart.clone().then(far_apart),
            ),
            Case::new("lookups in a tree", Trace::tree_lookups(0, 30, 40, seed)),
        ];
        for (accesses, memory_bytes) in [(65, 256), (200, 4096), (333, 1 << 16)] {
            let name = format!("{accesses} accesses anywhere in {memory_bytes} B");
            cases.push(Case::new(
                name,
                Trace::anywhere(accesses, memory_bytes, seed),
            ));
        }
        cases
    }

    /// A program that looks things up in a tree of 1000 nodes and, in between, reads an array.
    fn metered() -> Trace {
        let seed = &mut Seed::new(1970);
        let mut trace = Trace::new(vec![]);
        for _ in 0..3 {
            let lookups = Trace::tree_lookups(1 << 15, 1000, 120, seed);
            trace = trace.then(lookups).then(Trace::sequential(0, 1000, 8));
        }
        trace
    }
}
