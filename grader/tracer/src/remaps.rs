//! System calls that change what is mapped where, or in which pages.

/// Numbers of the calls. Source: the kernel's `unistd_64.h`.
mod number {
    pub(super) const MMAP: u32 = 9;
    pub(super) const MPROTECT: u32 = 10;
    pub(super) const MUNMAP: u32 = 11;
    pub(super) const BRK: u32 = 12;
    pub(super) const MREMAP: u32 = 25;
    pub(super) const MADVISE: u32 = 28;
    pub(super) const SHMAT: u32 = 30;
    pub(super) const CLONE: u32 = 56;
    pub(super) const FORK: u32 = 57;
    pub(super) const VFORK: u32 = 58;
    pub(super) const SHMDT: u32 = 67;
    pub(super) const PRCTL: u32 = 157;
    pub(super) const REMAP_FILE_PAGES: u32 = 216;
    pub(super) const MBIND: u32 = 237;
    pub(super) const MOVE_PAGES: u32 = 279;
    pub(super) const PKEY_MPROTECT: u32 = 329;
    pub(super) const CLONE3: u32 = 435;
    pub(super) const PROCESS_MADVISE: u32 = 440;
}

/// Calls after which something may be mapped otherwise.
const CALLS: [u32; 18] = [
    number::MMAP,
    number::MPROTECT,
    number::MUNMAP,
    number::BRK,
    number::MREMAP,
    number::MADVISE,
    number::SHMAT,
    number::CLONE,
    number::FORK,
    number::VFORK,
    number::SHMDT,
    number::PRCTL,
    number::REMAP_FILE_PAGES,
    number::MBIND,
    number::MOVE_PAGES,
    number::PKEY_MPROTECT,
    number::CLONE3,
    number::PROCESS_MADVISE,
];

/// What a call changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The mappings of so many bytes from an address on.
    Range { first: u64, bytes: u64 },
    /// The end of the heap, to this address.
    Break(u64),
    /// There may be a second process that shares the pages.
    Fork,
    /// Anything.
    Everything,
}

/// Whether the call may change mappings or page sizes.
pub(crate) fn concerns(call: u32) -> bool {
    CALLS.contains(&call)
}

/// What the call with these arguments has changed, when it gave `value`.
pub(crate) fn changes(call: u32, arguments: &[u64], value: u64) -> [Option<Change>; 2] {
    let argument = |position: usize| arguments.get(position).copied().unwrap_or_default();
    let range = |first, bytes| Some(Change::Range { first, bytes });
    match call {
        number::MMAP => [range(value, argument(1)), None],
        number::MUNMAP | number::MPROTECT | number::PKEY_MPROTECT | number::MADVISE => {
            [range(argument(0), argument(1)), None]
        }
        number::MREMAP => [range(argument(0), argument(1)), range(value, argument(2))],
        number::BRK => [Some(Change::Break(value)), None],
        number::CLONE | number::CLONE3 | number::FORK | number::VFORK => [Some(Change::Fork), None],
        _ => [Some(Change::Everything), None],
    }
}
