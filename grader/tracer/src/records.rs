//! The reuse distances of the program, from records that generated code appends to a buffer.
//!
//! A record is two words: the address, and what is constant for the access (its size and its site).
//! Appending takes no call, so the model's own memory is touched in long runs and not between every
//! two accesses of the program.

use crate::hot::{HOT, Word};
use alloc::{boxed::Box, vec::Vec};
use models::reuse::{Lines, ReuseProfile, SiteId};

/// Records that fit: 1 MiB, about half of an L2 cache.
const RECORDS: usize = 1 << 16;
/// Bytes of a record.
pub(crate) const RECORD_BYTES: u64 = 16;
/// Sizes take this many low bits of a record's second word; the site is above.
const SIZE_BITS: u32 = 32;

/// The second word of a record.
pub(crate) fn description(site: u32, bytes: u32) -> u64 {
    u64::from(site) << SIZE_BITS | u64::from(bytes)
}

/// The buffer and the model that it feeds.
pub(crate) struct Records {
    /// Leaked, since generated code holds the address.
    buffer: &'static [Word],
    start: u64,
    profile: ReuseProfile<Lines>,
    per_site: bool,
}

impl Records {
    pub(crate) fn new(cache_sizes_lines: &[u32], per_site: bool) -> Self {
        let words: Vec<Word> = (0..2 * RECORDS).map(|_| Word::new(0)).collect();
        let buffer: &'static [Word] = Box::leak(words.into_boxed_slice());
        let start = buffer.first().map_or(0, Word::address);
        HOT.next_record.set(start);
        Self {
            buffer,
            start,
            profile: ReuseProfile::new(cache_sizes_lines),
            per_site,
        }
    }

    /// A block that will append `count` records finds room for them up to this address.
    pub(crate) fn last_start(&self, count: u64) -> u64 {
        self.start + (RECORDS as u64).saturating_sub(count) * RECORD_BYTES
    }

    /// Feeds what has been recorded to the model.
    pub(crate) fn drain(&mut self) {
        let used = (HOT.next_record.get() - self.start) / RECORD_BYTES;
        HOT.next_record.set(self.start);
        let used = usize::try_from(used).map_or(RECORDS, |used| used.min(RECORDS));
        for record in self.buffer.chunks_exact(2).take(used) {
            let &[ref address, ref description] = record else {
                continue;
            };
            let (address, description) = (address.get(), description.get());
            let bytes = description & ((1 << SIZE_BITS) - 1);
            if self.per_site {
                #[expect(clippy::cast_possible_truncation, reason = "shifted to 32 bits")]
                let site = SiteId((description >> SIZE_BITS) as u32);
                self.profile.access_at(site, address, bytes);
            } else {
                self.profile.access(address, bytes);
            }
        }
    }

    /// An access by the kernel. Call [`Self::drain`] before.
    pub(crate) fn kernel(&mut self, address: u64, bytes: u64) {
        if bytes > 0 {
            self.profile.access(address, bytes);
        }
    }

    /// What has been drained so far.
    pub(crate) fn profile(&self) -> &ReuseProfile<Lines> {
        &self.profile
    }
}
