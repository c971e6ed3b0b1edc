//! Answers given lately: the kernel's lists have a look-aside buffer of their own.

use super::Page;
use alloc::{boxed::Box, vec};
use models::tlb::PageSize;

/// Answers kept, by the low bits of the page's number.
const ANSWERS: usize = 4096;

/// A direct-mapped table of pages.
pub(super) struct Lookaside {
    /// Page numbers plus 1, and what was answered; 0 for none.
    answers: Box<[(u64, Page)]>,
}

const NONE: (u64, Page) = (
    0,
    Page {
        size: PageSize::Small,
        mapping: 0,
    },
);

impl Lookaside {
    pub(super) fn new() -> Self {
        Self {
            answers: vec![NONE; ANSWERS].into_boxed_slice(),
        }
    }

    /// Place and tag of an address.
    fn place(address: u64) -> (usize, u64) {
        let number = address >> PageSize::Small.shift();
        let place = usize::try_from(number).unwrap_or(0) % ANSWERS;
        (place, number + 1)
    }

    /// What was answered for the page of `address`.
    #[inline]
    pub(super) fn find(&self, address: u64) -> Option<Page> {
        let (place, tag) = Self::place(address);
        let (known, page) = self.answers.get(place)?;
        (*known == tag).then_some(*page)
    }

    /// Keeps an answer, in place of another.
    #[inline]
    pub(super) fn keep(&mut self, address: u64, page: Page) {
        let (place, tag) = Self::place(address);
        if let Some(answer) = self.answers.get_mut(place) {
            *answer = (tag, page);
        }
    }

    /// Forgets all answers.
    pub(super) fn clear(&mut self) {
        self.answers.fill(NONE);
    }
}
