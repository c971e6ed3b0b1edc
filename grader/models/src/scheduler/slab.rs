//! Reusable slots with a generation each, so that an old name of a reused slot is recognised.

use alloc::vec::Vec;

#[derive(Clone, Debug)]
pub(crate) struct Slab<T> {
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

impl<T> Slab<T> {
    pub(crate) fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Stores a value; returns its slot and generation.
    pub(crate) fn insert(&mut self, value: T) -> (u32, u32) {
        if let Some(slot) = self.free.pop() {
            let entry = &mut self.slots[slot as usize];
            entry.1 = Some(value);
            return (slot, entry.0);
        }
        let slot = u32::try_from(self.slots.len()).expect("fewer than 2^32 live values");
        self.slots.push((0, Some(value)));
        (slot, 0)
    }

    pub(crate) fn get(&self, slot: u32) -> Option<&T> {
        self.slots
            .get(slot as usize)
            .and_then(|entry| entry.1.as_ref())
    }

    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.slots
            .get_mut(slot as usize)
            .and_then(|entry| entry.1.as_mut())
    }

    /// Whether this slot was ever given out with this generation.
    pub(crate) fn was_given(&self, slot: u32, generation: u32) -> bool {
        self.slots.get(slot as usize).is_some_and(|entry| {
            generation < entry.0 || (generation == entry.0 && entry.1.is_some())
        })
    }

    pub(crate) fn generation(&self, slot: u32) -> Option<u32> {
        self.slots.get(slot as usize).map(|entry| entry.0)
    }

    pub(crate) fn remove(&mut self, slot: u32) -> Option<T> {
        let entry = self.slots.get_mut(slot as usize)?;
        let value = entry.1.take()?;
        entry.0 = entry.0.wrapping_add(1);
        self.free.push(slot);
        Some(value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().filter_map(|entry| entry.1.as_ref())
    }
}
