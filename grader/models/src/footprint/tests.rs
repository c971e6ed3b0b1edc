use super::{Footprint, naive::NaiveFootprint};
use crate::trace::{Access, AccessKind};
use alloc::vec::Vec;
use proptest::prelude::*;

const LINE_SHIFT: u32 = 6;

fn access(address: u64, size_bytes: u32, kind: AccessKind) -> Access {
    Access {
        address,
        size_bytes,
        kind,
        instruction: 0,
    }
}

#[test]
fn line_touched_often_counts_once() {
    let mut footprint = Footprint::new(LINE_SHIFT);
    for offset in 0..64 {
        footprint.access(&access(0x4000 + offset, 1, AccessKind::Load));
    }
    let touched = footprint.end_interval();
    assert_eq!((touched.load(), touched.any(), touched.new), (1, 1, 1));
}

#[test]
fn line_loaded_and_stored_shows_in_both_inclusive_columns_and_in_one_exclusive_column() {
    let mut footprint = Footprint::new(LINE_SHIFT);
    footprint.access(&access(0x4000, 8, AccessKind::Load));
    footprint.access(&access(0x4008, 8, AccessKind::Store));
    let touched = footprint.end_interval();
    assert_eq!((touched.load(), touched.store()), (1, 1));
    assert_eq!((touched.load_only(), touched.store_only()), (0, 0));
    assert_eq!((touched.load_store(), touched.any()), (1, 1));
}

#[test]
fn line_touched_in_two_intervals_is_new_in_the_first_only() {
    let mut footprint = Footprint::new(LINE_SHIFT);
    footprint.access(&access(0x4000, 8, AccessKind::Load));
    assert_eq!(footprint.end_interval().new, 1);
    footprint.access(&access(0x4000, 8, AccessKind::Store));
    let second = footprint.end_interval();
    assert_eq!((second.store(), second.new), (1, 0));
    assert_eq!(footprint.total().any(), 1);
}

#[test]
fn page_unit_counts_pages() {
    let mut footprint = Footprint::new(12);
    footprint.range(0x1fff, 2, AccessKind::Store);
    assert_eq!(footprint.end_interval().store(), 2);
}

fn any_access() -> impl Strategy<Value = Access> {
    // Two far-apart regions, so that chunks differ, and offsets that cross lines and chunks.
    let address = prop_oneof![
        0x3f_ff00u64..0x40_0100,
        0x7fff_ff00_0000u64..0x7fff_ff00_0400,
        Just(u64::MAX - 3),
    ];
    let kind = prop::sample::select(AccessKind::ALL.as_slice());
    (address, 0u32..200, kind).prop_map(|(address, bytes, kind)| access(address, bytes, kind))
}

fn intervals() -> impl Strategy<Value = Vec<Vec<Access>>> {
    prop::collection::vec(prop::collection::vec(any_access(), 0..60), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: prop::test_runner::RngSeed::Fixed(0x5eed), ..ProptestConfig::default() })]

    #[test]
    fn chunks_and_sets_agree(intervals in intervals(), unit_shift in 0u32..13) {
        let mut fast = Footprint::new(unit_shift);
        let mut slow = NaiveFootprint::new(unit_shift);
        for interval in &intervals {
            for access in interval {
                fast.access(access);
                slow.access(access);
            }
            prop_assert_eq!(fast.end_interval(), slow.end_interval());
            prop_assert_eq!(*fast.total(), slow.total());
        }
    }

    #[test]
    fn running_out_of_interval_numbers_changes_nothing(
        intervals in intervals(),
        last_epoch in 2u32..5,
    ) {
        let mut few = Footprint::with_last_epoch(LINE_SHIFT, last_epoch);
        let mut many = Footprint::new(LINE_SHIFT);
        for interval in &intervals {
            for access in interval {
                few.access(access);
                many.access(access);
            }
            prop_assert_eq!(few.end_interval(), many.end_interval());
            prop_assert_eq!(few.total(), many.total());
        }
    }

    #[test]
    fn new_units_add_up_to_the_total_and_columns_to_the_interval(intervals in intervals()) {
        let mut footprint = Footprint::new(LINE_SHIFT);
        let mut new = 0;
        for interval in &intervals {
            for access in interval {
                footprint.access(access);
            }
            let touched = footprint.end_interval();
            new += touched.new;
            let columns = touched.load_only() + touched.store_only() + touched.load_store()
                + touched.code_only() + touched.code_load() + touched.code_store()
                + touched.code_load_store();
            prop_assert_eq!(columns, touched.any());
            prop_assert!(touched.new <= touched.any());
        }
        prop_assert_eq!(new, footprint.total().any());
        prop_assert_eq!(new, footprint.total().new);
    }
}
