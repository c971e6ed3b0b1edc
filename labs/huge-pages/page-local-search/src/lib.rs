//! Many searches in one large sorted array.

mod baseline;
mod index;
mod lookups;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

pub use index::Index;
pub use lookups::Lookups;

use lab_kit::{Case, Lab, Seed};

/// `prepare(keys)` is whatever makes searches in the sorted `keys` fast.
pub type Prepare = for<'keys> fn(&'keys [u32]) -> Box<dyn Index + 'keys>;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct PageLocalSearch;

impl Lab for PageLocalSearch {
    type Input = Lookups;
    type Output = Vec<usize>;
    type Function = Prepare;

    const BASELINE: Prepare = baseline::prepare;
    const SOLUTION: Prepare = solution::prepare;

    fn call(prepare: Prepare, lookups: &mut Lookups) -> Vec<usize> {
        let index = prepare(&lookups.keys);
        let wanted = lookups.wanted.iter();
        wanted.map(|&key| index.position(key)).collect()
    }

    fn examples() -> Vec<Case<Lookups>> {
        vec![
            Case::new(
                "among five",
                Lookups {
                    keys: vec![2, 3, 3, 3, 9],
                    wanted: vec![0, 2, 3, 4, 9, 10],
                },
            ),
            Case::new(
                "among none",
                Lookups {
                    keys: Vec::new(),
                    wanted: vec![7],
                },
            ),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Lookups>> {
        // A page holds 1024 keys.
        let lengths = [
            1,
            2,
            1023,
            1024,
            1025,
            2048,
            10_000,
            seed.between(1, 50_000),
        ];
        let drawn: Vec<_> = lengths
            .into_iter()
            .map(|length| {
                Case::new(
                    format!("{length} keys"),
                    Lookups::random(length, 2000, seed),
                )
            })
            .collect();
        let runs = Lookups {
            keys: [vec![5; 3000], vec![6; 3000], vec![u32::MAX; 1500]].concat(),
            wanted: vec![0, 5, 6, 7, u32::MAX],
        };
        let equal = Case::new("runs of equal keys, longer than a page", runs);
        drawn.into_iter().chain([equal]).collect()
    }

    /// 65 MiB: 16 602 pages, five times what the largest second-level TLB of the machines holds. It is no
    /// power of two, so the pages of a search spread over all sets of the TLB: the lab measures reach,
    /// not conflicts.
    fn metered() -> Lookups {
        Lookups::random(17_000_000, 200_000, &mut Seed::new(1972))
    }
}
