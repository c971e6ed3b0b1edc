//! The process's mappings, and which of them the program has accessed.

use super::smaps::Area;
use crate::valgrind::{files::File, process};
use alloc::{string::String, vec::Vec};

/// What an address without a mapping belongs to: a page that was unmapped meanwhile, or code that the
/// kernel runs in the program's name.
const NOWHERE: &str = "[none]";

/// A mapping that was accessed. All of a file's mappings with the same rights are one.
#[derive(Clone)]
pub(crate) struct Mapping {
    /// The file's path, a name of the kernel's such as `[stack]`, or empty.
    pub(crate) name: String,
    /// Rights as `/proc/self/maps` prints them.
    pub(crate) rights: String,
    /// First byte ever, and the one after the last.
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// The kernel's list, as far as it is known.
pub(super) struct Mappings {
    /// In order of addresses; each with the number of its mapping, if it was accessed.
    areas: Vec<(Area, Option<usize>)>,
    /// The area found last.
    last: usize,
    known: Vec<Mapping>,
    is_stale: bool,
    /// The list was read in this batch of accesses: what it lacks is not there.
    is_fresh: bool,
}

impl Mappings {
    pub(super) fn new() -> Self {
        Self {
            areas: Vec::new(),
            last: 0,
            known: Vec::new(),
            is_stale: true,
            is_fresh: false,
        }
    }

    /// The list has changed; it is read again when it is next needed.
    pub(super) fn are_stale(&mut self) {
        self.is_stale = true;
    }

    /// A batch of accesses ends.
    pub(super) fn batch_ends(&mut self) {
        self.is_fresh = false;
    }

    pub(super) fn known(&self) -> &[Mapping] {
        &self.known
    }

    /// The area that `address` lies in, which [`Self::number_at`] has just found.
    pub(super) fn area_at(&self, address: u64) -> Option<&Area> {
        let (area, _) = self.areas.get(self.last)?;
        area.holds(address).then_some(area)
    }

    /// The number of the mapping that `address` lies in.
    #[inline]
    pub(super) fn number_at(&mut self, address: u64) -> usize {
        if let Some((area, Some(number))) = self.areas.get(self.last)
            && area.holds(address)
            && !self.is_stale
        {
            return *number;
        }
        self.look_up(address)
    }

    fn look_up(&mut self, address: u64) -> usize {
        if self.is_stale {
            self.read();
        }
        let mut position = self.position(address);
        if position.is_none() && !self.is_fresh {
            // A stack grows without a system call.
            self.read();
            position = self.position(address);
        }
        let Some(position) = position else {
            return self.number_of(&Area::nameless(NOWHERE));
        };
        self.last = position;
        match self.areas.get(position).cloned() {
            Some((_, Some(number))) => number,
            Some((area, None)) => {
                let number = self.number_of(&area);
                if let Some(entry) = self.areas.get_mut(position) {
                    entry.1 = Some(number);
                }
                number
            }
            None => 0,
        }
    }

    /// Position of the area that `address` lies in.
    fn position(&self, address: u64) -> Option<usize> {
        let after = self
            .areas
            .partition_point(|(area, _)| area.start <= address);
        let position = after.checked_sub(1)?;
        let (area, _) = self.areas.get(position)?;
        area.holds(address).then_some(position)
    }

    /// The number of the mapping that an area is part of, perhaps a new one.
    fn number_of(&mut self, area: &Area) -> usize {
        let mut known = self.known.iter_mut();
        let position = known.position(|mapping| {
            let same = mapping.name == area.name && mapping.rights == area.rights;
            let meets = area.start <= mapping.end && mapping.start <= area.end;
            same && (meets || !area.name.is_empty())
        });
        if let Some(mapping) = position.and_then(|number| self.known.get_mut(number)) {
            mapping.start = mapping.start.min(area.start);
            mapping.end = mapping.end.max(area.end);
        } else {
            self.known.push(Mapping {
                name: area.name.clone(),
                rights: area.rights.clone(),
                start: area.start,
                end: area.end,
            });
        }
        position.unwrap_or(self.known.len() - 1)
    }

    /// Reads the list anew.
    fn read(&mut self) {
        self.is_stale = false;
        self.is_fresh = true;
        self.last = usize::MAX;
        let text = File::open(c"/proc/self/maps").map(|file| file.read_to_end());
        let text = text.unwrap_or_default();
        let areas = text.split(|&byte| byte == b'\n').filter_map(Area::parse);
        let stack = process::stack_pointer();
        self.areas = areas
            .map(|mut area| {
                // Valgrind maps the program's stack itself, so the kernel has no name for it.
                if area.holds(stack) && area.name.is_empty() {
                    area.name = "[stack]".into();
                }
                (area, None)
            })
            .collect();
    }
}
