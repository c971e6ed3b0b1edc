//! What `grader footprint`, `grader reuse` and `grader tlb` show: reports as data, and their views.
//!
//! A report is made from a run's [`crate::tracer::Outcome`] and serialises to the JSON that the
//! commands print; a view turns a report into a table or a plot. Nothing here prints.

pub mod caches;
pub mod footprint_plot;
pub mod footprint_report;
pub mod footprint_text;
pub mod reuse_plot;
pub mod reuse_report;
pub mod reuse_text;
pub mod sizes;
pub mod source_line;
pub mod subject;
pub mod tlb_report;
pub mod tlb_text;

pub use caches::Cache;
pub use footprint_report::FootprintReport;
pub use reuse_report::ReuseReport;
pub use subject::Subject;
