//! Exact reuse distance, temporal and spatial, and the miss ratio curve that follows from it.
//!
//! # What is modelled
//!
//! Take one access to address `x` in cache line `L`. Two earlier accesses can help it:
//!
//! - the last access to `x` itself: the *temporal* reuse;
//! - the last access to another address in `L`: the *spatial* reuse.
//!
//! An access can have both, one, or neither. Its *distance* is how much else was touched since:
//! the distinct units, other than its own, that were touched between that earlier access and this
//! one. The unit is a parameter, [`Unit`]:
//!
//! - [`Lines`] counts distinct cache lines other than `L`. This is the unit of caches: the smaller
//!   of the two distances is the depth of `L` in an LRU stack of lines, so an access hits a fully
//!   associative LRU cache of `n` lines if and only if it is below `n`.
//! - [`Locations`] counts distinct addresses other than `x`. This is the unit of the worked
//!   example that teaches the idea: with a, b, c in one line and d, e in the next, the accesses
//!   `a b e b c d a` give the last one a temporal distance of 4 (b, c, d, e), and d, which comes
//!   to a line that e had brought in, a spatial distance of 2 (b, c). In lines both are 1.
//!
//! An address is the first byte of an access. An access that crosses into the next line is one
//! touch of each line, the second at that line's first byte.
//!
//! # How, and what it costs
//!
//! Each unit holds one slot on a time axis: the one of its last use. The units touched since time
//! `t` are the occupied slots after `t`, counted in a bitmap with counters above it (`slots`).
//! Slots of units that were touched again lie empty; when the axis is full the occupied ones are
//! moved together, which keeps every distance. Memory is bounded by what the program touches, not
//! by how long it runs; [`ReuseDistance::memory_bytes`] tells it, and `last_use` states the bound.
//!
//! # Left out
//!
//! Associativity, prefetching, writes back and coherence. A set-associative cache of the same size
//! misses a little more often, or much more when addresses collide.
//!
//! Source of the two kinds and of the worked example: the course's notes on memory profiling; of
//! the stack and its curve: Mattson, Gecsei, Slutz, Traiger, IBM Systems Journal 9(2), 1970.

mod curve;
mod distances;
mod engine;
mod histogram;
mod last_use;
mod profile;
mod site;
mod slots;
pub mod stack_walk;
#[cfg(test)]
mod tests;
mod unit;

pub use curve::MissRatioCurve;
pub use distances::Distances;
pub use engine::ReuseDistance;
pub use histogram::{Bin, Histogram};
pub use profile::ReuseProfile;
pub use site::{SiteId, SiteReuse};
pub use unit::{Lines, Locations, Unit};

/// Bytes of a cache line, on every x86-64 processor so far.
pub const LINE_BYTES: u64 = 64;

/// Lines touched by an access, in address order, each with the first byte touched in it.
#[inline]
pub(crate) fn touches(address: u64, size_bytes: u64) -> impl Iterator<Item = u64> {
    let last = address.saturating_add(size_bytes.saturating_sub(1));
    let lines = (last / LINE_BYTES) - (address / LINE_BYTES);
    (0..=lines).map(move |line| {
        if line == 0 {
            address
        } else {
            (address / LINE_BYTES + line) * LINE_BYTES
        }
    })
}
