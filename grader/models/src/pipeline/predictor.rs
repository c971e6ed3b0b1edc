//! The branch predictor: directions from a short TAGE, targets from a history-hashed table, returns
//! from a stack.
//!
//! Directions: a table of two-bit counters, and four tagged tables indexed by the address and ever
//! longer histories; the longest that matches decides. Left out: the loop predictor and the
//! statistical corrector of full TAGE-SC-L. Source of the scheme: Seznec and Michaud, A case for
//! (partially) TAgged GEometric history length branch prediction, JILP 2006.

#![expect(
    clippy::cast_possible_truncation,
    reason = "hashes are cut to their low bits on purpose"
)]

use alloc::vec::Vec;

/// Branches of history that each tagged table sees: a geometric series, as the paper proposes.
const HISTORY_LENGTHS: [u32; 4] = [5, 15, 44, 120];
/// Entries per table, as a power of two.
const TABLE_BITS: u32 = 11;
const TAG_BITS: u32 = 12;
/// Depth of the return stack. Source: 16 in the Skylake chapter of Agner Fog's microarchitecture
/// manual; more on the others, which no lab notices.
const RETURN_STACK: usize = 16;

#[derive(Clone, Copy, Default)]
struct Tagged {
    tag: u16,
    /// Signed counter, −4…3: taken when not negative.
    counter: i8,
    useful: bool,
}

/// Predicts where the instructions after a branch come from.
pub(super) struct Predictor {
    base: Vec<i8>,
    tables: [Vec<Tagged>; 4],
    targets: Vec<(u64, u64)>,
    returns: Vec<u64>,
    history: u128,
}

fn mix(address: u64, history: u128, length: u32) -> u64 {
    let seen = history & ((1u128 << length) - 1);
    let folded = (seen as u64) ^ ((seen >> 64) as u64).rotate_left(17);
    let mixed =
        (address ^ folded.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 31
}

impl Predictor {
    pub(super) fn new() -> Self {
        let entries = 1 << TABLE_BITS;
        Self {
            base: alloc::vec![0; 1 << 13],
            tables: core::array::from_fn(|_| alloc::vec![Tagged::default(); entries]),
            targets: alloc::vec![(0, 0); 1 << 11],
            returns: Vec::new(),
            history: 0,
        }
    }

    fn place(&self, table: usize, address: u64) -> (usize, u16) {
        let hash = mix(address, self.history, HISTORY_LENGTHS[table]);
        let index = hash & ((1 << TABLE_BITS) - 1);
        let tag = hash >> 40 & ((1 << TAG_BITS) - 1);
        (index as usize, (tag as u16) | 1 << 15)
    }

    /// Predicts the direction of the conditional branch at `address`, then learns that it went
    /// `taken`. Returns whether the prediction was right.
    pub(super) fn conditional(&mut self, address: u64, taken: bool) -> bool {
        let base = (address as usize ^ (address >> 13) as usize) & (self.base.len() - 1);
        let base_says = self.base[base] >= 0;
        let mut provider = None;
        let mut alternative = base_says;
        for table in (0..self.tables.len()).rev() {
            let (index, tag) = self.place(table, address);
            if self.tables[table][index].tag == tag {
                if provider.is_none() {
                    provider = Some((table, index));
                } else {
                    alternative = self.tables[table][index].counter >= 0;
                    break;
                }
            }
        }
        let says = provider.map_or(base_says, |(t, i)| self.tables[t][i].counter >= 0);
        let right = says == taken;
        self.learn(address, base, provider, alternative, says, taken);
        self.history = self.history << 1 | u128::from(taken);
        right
    }

    fn learn(
        &mut self,
        address: u64,
        base: usize,
        provider: Option<(usize, usize)>,
        alternative: bool,
        says: bool,
        taken: bool,
    ) {
        let step = if taken { 1 } else { -1 };
        if let Some((table, index)) = provider {
            let entry = &mut self.tables[table][index];
            entry.counter = (entry.counter + step).clamp(-4, 3);
            if says != alternative {
                entry.useful = says == taken;
            }
        } else {
            self.base[base] = (self.base[base] + step).clamp(-2, 1);
        }
        if says == taken {
            return;
        }
        // A wrong prediction asks for a longer history: claim an entry that nobody needs.
        let first = provider.map_or(0, |(table, _)| table + 1);
        for table in first..self.tables.len() {
            let (index, tag) = self.place(table, address);
            let entry = &mut self.tables[table][index];
            if entry.useful {
                entry.useful = false;
            } else {
                *entry = Tagged {
                    tag,
                    counter: if taken { 0 } else { -1 },
                    useful: false,
                };
                return;
            }
        }
    }

    /// Predicts the target of the computed branch at `address`, then learns `target`. Returns
    /// whether the prediction was right.
    pub(super) fn indirect(&mut self, address: u64, target: u64) -> bool {
        let hash = mix(address, self.history, 15);
        let entry = (hash as usize) & (self.targets.len() - 1);
        let right = self.targets[entry] == (address, target);
        self.targets[entry] = (address, target);
        self.history = self.history << 2 | u128::from(target >> 4 & 3);
        right
    }

    /// Remembers where a call returns to.
    pub(super) fn call(&mut self, return_address: u64) {
        if self.returns.len() == RETURN_STACK {
            self.returns.remove(0);
        }
        self.returns.push(return_address);
    }

    /// Whether a return to `target` was predicted.
    pub(super) fn ret(&mut self, target: u64) -> bool {
        self.returns.pop() == Some(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong_of(count: u32, outcome: impl Fn(u32) -> bool) -> u32 {
        let mut predictor = Predictor::new();
        (0..count)
            .map(|i| u32::from(!predictor.conditional(0x40_1000, outcome(i))))
            .sum()
    }

    #[test]
    fn a_steady_branch_is_learned_at_once() {
        assert!(wrong_of(1000, |_| true) <= 2);
        assert!(wrong_of(1000, |_| false) <= 3);
    }

    #[test]
    fn a_pattern_of_period_seven_is_learned() {
        assert!(wrong_of(10_000, |i| i % 7 == 3) < 150);
    }

    #[test]
    fn a_coin_is_wrong_half_the_time() {
        // A counter-based generator with a fixed seed: the branch sees its top bit.
        let coin = |i: u32| {
            let mut x = u64::from(i)
                .wrapping_add(1)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
            x ^= x >> 30;
            x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (x ^ x >> 27) >> 40 & 1 == 1
        };
        let wrong = wrong_of(10_000, coin);
        assert!((4_000..6_000).contains(&wrong), "{wrong} of 10000");
    }

    #[test]
    fn calls_and_returns_match() {
        let mut predictor = Predictor::new();
        predictor.call(1);
        predictor.call(2);
        assert!(predictor.ret(2));
        assert!(predictor.ret(1));
        assert!(!predictor.ret(3));
    }
}
