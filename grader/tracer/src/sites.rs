//! The load and store instructions of the program, numbered as they are first translated.

use crate::valgrind::{ffi::DebugEpoch, symbols};
use alloc::{collections::BTreeMap, vec::Vec};

/// One instruction that loads, or one that stores; an instruction that does both is two sites.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    pub(crate) address: u64,
    pub(crate) is_store: bool,
    /// When its object file was mapped.
    pub(crate) epoch: DebugEpoch,
}

/// All sites so far.
pub(crate) struct Sites {
    numbers: BTreeMap<(u64, bool), u32>,
    sites: Vec<Site>,
}

impl Sites {
    pub(crate) const fn new() -> Self {
        Self {
            numbers: BTreeMap::new(),
            sites: Vec::new(),
        }
    }

    /// The number of the site at `address`; the same again if its block is translated again.
    pub(crate) fn number(&mut self, address: u64, is_store: bool) -> u32 {
        let sites = &mut self.sites;
        *self.numbers.entry((address, is_store)).or_insert_with(|| {
            let number = u32::try_from(sites.len()).unwrap_or(u32::MAX);
            sites.push(Site {
                address,
                is_store,
                epoch: symbols::epoch(),
            });
            number
        })
    }

    /// The site with this number.
    pub(crate) fn get(&self, number: u32) -> Option<&Site> {
        self.sites.get(number as usize)
    }
}
