//! The two page sizes, and the whole huge pages within a range.

use std::ops::Range;

/// A small page. Source: x86-64, 4-level paging, a page-table entry.
pub const SMALL_PAGE_BYTES: usize = 4 << 10;
/// A huge page. Source: x86-64, 4-level paging, a page-directory entry.
pub const HUGE_PAGE_BYTES: usize = 2 << 20;

/// `bytes`, rounded up to whole huge pages; `None` beyond the address space.
pub fn round_up_to_huge(bytes: usize) -> Option<usize> {
    bytes.checked_next_multiple_of(HUGE_PAGE_BYTES)
}

/// The whole huge pages within a range of addresses, rounded inwards; empty if none fits.
///
/// ```
/// let mib = 1 << 20;
/// assert_eq!(huge::huge_pages_within(3 * mib..9 * mib), 4 * mib..8 * mib);
/// assert!(huge::huge_pages_within(3 * mib..5 * mib).is_empty());
/// ```
pub fn huge_pages_within(range: Range<usize>) -> Range<usize> {
    let end = range.end / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    let start = round_up_to_huge(range.start).unwrap_or(end);
    start.min(end)..end
}

#[cfg(test)]
mod tests {
    use super::{HUGE_PAGE_BYTES, huge_pages_within, round_up_to_huge};

    #[test]
    fn a_range_on_boundaries_stays_whole() {
        let range = HUGE_PAGE_BYTES..5 * HUGE_PAGE_BYTES;
        assert_eq!(huge_pages_within(range.clone()), range);
    }

    #[test]
    fn a_range_of_two_megabytes_across_a_boundary_holds_no_huge_page() {
        assert!(huge_pages_within(4096..HUGE_PAGE_BYTES + 4096).is_empty());
        assert!(huge_pages_within(0..0).is_empty());
        assert!(huge_pages_within(usize::MAX - 5..usize::MAX).is_empty());
    }

    #[test]
    fn rounding_up_stops_at_the_end_of_the_address_space() {
        assert_eq!(round_up_to_huge(1), Some(HUGE_PAGE_BYTES));
        assert_eq!(round_up_to_huge(usize::MAX), None);
    }
}
