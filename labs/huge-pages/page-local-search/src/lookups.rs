//! Sorted keys, and what is looked for among them.

use lab_kit::Seed;

/// One array and many searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookups {
    /// In ascending order; a key may stand there more than once.
    pub keys: Vec<u32>,
    /// Looked for, one after the other; half of them are among the keys.
    pub wanted: Vec<u32>,
}

impl Lookups {
    /// Keys at distances that differ from stretch to stretch, so that a key's value does not tell
    /// where it stands.
    pub fn random(length: usize, searches: usize, seed: &mut Seed) -> Self {
        /// Largest distances, one for each stretch. Their mean leaves 16 Mi keys below 2^32.
        const DISTANCES: [u8; 5] = [0, 255, 1, 15, 3];
        const STRETCH: usize = 1 << 11;
        let mut keys = Vec::with_capacity(length);
        let mut key = 0u32;
        'all: for stretch in 0.. {
            let distance = DISTANCES[stretch % DISTANCES.len()];
            for _ in 0..STRETCH / 8 {
                for byte in seed.bits().to_le_bytes() {
                    if keys.len() == length {
                        break 'all;
                    }
                    key += u32::from(byte & distance);
                    keys.push(key);
                }
            }
        }
        let mut wanted_key = |number: usize| {
            if number.is_multiple_of(2) {
                keys[seed.below(length)]
            } else {
                let most = usize::try_from(key).expect("an address has more bits than a key");
                let drawn = seed.between(0, most + 1);
                u32::try_from(drawn).unwrap_or(u32::MAX)
            }
        };
        let wanted = (0..searches).map(&mut wanted_key).collect();
        Self { keys, wanted }
    }
}
