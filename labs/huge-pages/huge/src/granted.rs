//! What the kernel gave, and why it gave no more.

use std::fmt;
use std::ops::Range;

use crate::settings::{self, Transparent};
use crate::smaps::own_mappings;
use crate::{Error, huge_pages_within};

/// The pages of a region, as the kernel reports them. Sizes in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Granted {
    /// The region's size.
    pub bytes: usize,
    /// What is on huge pages.
    pub huge_bytes: usize,
    /// What is on small pages.
    pub small_bytes: usize,
    /// Why not all of it is huge; `None` when it is.
    why: Option<WhyNot>,
}

/// Why memory is not on huge pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyNot {
    /// Nobody advised it, and this machine gives them only to those who do.
    NotAdvised,
    /// It was told to stay on small pages.
    AdvisedSmall,
    /// Transparent huge pages are off.
    Never,
    /// The kernel has no transparent huge pages.
    Absent,
    /// They are off for this process and its children.
    ProcessDisabled,
    /// No whole huge page fits between its ends.
    TooSmall,
    /// Nothing has been written there yet, so there are no pages of any size.
    Untouched,
    /// The advice came after the first touch, or no free huge page was found.
    NoneFree,
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAdvised => {
                "nobody asked for huge pages: advise before the first touch, as Backing::Advised does"
            }
            Self::AdvisedSmall => "the region was asked to stay on small pages",
            Self::Never => {
                "transparent huge pages are off on this machine; as root: \
                 echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"
            }
            Self::Absent => {
                "this kernel has no transparent huge pages: use a reserved pool, Backing::Pool"
            }
            Self::ProcessDisabled => {
                "transparent huge pages are off for this process: \
                 a parent called prctl(PR_SET_THP_DISABLE)"
            }
            Self::TooSmall => "no aligned 2 MiB fit between the region's ends: make it larger",
            Self::Untouched => "nothing was written there yet: pages come with the first touch",
            Self::NoneFree => {
                "the kernel gave small pages: it had no free huge page (fragmented memory, or the \
                 limit of the control group), or the first touch came before the advice. \
                 Region::collapse tries again"
            }
        })
    }
}

impl Granted {
    /// What the kernel gave for a range of addresses of this process.
    ///
    /// A mapping that the range shares with its neighbours is counted by its whole; a [`Region`]
    /// never shares one.
    ///
    /// [`Region`]: crate::Region
    ///
    /// # Errors
    ///
    /// [`Error::Evidence`] if the kernel's answer cannot be read.
    pub fn of(range: Range<usize>) -> Result<Self, Error> {
        let mappings = own_mappings()?;
        let overlaps = |other: &Range<usize>| other.start < range.end && range.start < other.end;
        let within: Vec<_> = mappings
            .iter()
            .filter(|mapping| overlaps(&mapping.range))
            .collect();
        let huge_bytes: usize = within.iter().map(|mapping| mapping.huge_bytes()).sum();
        let pool_bytes: usize = within.iter().map(|mapping| mapping.pool_bytes).sum();
        let resident: usize = within.iter().map(|mapping| mapping.resident_bytes).sum();
        let has = |flag| within.iter().any(|mapping| mapping.has_flag(flag));
        let facts = Facts {
            advised_huge: has("hg"),
            advised_small: has("nh"),
            touched: resident + pool_bytes > 0,
        };
        let bytes = range.len();
        let huge_bytes = huge_bytes.min(bytes);
        let small_bytes = (resident + pool_bytes).min(bytes) - huge_bytes;
        let why = (huge_bytes < bytes).then(|| why_not(&range, &facts));
        Ok(Self {
            bytes,
            huge_bytes,
            small_bytes,
            why,
        })
    }

    /// Why not all of it is on huge pages; `None` when it is.
    pub fn missing(&self) -> Option<WhyNot> {
        self.why
    }
}

/// What the kernel's flags say of a range.
struct Facts {
    advised_huge: bool,
    advised_small: bool,
    touched: bool,
}

/// The first reason that applies, from the machine's settings down to luck.
fn why_not(range: &Range<usize>, facts: &Facts) -> WhyNot {
    let setting = settings::transparent();
    if setting == Transparent::Absent {
        WhyNot::Absent
    } else if huge_pages_within(range.clone()).is_empty() {
        WhyNot::TooSmall
    } else if facts.advised_small {
        WhyNot::AdvisedSmall
    } else if setting == Transparent::Never {
        WhyNot::Never
    } else if !settings::is_process_allowed() {
        WhyNot::ProcessDisabled
    } else if setting == Transparent::Advised && !facts.advised_huge {
        WhyNot::NotAdvised
    } else if !facts.touched {
        WhyNot::Untouched
    } else {
        WhyNot::NoneFree
    }
}
