//! The programs: each generates its own tasks and accesses, at the paper's size or scaled down.
//!
//! Source of all of them: Simhadri et al., TOPC 2016, section 5.1, and the sizes and annotations in
//! the harness that the authors published with it.

mod parts;
mod rrg;
mod rrm;

pub use rrg::Rrg;
pub use rrm::Rrm;
