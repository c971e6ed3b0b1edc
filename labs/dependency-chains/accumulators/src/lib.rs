//! A polynomial hash of a text: every byte is the next digit of a number in a large base.

mod baseline;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

use lab_kit::{Case, Lab, Seed};

/// The base. Odd, so that multiplying by it loses nothing modulo 2⁶⁴.
/// Source: the multiplier of Knuth's generator MMIX, The Art of Computer Programming, volume 2.
pub const BASE: u64 = 6_364_136_223_846_793_005;

/// `hash(bytes)` is the sum of byte × `BASE`^(bytes after it), modulo 2⁶⁴; 0 for no bytes.
pub type Hash = fn(&[u8]) -> u64;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct Accumulators;

impl Lab for Accumulators {
    type Input = Vec<u8>;
    type Output = u64;
    type Function = Hash;

    const BASELINE: Hash = baseline::hash;
    const SOLUTION: Hash = solution::hash;

    fn call(hash: Hash, bytes: &mut Self::Input) -> u64 {
        hash(bytes)
    }

    fn examples() -> Vec<Case<Self::Input>> {
        vec![
            Case::new("the digits two and one", vec![2, 1]),
            Case::new("nine bytes", b"loop body".to_vec()),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        let drawn = seed.between(100, 3000);
        let mut cases: Vec<Case<Self::Input>> =
            [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 1023, drawn]
                .into_iter()
                .map(|length| Case::new(format!("{length} bytes"), random(length, seed)))
                .collect();
        let mut backwards = random(64, seed);
        cases.push(Case::new("64 bytes", backwards.clone()));
        backwards.reverse();
        cases.push(Case::new("the same bytes backwards", backwards));
        cases.push(Case::new(
            "zeros before a one",
            [vec![0; 40], vec![1]].concat(),
        ));
        cases.push(Case::new(
            "a one before zeros",
            [vec![1], vec![0; 40]].concat(),
        ));
        cases.push(Case::new("metered", Self::metered()));
        cases
    }

    /// Fetching a line takes far less time than its 64 links of the chain, so the lab measures the
    /// chain. Not a multiple of any number of accumulators.
    fn metered() -> Self::Input {
        random(100_003, &mut Seed::new(31))
    }
}

fn random(length: usize, seed: &mut Seed) -> Vec<u8> {
    (0..length).map(|_| seed.bits().to_le_bytes()[0]).collect()
}
