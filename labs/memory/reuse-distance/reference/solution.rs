//! A Fenwick tree over time: one mark for each address, at the moment of its last use.

use crate::{Distances, Trace, line};

/// The temporal and the spatial reuse distance of every access.
pub(crate) fn reuse_distances(trace: &Trace) -> Vec<Distances> {
    let mut marks = Marks::new(trace.accesses().len());
    // Per address, the moment of its last use; moments count from 1, so that 0 means never.
    let mut last_use = vec![0; trace.memory_bytes()];
    // Per line, its two addresses that were used last, the later one first.
    let lines = trace.memory_bytes().div_ceil(crate::LINE_BYTES as usize);
    let mut latest_two = vec![[Use::default(); 2]; lines];

    let mut found = Vec::with_capacity(trace.accesses().len());
    for (before, &address) in trace.accesses().iter().enumerate() {
        let now = before + 1;
        let same = std::mem::replace(&mut last_use[address as usize], now);
        let [latest, second] = &mut latest_two[line(address) as usize];
        let is_latest = latest.moment != 0 && latest.address == address;
        let other = if is_latest {
            second.moment
        } else {
            latest.moment
        };

        // An address is no distance from itself, so its own mark goes before the marks are counted.
        if same != 0 {
            marks.clear(same);
        }
        found.push(Distances {
            temporal: (same != 0).then(|| marks.count_after(same)),
            spatial: (other != 0).then(|| marks.count_after(other)),
        });
        marks.set(now);

        if !is_latest {
            *second = *latest;
        }
        *latest = Use {
            address,
            moment: now,
        };
    }
    found
}

/// The last use of an address.
#[derive(Clone, Copy, Default)]
struct Use {
    address: u32,
    moment: usize,
}

/// Marked moments, and how many of them come after a given one.
///
/// Source: Fenwick, "A new data structure for cumulative frequency tables", 1994.
struct Marks {
    /// Entry `i` counts the marks of as many moments as its lowest one-bit says, the last being `i`.
    sums: Vec<u32>,
    total: u32,
}

impl Marks {
    fn new(moments: usize) -> Self {
        Self {
            sums: vec![0; moments + 1],
            total: 0,
        }
    }

    fn set(&mut self, moment: usize) {
        self.add(moment, 1);
    }

    fn clear(&mut self, moment: usize) {
        self.add(moment, u32::MAX);
    }

    /// Adds modulo 2³²: a sum is never below 0 once every mark is counted.
    fn add(&mut self, moment: usize, amount: u32) {
        self.total = self.total.wrapping_add(amount);
        let mut index = moment;
        while index < self.sums.len() {
            self.sums[index] = self.sums[index].wrapping_add(amount);
            index += lowest_bit(index);
        }
    }

    fn count_after(&self, moment: usize) -> u32 {
        let mut up_to = 0;
        let mut index = moment;
        while index > 0 {
            up_to += self.sums[index];
            index -= lowest_bit(index);
        }
        self.total - up_to
    }
}

fn lowest_bit(index: usize) -> usize {
    index & index.wrapping_neg()
}
