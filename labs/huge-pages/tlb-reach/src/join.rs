//! Keys are put into a table and looked up, each lookup telling which key comes next.

use crate::Entry;

/// How much is put in and looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Join {
    /// Entries of the table, 64 B each.
    pub entries: usize,
    /// Keys that are put into it: fewer than entries.
    pub keys: usize,
    /// Lookups, one after the other.
    pub lookups: usize,
}

/// What a run came to.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// The sum of all values found.
    pub sum: u64,
    /// Lookups that found their key.
    pub hits: u64,
    /// Entries looked at, while keys were put in and looked up.
    pub probes: u64,
}

lab_kit::compare_fields!(Found: sum, hits, probes);

impl Join {
    /// # Panics
    ///
    /// If the keys fill the table: the end of a probe is an empty entry.
    pub fn new(entries: usize, keys: usize, lookups: usize) -> Self {
        assert!(
            keys < entries,
            "{keys} keys leave no empty entry of {entries}"
        );
        Self {
            entries,
            keys,
            lookups,
        }
    }

    /// Fills the table and looks keys up.
    ///
    /// # Panics
    ///
    /// If the table does not have as many entries as were asked for.
    pub fn run(&self, table: &mut [Entry]) -> Found {
        let (found, wanted) = (table.len(), self.entries);
        assert_eq!(found, wanted, "the table has {found} entries, not {wanted}");
        let mut probes = 0;
        let keys = self.keys as u64;
        for key in 1..=keys {
            let entry = &mut table[probe(table, key, &mut probes)];
            entry.key = key;
            // The keys name each other in a ring, so that a lookup waits for the one before.
            entry.value = key % keys + 1;
        }
        let (mut sum, mut hits) = (0u64, 0);
        let mut key = 1;
        for _ in 0..self.lookups {
            let entry = table[probe(table, key, &mut probes)];
            hits += u64::from(entry.key == key);
            sum = sum.wrapping_mul(31).wrapping_add(entry.value);
            key = entry.value;
        }
        Found { sum, hits, probes }
    }
}

/// Where `key` is, or the empty entry where it would be.
fn probe(table: &[Entry], key: u64, probes: &mut u64) -> usize {
    let first = home(table.len(), key);
    for place in (first..table.len()).chain(0..first) {
        *probes += 1;
        if table[place].key == key || table[place].key == 0 {
            return place;
        }
    }
    panic!("no entry of the table is empty: a new table holds no key");
}

/// The entry that a key is looked for first.
fn home(entries: usize, key: u64) -> usize {
    /// 2^64 divided by the golden ratio, odd. Source: Knuth, The Art of Computer Programming, 6.4.
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = (key ^ (key << 23)).wrapping_mul(GOLDEN);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(GOLDEN);
    let place = (u128::from(mixed) * entries as u128) >> u64::BITS;
    usize::try_from(place).expect("a place in a table is below its length")
}
