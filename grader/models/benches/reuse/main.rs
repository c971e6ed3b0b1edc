//! Millions of references per second of the reuse model and of two ways to do without it.
//!
//!     cargo bench -p models --bench reuse
//!
//! All run in turn over one trace; seconds are of CPU time, so a busy machine changes little. The
//! rivals find distances in lines only, and are handed lines that are numbered already, so they
//! pay for no look-up. Ours finds both kinds of distance, looks addresses up, and where it says so
//! keeps the histograms.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod fenwick;
mod skip_list;
mod trace;

use std::hint::black_box;

use models::reuse::{Lines, ReuseDistance, ReuseProfile, SiteId};

use crate::fenwick::Fenwick;
use crate::skip_list::SkipList;
use crate::trace::Trace;

/// Runs of each fast contestant; the list, minutes slow, runs once.
const RUNS: usize = 5;
/// Nodes between two skip pointers of the list.
const SPACINGS: [u32; 3] = [100, 200, 500];
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
                let nearest = |address: u64| engine.access(address).nearest();
                trace
                    .accesses
                    .iter()
                    .map(|access| access.address)
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
                let nearest = |address: u64| profile.access(address, 8).nearest();
                trace
                    .accesses
                    .iter()
                    .map(|access| access.address)
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
                let distance = |access: &trace::Access| {
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
                let mut tree = Fenwick::new(trace.distinct_lines);
                trace
                    .accesses
                    .iter()
                    .filter_map(|access| tree.access(access.line))
                    .sum()
            }),
        },
    ];
    let lists = SPACINGS.map(|spacing| Contestant {
        name: format!("LRU list, skips of {spacing}"),
        runs: 1,
        run: Box::new(move || {
            let mut list = SkipList::new(trace.distinct_lines, spacing);
            trace
                .accesses
                .iter()
                .filter_map(|access| list.access(access.line))
                .sum()
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
