//! Page sizes, and pages as the arrays hold them.

use crate::trace::AccessKind;

/// The sizes of a page on x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PageSize {
    /// 4 KB: the last level of the page tables.
    Small,
    /// 2 MB: the third level.
    Huge,
    /// 1 GB: the second level.
    Giant,
}

impl PageSize {
    /// Every size, ascending, in the order of their indices.
    pub const ALL: [Self; 3] = [Self::Small, Self::Huge, Self::Giant];

    /// Position in [`Self::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Small => 0,
            Self::Huge => 1,
            Self::Giant => 2,
        }
    }

    /// log2 of the page's bytes.
    #[must_use]
    pub const fn shift(self) -> u32 {
        match self {
            Self::Small => 12,
            Self::Huge => 21,
            Self::Giant => 30,
        }
    }

    /// The page's bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        1 << self.shift()
    }

    /// As reports name it: `4k`, `2m` or `1g`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Small => "4k",
            Self::Huge => "2m",
            Self::Giant => "1g",
        }
    }
}

/// Which of the two sides of a core translates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The fetch of instructions.
    Instruction,
    /// Loads and stores.
    Data,
}

impl Side {
    /// Both, in the order of their indices.
    pub const ALL: [Self; 2] = [Self::Instruction, Self::Data];

    /// Position in [`Self::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Instruction => 0,
            Self::Data => 1,
        }
    }

    /// The side of an access.
    #[must_use]
    pub const fn of(kind: AccessKind) -> Self {
        match kind {
            AccessKind::Fetch => Self::Instruction,
            AccessKind::Load | AccessKind::Store => Self::Data,
        }
    }
}

/// A page of a certain size, as one word: its number above, its size below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(pub(super) u64);

impl Entry {
    /// No page.
    pub(super) const EMPTY: Self = Self(u64::MAX);
    /// Bits for the size.
    const SIZE_BITS: u32 = 2;

    /// The page of `size` that `address` lies in.
    pub(super) fn of(address: u64, size: PageSize) -> Self {
        Self((address >> size.shift()) << Self::SIZE_BITS | size.index() as u64)
    }

    /// The page's number: its address divided by its size.
    pub(super) fn number(self) -> u64 {
        self.0 >> Self::SIZE_BITS
    }

    /// Whether the page has a byte in `first ..= last`.
    pub(super) fn meets(self, first: u64, last: u64) -> bool {
        let sizes = PageSize::ALL.into_iter();
        let mut size = sizes.filter(|size| size.index() as u64 == self.0 & 3);
        size.next().is_some_and(|size| {
            let page = first >> size.shift()..=last >> size.shift();
            page.contains(&self.number())
        })
    }
}
