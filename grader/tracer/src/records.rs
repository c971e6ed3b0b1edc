//! The reuse distances of the program, from records that generated code appends to a buffer.
//!
//! A record is two words: the address, and what is constant for the access (its size and its site).
//! Appending takes no call, so the model's own memory is touched in long runs and not between every
//! two accesses of the program.

use crate::{
    hot::{HOT, Word},
    options::Options,
};
use alloc::{boxed::Box, vec::Vec};
use models::reuse::{Distances, Lines, Locations, ReuseProfile, SiteId, SiteReuse, Unit};

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

/// What a distance counts.
pub(crate) enum Profile {
    /// Distinct lines, as caches do.
    Lines(ReuseProfile<Lines>),
    /// Distinct addresses, as the definition with the fewest words does.
    Locations(ReuseProfile<Locations>),
}

impl Profile {
    /// All accesses together.
    pub(crate) fn total(&self) -> SiteReuse {
        match self {
            Self::Lines(profile) => profile.total(),
            Self::Locations(profile) => profile.total(),
        }
    }

    /// What each site did, by number.
    pub(crate) fn sites(&self) -> &[SiteReuse] {
        match self {
            Self::Lines(profile) => profile.sites(),
            Self::Locations(profile) => profile.sites(),
        }
    }

    /// Distinct lines or locations touched.
    pub(crate) fn units(&self) -> u32 {
        match self {
            Self::Lines(profile) => profile.units(),
            Self::Locations(profile) => profile.units(),
        }
    }

    /// Cache sizes in lines and the misses of each; none if distances are not in lines.
    pub(crate) fn curve(&self) -> Vec<[u64; 2]> {
        match self {
            Self::Lines(profile) => {
                let curve = profile.curve();
                let sizes = curve.sizes().into_iter();
                let point = |size| [u64::from(size), curve.misses(size)];
                sizes.map(point).collect()
            }
            Self::Locations(_) => Vec::new(),
        }
    }
}

/// One access of the list that short runs can have.
pub(crate) struct Listed {
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    pub(crate) site: u32,
    pub(crate) distances: Distances,
}

/// The buffer and the model that it feeds.
pub(crate) struct Records {
    /// Leaked, since generated code holds the address.
    buffer: &'static [Word],
    start: u64,
    profile: Profile,
    per_site: bool,
    listed: Vec<Listed>,
    /// How many accesses are still to be listed.
    to_list: usize,
}

impl Records {
    pub(crate) fn new(options: &Options) -> Self {
        let words: Vec<Word> = (0..2 * RECORDS).map(|_| Word::new(0)).collect();
        let buffer: &'static [Word] = Box::leak(words.into_boxed_slice());
        let start = buffer.first().map_or(0, Word::address);
        HOT.next_record.set(start);
        Self {
            buffer,
            start,
            profile: if options.in_locations {
                Profile::Locations(ReuseProfile::new(&options.cache_lines))
            } else {
                Profile::Lines(ReuseProfile::new(&options.cache_lines))
            },
            per_site: options.per_site,
            listed: Vec::new(),
            to_list: options.list,
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
        let records = self.buffer.get(..2 * used).unwrap_or_default();
        let (listing, records) = records.split_at(records.len().min(2 * self.to_list));
        self.to_list -= listing.len() / 2;
        let list = &mut |access| self.listed.push(access);
        let per_site = self.per_site;
        match &mut self.profile {
            Profile::Lines(profile) => {
                feed(profile, listing, true, list);
                feed(profile, records, per_site, |_| {});
            }
            Profile::Locations(profile) => {
                feed(profile, listing, true, list);
                feed(profile, records, per_site, |_| {});
            }
        }
    }

    /// An access by the kernel. Call [`Self::drain`] before.
    pub(crate) fn kernel(&mut self, address: u64, bytes: u64) {
        match &mut self.profile {
            _ if bytes == 0 => {}
            Profile::Lines(profile) => {
                profile.access(address, bytes);
            }
            Profile::Locations(profile) => {
                profile.access(address, bytes);
            }
        }
    }

    /// The first accesses, as many as were asked for.
    pub(crate) fn listed(&self) -> &[Listed] {
        &self.listed
    }

    /// What has been drained so far.
    pub(crate) fn profile(&self) -> &Profile {
        &self.profile
    }
}

fn feed<U: Unit>(
    profile: &mut ReuseProfile<U>,
    records: &[Word],
    per_site: bool,
    mut each: impl FnMut(Listed),
) {
    for record in records.chunks_exact(2) {
        let [address, description] = record else {
            continue;
        };
        let (address, description) = (address.get(), description.get());
        let bytes = description & ((1 << SIZE_BITS) - 1);
        // Shifted by as many bits as are left for the site.
        let site = (description >> SIZE_BITS) as u32;
        let distances = if per_site {
            profile.access_at(SiteId(site), address, bytes)
        } else {
            profile.access(address, bytes)
        };
        each(Listed {
            address,
            bytes,
            site,
            distances,
        });
    }
}
