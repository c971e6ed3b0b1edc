//! Linked lists whose entries stand scattered in one array.

use lab_kit::Seed;

/// In place of the next entry: the list ends here.
pub const END: u32 = u32::MAX;

/// An entry: one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Entry {
    /// What it adds to its list's total.
    pub amount: u64,
    /// The place of the next entry of its list in the array, or [`END`].
    pub next: u32,
}

/// Several lists in one array.
#[derive(Debug, Clone)]
pub struct Lists {
    /// The place of each list's first entry, or [`END`].
    pub heads: Vec<u32>,
    /// The entries of all lists, in no order.
    pub entries: Vec<Entry>,
}

impl Lists {
    /// Lists with these amounts, whose entries stand in random order.
    pub fn scattered(lists: &[Vec<u64>], seed: &mut Seed) -> Self {
        let count: usize = lists.iter().map(Vec::len).sum();
        let count = u32::try_from(count).expect("no more entries than places");
        let mut places: Vec<u32> = (0..count).collect();
        seed.shuffle(&mut places);
        let nothing = Entry {
            amount: 0,
            next: END,
        };
        let mut entries = vec![nothing; places.len()];
        let mut places = places.into_iter();
        let mut heads = Vec::new();
        for amounts in lists {
            // From the last entry to the first, each of which knows the one after it.
            let mut next = END;
            for (&amount, place) in amounts.iter().rev().zip(&mut places) {
                entries[place as usize] = Entry { amount, next };
                next = place;
            }
            heads.push(next);
        }
        Self { heads, entries }
    }

    /// Lists of these lengths with random amounts.
    pub fn random(lengths: &[usize], seed: &mut Seed) -> Self {
        let lists: Vec<Vec<u64>> = lengths
            .iter()
            .map(|&length| (0..length).map(|_| seed.bits() >> 20).collect())
            .collect();
        Self::scattered(&lists, seed)
    }
}
