//! By how much a program and its machine are scaled down together.

use core::fmt;

/// Divides problem sizes, leaf sizes and cache capacities alike, so that the shape of a run stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    divisor: u64,
}

/// A scale that leaves nothing to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaleError {
    /// The divisor that was asked for.
    pub divisor: u64,
}

impl Scale {
    /// The largest divisor that leaves every program at least one line per leaf.
    pub const LARGEST_DIVISOR: u64 = 4096;

    /// Full size.
    pub const FULL: Self = Self { divisor: 1 };

    /// One part in `divisor`.
    ///
    /// # Errors
    /// If the divisor is 0, or so large that nothing would be left.
    pub fn new(divisor: u64) -> Result<Self, ScaleError> {
        if (1..=Self::LARGEST_DIVISOR).contains(&divisor) {
            Ok(Self { divisor })
        } else {
            Err(ScaleError { divisor })
        }
    }

    /// The divisor.
    pub fn divisor(self) -> u64 {
        self.divisor
    }

    /// A size, scaled, at least 1.
    pub fn of(self, size: u64) -> u64 {
        (size / self.divisor).max(1)
    }
}

impl fmt::Display for ScaleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "scale 1/{} leaves no work; give a scale between 1 and 1/{}",
            self.divisor,
            Scale::LARGEST_DIVISOR
        )
    }
}

impl core::error::Error for ScaleError {}
