//! Loops on a model core: what holds them back, and which instructions form the critical chain.

pub mod accuracy;
pub mod analysis;
pub mod diagram;
pub mod recorded;
pub mod svg;
pub mod text;

pub use analysis::{Analysis, Request, analyze};
