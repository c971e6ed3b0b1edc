//! How many distinct bytes a strand touches, to hold against what its task says.

use alloc::vec::Vec;

use super::program::Range;

/// Distinct bytes of `ranges`. Exact only when the plain sum exceeds `annotation_bytes`: a sum that
/// does not is returned as it is, since it cannot be an understatement.
pub(crate) fn touched_bytes(ranges: &[Range], annotation_bytes: u64) -> u64 {
    let sum: u64 = ranges.iter().map(|range| range.bytes * range.rows).sum();
    if sum <= annotation_bytes {
        return sum;
    }
    let mut pieces: Vec<(u64, u64)> = ranges
        .iter()
        .flat_map(|range| {
            (0..range.rows).map(|row| {
                let start = range.start + row * range.stride_bytes;
                (start, start + range.bytes)
            })
        })
        .collect();
    pieces.sort_unstable();
    let mut distinct = 0;
    let mut covered_to = 0;
    for (start, end) in pieces {
        distinct += end.saturating_sub(start.max(covered_to));
        covered_to = covered_to.max(end);
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::touched_bytes;
    use crate::scheduler::program::{read, write};

    #[test]
    fn a_byte_touched_twice_counts_once() {
        assert_eq!(
            touched_bytes(&[read(0, 100), write(50, 100), read(120, 10)], 0),
            150
        );
    }
}
