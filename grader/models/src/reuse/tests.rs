//! The worked example, the archetypes, the laws, and the slow twins.

use alloc::vec::Vec;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{
    Distances, Lines, Locations, MissRatioCurve, ReuseDistance, ReuseProfile, SiteId, Unit,
    stack_walk,
};

fn fast<U: Unit>(addresses: &[u64]) -> Vec<Distances> {
    let mut engine = ReuseDistance::<U>::new();
    addresses
        .iter()
        .map(|&address| engine.access(address))
        .collect()
}

/// As `fast`, on an axis so short that almost every access compacts it.
fn compacted<U: Unit>(addresses: &[u64]) -> Vec<Distances> {
    let mut engine = ReuseDistance::<U>::with_axis(8, 2);
    addresses
        .iter()
        .map(|&address| engine.access(address))
        .collect()
}

/// `a1 b1 e1 b2 c1 d1 a2`, with a, b, c in one line and d, e in the next.
const WORKED_EXAMPLE: [u64; 7] = {
    let [a, b, c, d, e] = [0, 8, 16, 64, 72];
    [a, b, e, b, c, d, a]
};

#[test]
fn worked_example_counts_four_and_two_locations() {
    let distances = fast::<Locations>(&WORKED_EXAMPLE);
    assert_eq!(distances[6].temporal, Some(4), "a2 comes after b, c, d, e");
    assert_eq!(
        distances[5].spatial,
        Some(2),
        "d1 comes to e's line after b, c"
    );
    assert_eq!(distances[5].temporal, None, "d was never used before");
}

#[test]
fn worked_example_counts_one_other_line() {
    let distances = fast::<Lines>(&WORKED_EXAMPLE);
    assert_eq!(distances[6].temporal, Some(1));
    assert_eq!(distances[5].spatial, Some(1));
}

#[test]
fn sequential_passes_are_far_in_time_and_near_in_space() {
    let lines = 100;
    let pass: Vec<u64> = (0..lines * 8).map(|word| word * 8).collect();
    let twice: Vec<u64> = pass.iter().chain(&pass).copied().collect();
    let second = &fast::<Lines>(&twice)[pass.len()..];
    assert!(
        second
            .iter()
            .all(|distances| distances.temporal == Some(99))
    );
    let near = second
        .iter()
        .filter(|distances| distances.spatial == Some(0))
        .count();
    assert_eq!(
        near, 700,
        "seven of eight words find their line just touched"
    );
}

#[test]
fn access_across_a_line_boundary_touches_two_lines() {
    let mut profile = ReuseProfile::<Lines>::new(&[]);
    profile.access(60, 8);
    assert_eq!(profile.units(), 2);
    assert_eq!(profile.total().touches(), 2);
    assert_eq!(
        profile.access(64, 4).temporal,
        Some(0),
        "the second touch was at byte 64"
    );
}

#[test]
fn access_of_no_bytes_or_at_the_last_address_is_one_touch() {
    let mut profile = ReuseProfile::<Lines>::new(&[]);
    profile.access(60, 0);
    profile.access(u64::MAX, 8);
    assert_eq!(profile.total().touches(), 2);
    assert_eq!(profile.units(), 2);
}

#[test]
fn axis_of_normal_length_survives_many_compactions() {
    // 40 000 lines in turn: each compaction leaves an axis that is full again 16 passes later.
    let lines = 40_000;
    let mut engine = ReuseDistance::<Lines>::new();
    for round in 0..50u32 {
        for line in 0..u64::from(lines) {
            let expected = if round == 0 { None } else { Some(lines - 1) };
            assert_eq!(engine.access(line * 64).temporal, expected, "round {round}");
        }
    }
    assert_eq!(engine.units(), lines);
}

#[test]
fn memory_follows_what_is_touched_and_not_how_often() {
    let mut engine = ReuseDistance::<Lines>::new();
    let touched_bytes = 64 << 20;
    let mut pass = || {
        (0..touched_bytes).step_by(64).for_each(|address| {
            engine.access(address);
        });
        engine.memory_bytes()
    };
    pass();
    let second = pass();
    let tenth = (0..8).map(|_| pass()).last();
    assert_eq!(Some(second), tenth);
    assert!(
        second < 64 << 20,
        "{second} bytes for 64 MiB touched on multiples of eight"
    );
}

#[test]
fn sites_are_told_apart_and_sum_to_the_whole() {
    let mut profile = ReuseProfile::<Lines>::new(&[4]);
    for step in 0..1000 {
        profile.access_at(SiteId(0), step % 3 * 64, 8);
        profile.access_at(SiteId(2), (1 << 20) + step * 64, 8);
    }
    let [often, unused, once] = profile.sites() else {
        panic!("three sites")
    };
    assert_eq!(
        often.misses(0),
        1000,
        "three lines with three others in between do not fit"
    );
    assert_eq!((unused.touches(), once.misses(0)), (0, 1000));
    assert_eq!(profile.total().touches(), 2000);
    assert_eq!(profile.total().misses(0), profile.curve().misses(4));
}

/// Traces with all that matters: few lines or many, any byte of them, runs in one line.
fn traces() -> impl Strategy<Value = Vec<u64>> {
    let near = 0u64..512;
    let words = (0u64..4096).prop_map(|word| word * 8);
    let far = any::<u64>();
    let address = prop_oneof![4 => near, 4 => words, 1 => far];
    let run = (address, 1u64..5, 0u64..9);
    vec(run, 0..200).prop_map(|runs| {
        runs.into_iter()
            .flat_map(|(start, length, step)| {
                (0..length).map(move |i| start.wrapping_add(i * step))
            })
            .collect()
    })
}

/// The same traces in every run; a failure prints its trace, made as small as it gets.
fn fixed_seed() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(1970),
        failure_persistence: None,
        ..Default::default()
    }
}

proptest! {
    #![proptest_config(fixed_seed())]

    #[test]
    fn engine_and_stack_walk_agree_in_lines(trace in traces()) {
        prop_assert_eq!(&fast::<Lines>(&trace), &stack_walk::distances::<Lines>(&trace));
    }

    #[test]
    fn engine_and_stack_walk_agree_in_locations(trace in traces()) {
        prop_assert_eq!(&fast::<Locations>(&trace), &stack_walk::distances::<Locations>(&trace));
    }

    #[test]
    fn compaction_changes_no_distance(trace in traces()) {
        prop_assert_eq!(compacted::<Lines>(&trace), fast::<Lines>(&trace));
        prop_assert_eq!(compacted::<Locations>(&trace), fast::<Locations>(&trace));
    }

    #[test]
    fn histograms_with_their_cold_bins_sum_to_the_touches(trace in traces()) {
        let mut profile = ReuseProfile::<Lines>::new(&[]);
        for &address in &trace {
            profile.access(address, 1);
        }
        let total = profile.total();
        prop_assert_eq!(total.temporal().total(), trace.len() as u64);
        prop_assert_eq!(total.spatial().total(), trace.len() as u64);
        prop_assert_eq!(profile.curve().touches(), trace.len() as u64);
        prop_assert_eq!(profile.curve().cold(), u64::from(profile.units()));
    }

    #[test]
    fn curve_never_rises_and_ends_at_the_cold_misses(trace in traces()) {
        let mut curve = MissRatioCurve::new();
        for distances in fast::<Lines>(&trace) {
            curve.record(distances.nearest());
        }
        prop_assert_eq!(curve.misses(0), curve.touches());
        for size in 0..600 {
            prop_assert!(curve.misses(size) >= curve.misses(size + 1), "at {} lines", size);
        }
        prop_assert_eq!(curve.misses(u32::MAX), curve.cold());
        let sizes = curve.sizes();
        prop_assert_eq!(sizes.last().map(|&size| curve.misses(size)), Some(curve.cold()));
    }

    #[test]
    fn curve_is_what_an_lru_cache_of_that_size_misses(trace in traces(), size in 0u32..16) {
        let mut profile = ReuseProfile::<Lines>::new(&[size]);
        for &address in &trace {
            profile.access(address, 1);
        }
        let simulated = stack_walk::lru_misses(&trace, size as usize);
        prop_assert_eq!(profile.curve().misses(size), simulated);
        prop_assert_eq!(profile.total().misses(0), simulated);
    }
}
