//! What every lab stands on.
//!
//! A lab implements [`Lab`]: what goes in, what comes out, the frozen slow version, the reader's
//! version. The kit turns that into everything else with one line a file:
//!
//! | file of the lab | line |
//! | --- | --- |
//! | `src/main.rs` | [`main!`](crate::main) runs one variant plainly, for perf or a debugger |
//! | `tests/correct.rs` | [`gate!`] compares the solution with the baseline and the snapshots |
//! | `benches/instructions.rs` | [`instructions!`] counts under Valgrind, through iai-callgrind |
//! | the same, scored by a model | [`model_counts!`](crate::model_counts) prints what a simulation counts |
//! | `benches/time.rs` | [`time!`] times with criterion; never scored |

pub mod compare;
mod lab;
mod measured;
mod model_counts;
mod plain_run;
pub mod seed;

#[cfg(feature = "instructions")]
mod count_bench;
#[cfg(feature = "gate")]
pub mod gate;
#[cfg(feature = "time")]
mod time_bench;

pub use compare::{Compare, Difference};
pub use lab::{Case, Lab, Variant};
pub use measured::measured;
pub use model_counts::{ModelLab, print_model_counts};
pub use plain_run::run_plainly;
pub use seed::Seed;

#[cfg(feature = "instructions")]
pub use count_bench::{BenchFile, CountedGroup, GroupBenches, run_groups};
#[cfg(feature = "time")]
pub use criterion;
#[cfg(feature = "instructions")]
pub use iai_callgrind;
#[cfg(feature = "gate")]
pub use insta;
#[cfg(feature = "time")]
pub use time_bench::time_variants;
