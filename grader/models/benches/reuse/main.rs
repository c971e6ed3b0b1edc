//! Millions of references per second of the reuse model and of two ways to do without it.
//!
//!     cargo bench -p models --bench reuse
//!
//! All are given the same addresses in turn and must find the same distances; seconds are of CPU
//! time. The rivals find the distance of the line alone and look lines up in the standard hash map.
//! Ours finds both kinds of distance, and where it says so keeps the histograms too.
#![expect(
    clippy::disallowed_types,
    reason = "the rivals use what their authors would"
)]
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod fenwick;
mod skip_list;
mod trace;

use std::collections::HashMap;
use std::hint::black_box;

use models::reuse::{LINE_BYTES, Lines, ReuseDistance, ReuseProfile, SiteId};

use crate::fenwick::Fenwick;
use crate::skip_list::SkipList;
use crate::trace::{Access, Trace};

/// Runs of each fast contestant; the list, slow, runs once.
const RUNS: usize = 3;
/// Nodes between two skip pointers of the list.
const SPACINGS: [u32; 2] = [100, 500];
/// Lines of the caches that misses are counted for: 32 KiB, 1 MiB, 32 MiB.
const CACHES: [u32; 3] = [512, 16_384, 524_288];

/// A contestant: what it is called and a run that returns a sum of its distances.
struct Contestant<'a> {
    name: String,
    runs: usize,
    run: Box<dyn Fn() -> u64 + 'a>,
}

fn main() {
    // `cargo test` runs benches too, in a debug build: a short trace then shows that they agree.
    let measured = std::env::args().any(|argument| argument == "--bench");
    let trace = Trace::mixed(if measured { 1 } else { 64 });
    println!(
        "{} references, {} lines: {}",
        trace.accesses.len(),
        trace.distinct_lines,
        trace.description
    );
    let contestants = contestants(&trace);
    let mut seconds = vec![Vec::new(); contestants.len()];
    let mut sums = Vec::new();
    for run in 0..RUNS {
        for (contestant, seconds) in contestants.iter().zip(&mut seconds) {
            if run < contestant.runs {
                let start = cpu_seconds();
                sums.push(black_box((contestant.run)()));
                seconds.push(cpu_seconds() - start);
            }
        }
    }
    assert!(
        sums.iter().all(|&sum| sum == sums[0]),
        "they must all find the same distances: {sums:?}"
    );
    if measured {
        report(&trace, &contestants, &mut seconds);
    }
}

fn contestants(trace: &Trace) -> Vec<Contestant<'_>> {
    let ours = [
        Contestant {
            name: "ours: distances".into(),
            runs: RUNS,
            run: Box::new(|| {
                let mut engine = ReuseDistance::<Lines>::new();
                let nearest = |access: &Access| engine.access(access.address).nearest();
                trace
                    .accesses
                    .iter()
                    .filter_map(nearest)
                    .map(u64::from)
                    .sum()
            }),
        },
        Contestant {
            name: "ours: histograms and curve".into(),
            runs: RUNS,
            run: Box::new(|| {
                let mut profile = ReuseProfile::<Lines>::new(&CACHES);
                let nearest = |access: &Access| profile.access(access.address, 8).nearest();
                trace
                    .accesses
                    .iter()
                    .filter_map(nearest)
                    .map(u64::from)
                    .sum()
            }),
        },
        Contestant {
            name: "ours: histograms per site".into(),
            runs: RUNS,
            run: Box::new(|| {
                let mut profile = ReuseProfile::<Lines>::new(&CACHES);
                let distance = |access: &Access| {
                    profile
                        .access_at(SiteId(access.site), access.address, 8)
                        .nearest()
                };
                trace
                    .accesses
                    .iter()
                    .filter_map(distance)
                    .map(u64::from)
                    .sum()
            }),
        },
        Contestant {
            name: "Fenwick tree".into(),
            runs: RUNS,
            run: Box::new(|| {
                let mut lines = LineNumbers::default();
                let mut tree = Fenwick::new(trace.distinct_lines);
                let distance = |access: &Access| tree.access(lines.number(access.address));
                trace.accesses.iter().filter_map(distance).sum()
            }),
        },
    ];
    let lists = SPACINGS.map(|spacing| Contestant {
        name: format!("LRU list, skips of {spacing}"),
        runs: 1,
        run: Box::new(move || {
            let mut lines = LineNumbers::default();
            let mut list = SkipList::new(trace.distinct_lines, spacing);
            let distance = |access: &Access| list.access(lines.number(access.address));
            trace.accesses.iter().filter_map(distance).sum()
        }),
    });
    ours.into_iter().chain(lists).collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of millions")]
fn report(trace: &Trace, contestants: &[Contestant<'_>], seconds: &mut [Vec<f64>]) {
    let mut medians = Vec::new();
    for seconds in seconds {
        seconds.sort_unstable_by(f64::total_cmp);
        medians.push(seconds[seconds.len() / 2]);
    }
    println!(
        "{:<28} {:>8} {:>8} {:>12}",
        "", "seconds", "M refs/s", "ours is"
    );
    for (contestant, median) in contestants.iter().zip(&medians) {
        let rate = trace.accesses.len() as f64 / median / 1e6;
        let ratio = median / medians[0];
        println!(
            "{:<28} {median:>8.3} {rate:>8.2} {ratio:>10.1} x",
            contestant.name
        );
    }
}

/// Numbers lines from 0 in order of first use.
#[derive(Default)]
struct LineNumbers(HashMap<u64, u32>);

impl LineNumbers {
    fn number(&mut self, address: u64) -> u32 {
        let next = u32::try_from(self.0.len()).expect("a trace that fits in memory");
        *self.0.entry(address / LINE_BYTES).or_insert(next)
    }
}

/// CPU time that this thread has used.
///
/// # Panics
///
/// Where the kernel does not tell: anywhere but on Linux.
fn cpu_seconds() -> f64 {
    let path = "/proc/thread-self/schedstat";
    let text = std::fs::read_to_string(path).expect("Linux tells CPU time in /proc");
    let nanoseconds = text
        .split(' ')
        .next()
        .and_then(|field| field.parse::<f64>().ok());
    nanoseconds.expect("the first field is nanoseconds on a CPU") / 1e9
}
