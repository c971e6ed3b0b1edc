//! What the `grader` command is made of.
//!
//! ```text
//! commands ── one file per subcommand, what a person types
//!    │
//! grading ─── gate → measure → score, for many labs side by side
//!    │
//! course      the labs and their lab.toml         meter    what can be counted, and with what
//! build       cargo, asked for one lab's targets  hotspots where a count comes from
//! report      text and JSON                       profile  footprint and reuse of any program
//! pages       what of a process is on huge pages
//! plot        charts as SVG                       tracer   the Valgrind tool, built and run
//! host        processes, limits, tools, terminal  store    progress, remembered results
//! ```
//!
//! Arrows point down. Nothing here prints but `report` and `commands`.

pub mod build;
pub mod commands;
pub mod course;
pub mod error;
pub mod grading;
pub mod host;
pub mod hotspots;
pub mod meter;
pub mod pages;
pub mod pipeline;
pub mod plot;
pub mod profile;
pub mod report;
pub mod schedule;
pub mod store;
pub mod tracer;
