//! The streamer: a prefetcher beside each private cache that runs ahead of ascending accesses.
//!
//! Where a stream goes on, what it fetches is used and changes no count. Where a stream ends, it has
//! run past the end: lines that nobody asked for come from memory, count as misses, and take room.
//! Long streams end rarely; the rows of a matrix block are short, and each one ends. So only rows
//! are followed here. Following contiguous ranges too moved the misses of RRM and RRG by less than
//! another seed does.
//!
//! Left out: how long a streamer takes to notice a stream, how many it follows at once, and that it
//! backs off while the memory is busy.

/// How far past the end of a row lines are fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streamer {
    /// Lines ahead of the last one accessed; 0 for a machine without a streamer.
    pub lines_ahead: u64,
    /// Lines of a page; a streamer does not leave the page of the access.
    pub page_lines: u64,
}

impl Streamer {
    /// No prefetching.
    pub const NONE: Self = Self {
        lines_ahead: 0,
        page_lines: 1,
    };

    /// Lines after `last` that were fetched although the row ended there.
    pub(crate) fn beyond(self, last: u64) -> u64 {
        let page_lines = self.page_lines.max(1);
        let left_in_page = page_lines - 1 - last % page_lines;
        self.lines_ahead.min(left_in_page)
    }

    /// The streamer of a machine scaled down by `divisor`. Rows of a matrix shrink with its square
    /// root; the overshoot stays the same part of them.
    pub(crate) fn scaled(self, divisor: u64) -> Self {
        let root = divisor.isqrt().max(1);
        Self {
            lines_ahead: (self.lines_ahead * 2 + root) / (2 * root),
            page_lines: (self.page_lines / root).max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Streamer;

    const REACHING: Streamer = Streamer {
        lines_ahead: 20,
        page_lines: 64,
    };

    #[test]
    fn a_streamer_stops_at_the_end_of_the_page() {
        assert_eq!(REACHING.beyond(9), 20);
        assert_eq!(REACHING.beyond(64 + 53), 10);
        assert_eq!(REACHING.beyond(63), 0);
        assert_eq!(Streamer::NONE.beyond(5), 0);
    }

    #[test]
    fn its_reach_shrinks_with_the_root_of_the_divisor_as_rows_do() {
        let small = REACHING.scaled(64);
        assert_eq!((small.lines_ahead, small.page_lines), (3, 8));
        assert_eq!(REACHING.scaled(1), REACHING);
        assert_eq!(Streamer::NONE.scaled(64), Streamer::NONE);
    }
}
