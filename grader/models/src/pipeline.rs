//! An out-of-order core, cycle by cycle.
//!
//! A stream of executed instructions (with the addresses they touch and the way their branches went)
//! flows through the stages of a core: front end, rename, scheduler, execution with loads and
//! stores, in-order retirement. One file per stage, assembled in [`core_model::Core`], which reads like the
//! block diagram. What comes out is, for every instruction, when it waited and for what, and for the
//! whole run the exact critical path (see [`critical_path`]).
//!
//! What is left out: wrong-path execution (a mispredicted branch costs the refill, the wrong path
//! leaves no trace in the caches), memory disambiguation misses (loads know the stores they depend
//! on), 4 KiB aliasing, bank conflicts, SMT, and interrupts.
//!
//! The stages and the machines know nothing of x86; the feature `x86` adds the decoder, the
//! assembler and the interpreter that feed them from bytes or text.

mod cache;
mod core_model;
mod critical_path;
mod decoders;
mod front_end;
mod inst;
mod machine;
pub mod machines;
mod memory;
mod mirror;
mod predictor;
mod rename;
mod report;
mod retire;
mod scheduler;
mod steady_state;
mod uop;
mod window;
#[cfg(feature = "x86")]
pub mod x86;

pub use core_model::{Core, Limits};
pub use critical_path::{Limit, PathStep};
pub use inst::{BranchKind, Inst, Program, Step};
pub use machine::{CacheLevel, Machine, SchedulerGroup};
pub use report::{InstReport, PipelineReport, SplitCycles, TimelineEntry};
pub use steady_state::{LoopReport, simulate_loop};
pub use uop::{Cycle, Dest, PortSet, Register, Source, Uop, Work, registers};
