//! A large hash table, looked up at random: every lookup is on another page.

mod baseline;
mod join;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;
mod table;

pub use join::{Found, Join};
pub use table::{Entry, Table};

use huge::WhyNot;
use lab_kit::{Case, Lab, Seed};

/// `allocate(entries)` is a table of that many empty entries.
pub type Allocate = fn(usize) -> Table;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct TlbReach;

impl Lab for TlbReach {
    type Input = Join;
    type Output = Found;
    type Function = Allocate;

    const BASELINE: Allocate = baseline::allocate;
    const SOLUTION: Allocate = solution::allocate;

    fn call(allocate: Allocate, join: &mut Join) -> Found {
        join.run(&mut allocate(join.entries))
    }

    fn examples() -> Vec<Case<Join>> {
        vec![
            Case::new("two keys", Join::new(8, 2, 5)),
            Case::new("no key", Join::new(1, 0, 3)),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Join>> {
        let drawn = seed.between(100, 50_000);
        // 32 768 entries fill one huge page exactly.
        let sizes = [2, 3, 64, 1000, 32_767, 32_768, 32_769, 98_305, drawn];
        sizes
            .into_iter()
            .map(|entries| {
                let keys = seed.between(1, entries / 2);
                let name = format!("{keys} keys in {entries} entries");
                Case::new(name, Join::new(entries, keys, 1000))
            })
            .collect()
    }

    /// 64 MiB: 16 384 small pages, five times what the largest second-level TLB of the machines
    /// holds, or 32 huge ones.
    fn metered() -> Join {
        Join::new(1 << 20, 120_000, 120_000)
    }

    fn remark(allocate: Allocate) -> Option<String> {
        let join = Self::metered();
        let mut table = allocate(join.entries);
        join.run(&mut table);
        let granted = table.granted().ok()?;
        let why = granted.missing().filter(|&why| why != WhyNot::NotAdvised)?;
        let mib = |bytes: usize| bytes >> 20;
        Some(format!(
            "the table was to be on huge pages, and {} of its {} MiB are: {why}",
            mib(granted.huge_bytes),
            mib(granted.bytes),
        ))
    }
}
