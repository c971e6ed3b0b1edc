//! Memory renaming: a load that plainly reads what a store before it wrote takes the store's value at
//! rename.
//!
//! "Plainly" means: both name the address by the same base register and displacement, the register
//! has not been written in between, and both are as wide as a general-purpose register. The load
//! still executes, to check. Source: Agner Fog, microarchitecture manual, "mirroring memory
//! operands"; on Golden Cove measured with this repository's `pipeline_reference` example.

use super::uop::{Register, registers};
use super::window::Sequence;

/// Stores that are remembered. Source: Agner Fog, in the same place, gives no number; eight cover the
/// spilled variables of an inner loop.
const ENTRIES: usize = 8;

/// Who delivers a value, as rename knows it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry<Writer> {
    base: Register,
    version: u32,
    displacement: i64,
    data: Sequence,
    writer: Writer,
}

/// The values of recent stores by the way their addresses were spelled.
pub(super) struct Mirror<Writer> {
    entries: [Option<Entry<Writer>>; ENTRIES],
    next: usize,
    versions: [u32; registers::COUNT],
}

impl<Writer: Copy> Mirror<Writer> {
    pub(super) const fn new() -> Self {
        Self {
            entries: [None; ENTRIES],
            next: 0,
            versions: [0; registers::COUNT],
        }
    }

    /// `register` gets a new value.
    pub(super) fn written(&mut self, register: Register) {
        let version = &mut self.versions[usize::from(register)];
        *version = version.wrapping_add(1);
    }

    /// A store spelled `address` takes the value of `writer`; `data` delivers it.
    pub(super) fn store(&mut self, address: (Register, i64), data: Sequence, writer: Writer) {
        let (base, displacement) = address;
        let version = self.versions[usize::from(base)];
        self.entries[self.next] = Some(Entry {
            base,
            version,
            displacement,
            data,
            writer,
        });
        self.next = (self.next + 1) % ENTRIES;
    }

    /// Whose value a load spelled `address` can take, if `data` is the store that it depends on.
    pub(super) fn load(&self, address: (Register, i64), data: Sequence) -> Option<Writer> {
        let (base, displacement) = address;
        let version = self.versions[usize::from(base)];
        let found = self.entries.iter().flatten().find(|entry| {
            entry.data == data
                && (entry.base, entry.displacement, entry.version) == (base, displacement, version)
        })?;
        Some(found.writer)
    }
}
