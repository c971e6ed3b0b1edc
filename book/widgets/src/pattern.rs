//! The access patterns that a reader can choose from.

use models::reuse::LINE_BYTES;
use thiserror::Error;

use crate::letters::{self, LettersError};

/// Bytes of the elements that the generated patterns read.
const ELEMENT_BYTES: u64 = 8;
/// Elements in a line.
const PER_LINE: u64 = LINE_BYTES / ELEMENT_BYTES;
/// Bytes of a tree's node: two in a line.
const NODE_BYTES: u64 = 32;
/// Passes over the data of the sequential and the strided pattern.
const PASSES: u64 = 2;
/// Sizes that are quick to compute and still show something, in lines.
const SIZES_LINES: std::ops::RangeInclusive<u32> = 8..=4096;

/// Why there is no such pattern.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PatternError {
    /// The name is none of [`Pattern::NAMES`].
    #[error("there is no pattern “{0}”: there are {names}", names = Pattern::NAMES.join(", "))]
    Unknown(String),
    /// The size is out of range.
    #[error("{0} lines are out of range: choose {low} to {high}", low = SIZES_LINES.start(), high = SIZES_LINES.end())]
    Size(u32),
    /// What was typed is no pattern.
    #[error(transparent)]
    Letters(#[from] LettersError),
}

/// Accesses in order, each with the name that the reader sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Name and address of each access.
    pub accesses: Vec<(String, u64)>,
}

impl Pattern {
    /// What a pattern can be called.
    pub const NAMES: [&str; 5] = ["letters", "sequential", "strided", "tree", "random"];

    /// The pattern of that name.
    ///
    /// # Errors
    ///
    /// If the name is unknown, the size out of range, or the letters are no pattern.
    pub fn from_parts(
        name: &str,
        size_lines: u32,
        letters: &str,
        lines: &str,
    ) -> Result<Self, PatternError> {
        if name == "letters" {
            return Ok(Self {
                accesses: letters::accesses(letters, lines)?,
            });
        }
        if !SIZES_LINES.contains(&size_lines) {
            return Err(PatternError::Size(size_lines));
        }
        let size_lines = u64::from(size_lines);
        let addresses: Vec<u64> = match name {
            "sequential" => sequential(size_lines),
            "strided" => strided(size_lines),
            "tree" => tree(size_lines),
            "random" => random(size_lines),
            unknown => return Err(PatternError::Unknown(unknown.to_owned())),
        };
        let named = |address| (format!("{address:#x}"), address);
        Ok(Self {
            accesses: addresses.into_iter().map(named).collect(),
        })
    }
}

/// Every element of an array from the first to the last, and again.
fn sequential(size_lines: u64) -> Vec<u64> {
    let pass = (0..size_lines * PER_LINE).map(|element| element * ELEMENT_BYTES);
    (0..PASSES).flat_map(|_| pass.clone()).collect()
}

/// The columns of a matrix stored by rows, where a row fills a line; and again.
fn strided(size_lines: u64) -> Vec<u64> {
    let column = move |column: u64| {
        (0..size_lines).map(move |row| row * LINE_BYTES + column * ELEMENT_BYTES)
    };
    (0..PASSES)
        .flat_map(|_| (0..PER_LINE).flat_map(column))
        .collect()
}

/// Searches for random keys in a balanced tree whose nodes lie in memory in random order.
fn tree(size_lines: u64) -> Vec<u64> {
    let nodes = size_lines * LINE_BYTES / NODE_BYTES;
    let mut random = Random::new();
    let mut places: Vec<u64> = (0..nodes).collect();
    for last in (1..nodes).rev() {
        let other = random.below(last + 1);
        places.swap(index(last), index(other));
    }
    let mut addresses = Vec::new();
    for _ in 0..nodes {
        let key = random.below(nodes);
        let (mut low, mut high) = (0, nodes);
        while low < high {
            let middle = u64::midpoint(low, high);
            addresses.push(places[index(middle)] * NODE_BYTES);
            match key.cmp(&middle) {
                std::cmp::Ordering::Less => high = middle,
                std::cmp::Ordering::Greater => low = middle + 1,
                std::cmp::Ordering::Equal => break,
            }
        }
    }
    addresses
}

/// Elements of an array, each as likely as the other.
fn random(size_lines: u64) -> Vec<u64> {
    let elements = size_lines * PER_LINE;
    let mut random = Random::new();
    (0..PASSES * elements)
        .map(|_| random.below(elements) * ELEMENT_BYTES)
        .collect()
}

fn index(small: u64) -> usize {
    usize::try_from(small).expect("at most 4096 lines of two nodes")
}

/// A linear congruential generator: the same numbers everywhere.
///
/// Source of the multiplier: Knuth, MMIX.
struct Random(u64);

impl Random {
    fn new() -> Self {
        Self(2026)
    }

    /// A number below `bound`, which is far below 2³².
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.0 >> 32) * bound) >> 32
    }
}
