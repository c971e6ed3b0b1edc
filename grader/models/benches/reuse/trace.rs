//! The trace that all run over: a matrix product, a random gather, a copy and a sort.

use std::collections::BTreeSet;

/// Bytes of an element: all arrays hold `f64` or `u64`.
const ELEMENT: u64 = 8;

/// One access to one element.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub(crate) address: u64,
    pub(crate) site: u32,
}

/// Accesses in program order.
pub(crate) struct Trace {
    pub(crate) accesses: Vec<Access>,
    pub(crate) distinct_lines: u32,
    pub(crate) description: String,
    lines: BTreeSet<u64>,
}

impl Trace {
    /// The mixed program, its sizes divided by `divisor`.
    pub(crate) fn mixed(divisor: u64) -> Self {
        let (elements, gathers) = ((1 << 20) / divisor, (1 << 20) / divisor);
        let (rows, side, sorted) = (16, 512 / divisor.min(8), (1 << 18) / divisor);
        let mut trace = Self {
            accesses: Vec::new(),
            distinct_lines: 0,
            description: format!(
                "{rows} rows of a {side}x{side} product, {gathers} gathers from {elements}, \
                 two copies of {elements}, merge sort of {sorted}"
            ),
            lines: BTreeSet::new(),
        };
        trace.product(rows, side);
        trace.gather(elements, gathers);
        trace.copy(elements);
        trace.copy(elements);
        trace.merge_sort(sorted);
        trace.distinct_lines = u32::try_from(trace.lines.len()).expect("few");
        trace
    }

    /// The first rows of a product, the columns of `b` read down its rows.
    fn product(&mut self, rows: u64, side: u64) {
        let [a, b, c] = [1 << 32, 2 << 32, 3 << 32];
        for i in 0..rows {
            for j in 0..side {
                for k in 0..side {
                    self.push(0, a, i * side + k);
                    self.push(1, b, k * side + j);
                }
                self.push(2, c, i * side + j);
            }
        }
    }

    fn gather(&mut self, elements: u64, gathers: u64) {
        let [table, indices] = [4 << 32, 5 << 32];
        // Knuth's MMIX multiplier; the high bits are the random ones. Any seed would do.
        let mut state: u64 = 2026;
        for i in 0..gathers {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            self.push(3, indices, i);
            self.push(4, table, (state >> 32) % elements);
        }
    }

    fn copy(&mut self, elements: u64) {
        let [from, to] = [6 << 32, 7 << 32];
        for i in 0..elements {
            self.push(5, from, i);
            self.push(6, to, i);
        }
    }

    /// Bottom up, between two arrays; which element comes next from which half is a coin's choice.
    fn merge_sort(&mut self, elements: u64) {
        let (mut from, mut to) = (8 << 32, 9 << 32);
        let mut coin: u64 = 2027;
        let mut width = 1;
        while width < elements {
            for start in (0..elements).step_by(usize::try_from(width).expect("small") * 2) {
                let (middle, end) = (start + width, start + 2 * width);
                let (mut left, mut right) = (start, middle);
                for out in start..end {
                    coin = coin.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let take_left = right == end || (left < middle && coin >> 63 == 0);
                    let next = if take_left { &mut left } else { &mut right };
                    let place = *next;
                    *next += 1;
                    self.push(if take_left { 7 } else { 8 }, from, place);
                    self.push(9, to, out);
                }
            }
            std::mem::swap(&mut from, &mut to);
            width *= 2;
        }
    }

    fn push(&mut self, site: u32, array: u64, element: u64) {
        let address = array + element * ELEMENT;
        self.lines.insert(address / 64);
        self.accesses.push(Access { address, site });
    }
}
