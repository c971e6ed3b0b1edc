//! One access to memory, as a traced program makes it and every model takes it.

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// Data is read.
    Load,
    /// Data is written.
    Store,
    /// An instruction is fetched.
    Fetch,
}

impl AccessKind {
    /// Every kind, in the order of their indices.
    pub const ALL: [Self; 3] = [Self::Load, Self::Store, Self::Fetch];

    /// Position in [`Self::ALL`], for tables with one entry per kind.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Load => 0,
            Self::Store => 1,
            Self::Fetch => 2,
        }
    }
}

/// One access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The first byte touched.
    pub address: u64,
    /// How many bytes are touched, from `address` on. An access of no bytes touches nothing.
    pub size_bytes: u32,
    /// What the access does.
    pub kind: AccessKind,
    /// Where the instruction stands that makes the access.
    pub instruction: u64,
}

impl Access {
    /// The units of `1 << unit_shift` bytes (lines, pages) that the access touches, lowest first.
    #[must_use]
    pub fn units(&self, unit_shift: u32) -> impl ExactSizeIterator<Item = u64> + use<> {
        units(self.address, u64::from(self.size_bytes), unit_shift)
    }
}

/// The units of `1 << unit_shift` bytes that `size_bytes` bytes from `address` on touch, lowest first.
///
/// A range that would pass the end of the address space ends there.
pub(crate) fn units(
    address: u64,
    size_bytes: u64,
    unit_shift: u32,
) -> impl ExactSizeIterator<Item = u64> + use<> {
    let first = address >> unit_shift;
    let count = match size_bytes.checked_sub(1) {
        None => 0,
        Some(beyond) => (address.saturating_add(beyond) >> unit_shift) - first + 1,
    };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    (0..count).map(move |offset| first + offset as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{vec, vec::Vec};

    fn load(address: u64, size_bytes: u32) -> Access {
        Access {
            address,
            size_bytes,
            kind: AccessKind::Load,
            instruction: 0x40_0000,
        }
    }

    #[test]
    fn load_across_a_line_boundary_touches_two_lines() {
        let lines: Vec<u64> = load(0x103f, 2).units(6).collect();
        assert_eq!(lines, vec![0x40, 0x41]);
    }

    #[test]
    fn load_that_ends_at_a_line_boundary_touches_one_line() {
        let lines: Vec<u64> = load(0x1038, 8).units(6).collect();
        assert_eq!(lines, vec![0x40]);
    }

    #[test]
    fn access_of_no_bytes_touches_nothing() {
        assert_eq!(load(0x1000, 0).units(6).len(), 0);
    }

    #[test]
    fn access_at_the_end_of_the_address_space_does_not_wrap() {
        assert_eq!(load(u64::MAX, 16).units(6).len(), 1);
    }
}
