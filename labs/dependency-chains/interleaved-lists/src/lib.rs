//! The totals of linked lists.

mod baseline;
mod lists;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

pub use lists::{END, Entry, Lists};

use lab_kit::{Case, Lab, Seed};

/// `totals(lists)` is, for each list in order of the heads, the sum of the amounts of its entries.
pub type Totals = fn(&Lists) -> Vec<u64>;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct InterleavedLists;

impl Lab for InterleavedLists {
    type Input = Lists;
    type Output = Vec<u64>;
    type Function = Totals;

    const BASELINE: Totals = baseline::totals;
    const SOLUTION: Totals = solution::totals;

    fn call(totals: Totals, lists: &mut Lists) -> Vec<u64> {
        totals(lists)
    }

    fn examples() -> Vec<Case<Lists>> {
        let lists = [vec![1, 2, 3], vec![], vec![40]];
        let lists = Lists::scattered(&lists, &mut Seed::new(5));
        vec![Case::new("three lists, one of them empty", lists)]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Lists>> {
        let drawn: Vec<usize> = (0..seed.between(20, 90)).map(|_| seed.below(40)).collect();
        let shapes: [(&str, Vec<usize>); 9] = [
            ("no lists", vec![]),
            ("one list without entries", vec![0]),
            ("one entry", vec![1]),
            ("one long list", vec![500]),
            ("only empty lists", vec![0; 70]),
            ("eight lists of one length", vec![30; 8]),
            (
                "a long list among short ones",
                vec![2, 1, 400, 3, 2, 0, 1, 2, 2, 1, 3],
            ),
            (
                "empty lists at both ends",
                [vec![0; 20], vec![7; 5], vec![0; 20]].concat(),
            ),
            ("lists of drawn lengths", drawn),
        ];
        shapes
            .into_iter()
            .map(|(name, lengths)| Case::new(name, Lists::random(&lengths, seed)))
            .chain([Case::new("metered", Self::metered())])
            .collect()
    }

    /// Some 100,000 entries, a line each: 6 MB, more than the second-level cache of any core.
    fn metered() -> Lists {
        let seed = &mut Seed::new(1977);
        let lengths: Vec<usize> = (0..500).map(|_| seed.between(100, 300)).collect();
        Lists::random(&lengths, seed)
    }
}
