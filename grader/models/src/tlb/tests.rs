use super::{
    Found, Index, Level, Machine, PageSize, Policy, Side, Tally, Tlb, TlbArray, TlbProfile,
    WalkCache,
    machines::{self, MACHINES, SKYLAKE, ZEN4},
    naive::NaiveTlb,
};
use crate::trace::AccessKind::{self, Fetch, Load, Store};
use alloc::{boxed::Box, vec::Vec};
use proptest::prelude::*;

const PAGE: u64 = 4096;
/// Where the tests' data lies: the start of a piece of 1 GB.
const BASE: u64 = 0x7f00_0000_0000;

/// Loads each page of `pages` once, `rounds` times over.
fn stride(machine: &Machine<'_>, size: PageSize, pages: u64, rounds: u64) -> Tally {
    let mut tlb = Tlb::new(machine);
    for _ in 0..rounds {
        for page in 0..pages {
            tlb.access(Load, BASE + page * size.bytes(), size);
        }
    }
    tlb.counts().of(Side::Data, size)
}

fn without_levels(tally: Tally) -> (u64, u64, u64) {
    (tally.accesses, tally.l1_misses, tally.walks)
}

#[test]
fn machines_have_names_of_their_own_and_no_faults() {
    for machine in MACHINES {
        assert_eq!(machine.fault(), None, "{}", machine.name);
        assert_eq!(machines::named(machine.name), Some(machine));
        for kind in AccessKind::ALL {
            for size in [PageSize::Small, PageSize::Huge] {
                for level in [Level::First, Level::Second] {
                    assert!(machine.array_for(level, kind, size).is_some());
                }
            }
        }
        assert!(machine.arrays.iter().all(|array| !array.source.is_empty()));
    }
}

#[test]
fn sequential_sweep_walks_once_for_each_page() {
    for machine in MACHINES {
        let mut tlb = Tlb::new(machine);
        for word in 0..100 * PAGE / 8 {
            tlb.access(Load, BASE + word * 8, PageSize::Small);
        }
        let tally = tlb.counts().of(Side::Data, PageSize::Small);
        assert_eq!(without_levels(tally), (51_200, 100, 100));
        // The first walk reads four levels; the others find the page directory's entry.
        assert_eq!(tally.levels_read, 4 + 99, "{}", machine.name);
    }
}

#[test]
fn pages_that_fit_the_first_level_miss_it_once_each() {
    assert_eq!(
        without_levels(stride(&ZEN4, PageSize::Small, 72, 10)),
        (720, 72, 72)
    );
    assert_eq!(
        without_levels(stride(&SKYLAKE, PageSize::Small, 64, 10)),
        (640, 64, 64)
    );
}

#[test]
fn one_page_more_than_the_first_level_holds_misses_it_always_under_lru() {
    // Fully associative: each page is needed again just after it has made room.
    assert_eq!(
        without_levels(stride(&ZEN4, PageSize::Small, 73, 10)),
        (730, 730, 73)
    );
    // 16 sets of 4 ways: only the set of the 65th page is too small, for its 5 pages.
    assert_eq!(
        without_levels(stride(&SKYLAKE, PageSize::Small, 65, 10)),
        (650, 60 + 50, 65)
    );
}

#[test]
fn pages_that_fit_the_second_level_walk_once_each() {
    assert_eq!(
        without_levels(stride(&ZEN4, PageSize::Small, 3072, 5)),
        (15_360, 15_360, 3072)
    );
    assert_eq!(
        without_levels(stride(&SKYLAKE, PageSize::Small, 1536, 5)),
        (7680, 7680, 1536)
    );
}

#[test]
fn pages_beyond_the_second_level_walk_always_under_lru() {
    // 128 sets of 24 ways: with 25 pages in each set every access walks.
    assert_eq!(stride(&ZEN4, PageSize::Small, 3200, 5).walks, 16_000);
    // With one page more than fits, only its set of 24 + 1 pages does.
    assert_eq!(
        stride(&ZEN4, PageSize::Small, 3073, 5).walks,
        3073 - 25 + 5 * 25
    );
}

#[test]
fn a_gigabyte_takes_262144_walks_a_round_in_small_pages_and_512_in_all_in_huge_ones() {
    let small = stride(&ZEN4, PageSize::Small, 262_144, 2);
    assert_eq!(small.walks, 524_288);
    let huge = stride(&ZEN4, PageSize::Huge, 512, 2);
    assert_eq!(without_levels(huge), (1024, 1024, 512));
    // A walk to a 2 MB page reads three levels, and one if the entry above is cached.
    assert_eq!(huge.levels_read, 3 + 511);
}

#[test]
fn giant_pages_of_zen4_live_as_huge_ones_in_the_second_level() {
    let mut tlb = Tlb::new(&ZEN4);
    let at = |piece: u64| BASE + piece * PageSize::Huge.bytes();
    let first = tlb.access(Load, at(0), PageSize::Giant);
    assert_eq!(first, Found::Walk { levels: 2 });
    assert_eq!(tlb.access(Load, at(1), PageSize::Giant), Found::First);
    // Each uses another 2 MB piece, so that they spread over the sets.
    let others = |tlb: &mut Tlb| {
        for page in 1..=72 {
            tlb.access(
                Load,
                at(page) + page * PageSize::Giant.bytes(),
                PageSize::Giant,
            );
        }
    };
    others(&mut tlb);
    assert_eq!(tlb.access(Load, at(0), PageSize::Giant), Found::Second);
    others(&mut tlb);
    assert_eq!(
        tlb.access(Load, at(1), PageSize::Giant),
        Found::Walk { levels: 1 }
    );
}

#[test]
fn stores_of_golden_cove_have_a_first_level_of_their_own() {
    let mut tlb = Tlb::new(&machines::GOLDEN_COVE);
    let walk = Found::Walk { levels: 4 };
    assert_eq!(tlb.access(Load, BASE, PageSize::Small), walk);
    assert_eq!(tlb.access(Store, BASE, PageSize::Small), Found::Second);
    assert_eq!(tlb.access(Store, BASE, PageSize::Small), Found::First);
    assert!(!machines::GOLDEN_COVE.loads_and_stores_share());
    assert!(ZEN4.loads_and_stores_share() && SKYLAKE.loads_and_stores_share());
}

#[test]
fn changed_mapping_is_walked_to_again_and_its_neighbour_is_not() {
    for machine in MACHINES {
        let mut tlb = Tlb::new(machine);
        tlb.access(Load, BASE, PageSize::Small);
        tlb.access(Load, BASE + PAGE, PageSize::Small);
        tlb.drop_range(BASE, BASE + PAGE - 1);
        assert_eq!(tlb.access(Load, BASE + PAGE, PageSize::Small), Found::First);
        let again = tlb.access(Load, BASE, PageSize::Small);
        // The entries of the page tables above it were dropped as well.
        assert_eq!(again, Found::Walk { levels: 4 }, "{}", machine.name);
    }
}

/// Pages at random; a generator with a fixed start.
fn random_walks(machine: &Machine<'_>, pages: u64, accesses: u64) -> (Tally, f64) {
    let mut tlb = Tlb::new(machine);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..accesses {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        tlb.access(Load, BASE + (state >> 16) % pages * PAGE, PageSize::Small);
    }
    let tally = tlb.counts().of(Side::Data, PageSize::Small);
    (tally, tally.walks as f64 / tally.accesses as f64)
}

#[test]
fn random_pages_below_each_level_miss_it_once_each() {
    let (tally, _) = random_walks(&ZEN4, 60, 100_000);
    assert_eq!(without_levels(tally), (100_000, 60, 60));
    let (tally, _) = random_walks(&ZEN4, 3072, 200_000);
    assert_eq!(tally.walks, 3072);
}

#[test]
fn random_pages_above_a_level_miss_it_by_the_share_that_does_not_fit() {
    // Under LRU with random use, the pages held are a random choice: a share of entries ÷ pages.
    for pages in [4096, 6144, 12_288, 262_144] {
        let expected = 1.0 - 3072.0 / pages as f64;
        let (_, share) = random_walks(&ZEN4, pages, 1_000_000);
        assert!((share - expected).abs() < 0.01, "{pages}: {share}");
    }
    let (tally, _) = random_walks(&ZEN4, 144, 1_000_000);
    let share = tally.l1_misses as f64 / tally.accesses as f64;
    assert!((share - 0.5).abs() < 0.01, "{share}");
}

#[test]
fn profile_adds_up_over_mappings_and_ends_intervals() {
    let mut profile = TlbProfile::new(&ZEN4, true);
    profile.access(Fetch, 0x40_0000, PageSize::Small, 0);
    profile.repeat(Fetch, PageSize::Small, 0, 9);
    for page in 0..4 {
        profile.access(Store, BASE + page * PAGE, PageSize::Small, 2);
    }
    profile.access(Load, BASE << 1, PageSize::Huge, 1);
    let set = profile.end_interval();
    assert_eq!((set.instruction, set.data), ([1, 0, 0], [4, 1, 0]));
    assert_eq!(set.pages(Side::Data), 5);
    assert_eq!(profile.end_interval().pages(Side::Data), 0);
    let total = profile.counts().total();
    assert_eq!((total.accesses, total.walks), (15, 6));
    let parts = profile.by_mapping().iter().map(|counts| counts.total());
    assert_eq!(parts.fold(Tally::default(), Tally::plus), total);
    assert!((profile.counts().walks_per_thousand(10) - 600.0).abs() < 1e-9);
}

/// A machine of random shape. Its arrays are leaked: a test makes a few hundred.
fn any_machine() -> impl Strategy<Value = Machine<'static>> {
    let policy = prop::sample::select(&[Policy::Lru, Policy::TreePseudoLru, Policy::BitPseudoLru]);
    let index = prop::sample::select(&[Index::Modulo, Index::Fold]);
    let shape = (1u32..8, 1u32..40, index, policy);
    let walk = (1u32..6, 1u32..40);
    let shapes = prop::collection::vec(shape, 6);
    (shapes, walk, any::<bool>(), any::<bool>()).prop_map(|(shapes, walk, shared, splits)| {
        let array = |level, kinds, sizes, at: usize| {
            let (sets, ways, index, policy) = shapes[at];
            TlbArray {
                level,
                kinds,
                sizes,
                entries: sets * ways,
                ways,
                index,
                policy,
                source: "the test",
            }
        };
        let small: &[PageSize] = &[PageSize::Small];
        let others: &[PageSize] = &[PageSize::Huge, PageSize::Giant];
        let held: &[PageSize] = &[PageSize::Small, PageSize::Huge];
        let mut arrays = Vec::from([
            array(Level::First, &[Fetch], &PageSize::ALL, 0),
            array(Level::First, &[Load, Store], small, 1),
            array(Level::First, &[Load], others, 2),
            array(Level::First, &[Store], others, 3),
        ]);
        if shared {
            arrays.push(array(Level::Second, &AccessKind::ALL, held, 4));
        } else {
            arrays.push(array(Level::Second, &[Fetch], held, 4));
            arrays.push(array(Level::Second, &[Load, Store], held, 5));
        }
        let cache = |levels, entries| WalkCache {
            levels,
            entries,
            source: "the test",
        };
        let caches = Box::new([cache(&[21, 39], walk.0), cache(&[30], walk.1)]);
        Machine {
            name: "any",
            title: "any",
            arrays: arrays.leak(),
            splits_giant_pages: splits,
            walk_caches: Box::leak(caches),
        }
    })
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Access(AccessKind, u64, PageSize),
    Drop(u64, u64),
}

fn any_event() -> impl Strategy<Value = Event> {
    let kind = prop::sample::select(AccessKind::ALL.as_slice());
    let size = prop::sample::select(PageSize::ALL.as_slice());
    // Pages near each other and far apart, some of them under several sizes.
    let address = prop_oneof![
        6 => (0u64..300).prop_map(|page| BASE + page * PAGE),
        3 => (0u64..40).prop_map(|page| BASE + (page << 21) + 8),
        1 => (0u64..8).prop_map(|page| BASE + (page << 36)),
    ];
    prop_oneof![
        60 => (kind, address.clone(), size).prop_map(|(k, a, s)| Event::Access(k, a, s)),
        1 => (address, 0u64..1 << 23).prop_map(|(a, bytes)| Event::Drop(a, a + bytes)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: prop::test_runner::RngSeed::Fixed(0x71b), ..ProptestConfig::default() })]

    #[test]
    fn fast_and_naive_find_every_translation_in_the_same_place(
        machine in any_machine(),
        events in prop::collection::vec(any_event(), 0..700),
    ) {
        let mut fast = Tlb::new(&machine);
        let mut slow = NaiveTlb::new(&machine);
        for event in events {
            match event {
                Event::Access(kind, address, size) => prop_assert_eq!(
                    fast.access(kind, address, size),
                    slow.access(kind, address, size)
                ),
                Event::Drop(first, last) => {
                    fast.drop_range(first, last);
                    slow.drop_range(first, last);
                }
            }
        }
        prop_assert_eq!(fast.counts(), slow.counts());
    }

    #[test]
    fn machines_agree_with_their_naive_twins(
        machine in prop::sample::select(MACHINES),
        events in prop::collection::vec(any_event(), 0..700),
    ) {
        let mut fast = Tlb::new(&machine);
        let mut slow = NaiveTlb::new(&machine);
        for event in events {
            if let Event::Access(kind, address, size) = event {
                prop_assert_eq!(
                    fast.access(kind, address, size),
                    slow.access(kind, address, size)
                );
            }
        }
    }

    #[test]
    fn lru_walks_never_rise_with_more_ways(
        pages in prop::collection::vec(0u64..200, 0..1500),
        sets in 1u32..9,
        ways in 1u32..60,
    ) {
        let walks = |ways: u32| {
            let array = |level| TlbArray {
                level,
                kinds: &AccessKind::ALL,
                sizes: &PageSize::ALL,
                entries: sets * ways,
                ways,
                index: Index::Modulo,
                policy: Policy::Lru,
                source: "the test",
            };
            let machine = Machine {
                name: "any",
                title: "any",
                arrays: &[array(Level::Second)],
                splits_giant_pages: false,
                walk_caches: &[],
            };
            let mut tlb = Tlb::new(&machine);
            for &page in &pages {
                tlb.access(Load, page * PAGE, PageSize::Small);
            }
            tlb.counts().total()
        };
        let (fewer, more) = (walks(ways), walks(ways + 1));
        prop_assert!(more.walks <= fewer.walks);
        // Without a first level every access misses it; without walk caches a walk reads 4 levels.
        prop_assert_eq!(fewer.l1_misses, fewer.accesses);
        prop_assert_eq!(fewer.levels_read, 4 * fewer.walks);
    }

    #[test]
    fn repeating_an_access_at_once_changes_nothing_but_the_count(
        machine in any_machine(),
        events in prop::collection::vec((any_event(), 0u64..3), 0..400),
    ) {
        // This is what the tracer's filter relies on.
        let mut told = Tlb::new(&machine);
        let mut spared = Tlb::new(&machine);
        for (event, repeats) in events {
            if let Event::Access(kind, address, size) = event {
                told.access(kind, address, size);
                spared.access(kind, address, size);
                for _ in 0..repeats {
                    prop_assert_eq!(told.access(kind, address, size), Found::First);
                }
                spared.repeat(kind, size, repeats);
            }
        }
        prop_assert_eq!(told.counts(), spared.counts());
    }
}
