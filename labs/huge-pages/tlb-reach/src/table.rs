//! The table's memory: a vector, or a buffer on pages of its own.

use std::ops::{Deref, DerefMut};

use huge::{Buffer, Error, Granted};

/// One cache line: a key, its value, and the columns of the row that nobody looks at here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Entry {
    /// 0 in an empty entry.
    pub key: u64,
    /// What is stored under the key.
    pub value: u64,
    /// The other columns.
    pub columns: [u64; 6],
}

impl Entry {
    /// An entry that holds no key.
    pub const EMPTY: Self = Self {
        key: 0,
        value: 0,
        columns: [0; 6],
    };
}

/// A table's entries, in the memory that it was given.
#[derive(Debug)]
pub struct Table(Memory);

#[derive(Debug)]
enum Memory {
    Vector(Vec<Entry>),
    Buffer(Buffer<Entry>),
}

impl Table {
    /// What pages the kernel gave.
    ///
    /// # Errors
    ///
    /// If the kernel's answer cannot be read.
    pub fn granted(&self) -> Result<Granted, Error> {
        match &self.0 {
            Memory::Vector(entries) => {
                let range = entries.as_ptr_range();
                Granted::of(range.start.addr()..range.end.addr())
            }
            Memory::Buffer(entries) => entries.granted(),
        }
    }
}

impl From<Vec<Entry>> for Table {
    fn from(entries: Vec<Entry>) -> Self {
        Self(Memory::Vector(entries))
    }
}

impl From<Buffer<Entry>> for Table {
    fn from(entries: Buffer<Entry>) -> Self {
        Self(Memory::Buffer(entries))
    }
}

impl Deref for Table {
    type Target = [Entry];

    fn deref(&self) -> &[Entry] {
        match &self.0 {
            Memory::Vector(entries) => entries,
            Memory::Buffer(entries) => entries,
        }
    }
}

impl DerefMut for Table {
    fn deref_mut(&mut self) -> &mut [Entry] {
        match &mut self.0 {
            Memory::Vector(entries) => entries,
            Memory::Buffer(entries) => entries,
        }
    }
}
