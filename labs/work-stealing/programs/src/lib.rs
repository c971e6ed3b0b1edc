//! Five fork-join programs, each generic over the runtime that runs it.
//!
//! | program | what it does | its parallelism |
//! | --- | --- | --- |
//! | [`fib::fib`] | nothing but forks | two calls at every level |
//! | [`lu::lu`] | factors a matrix in tiles | quadrants |
//! | [`matmul::matmul`] | multiplies matrices | halves of the larger output dimension |
//! | [`plu::plu`] | factors with partial pivoting | rows of a panel, and panels |
//! | [`quicksort::quicksort`] | sorts in place | the two sides of a partition |
//!
//! Written from published descriptions of the programs that came with Cilk. With [`Serial`] in
//! place of a runtime each becomes its serial elision: the same calls, one after the other.

mod blocks;
mod fork_join;
mod par;
mod random;
mod view;

pub mod fib;
pub mod lu;
pub mod matmul;
pub mod plu;
pub mod quicksort;

pub use blocks::{BlockMatrix, TILE, Tile};
pub use fork_join::{Chili, ForkJoin, Forte, Magpie, Rayon, Serial};
pub use random::Random;
