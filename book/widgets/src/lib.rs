//! The live figures of the book: patterns in, numbers from `models` out, as JSON.
//!
//! The scripts beside this crate draw what they are given and compute nothing. The same functions
//! run natively (see the example `reuse_json` and the snapshots in `tests/schedule`), and tests in a
//! browser check that both print the same bytes.

mod letters;
mod pattern;
mod reuse;
mod schedule;
mod table;

pub use letters::LettersError;
pub use pattern::{Pattern, PatternError};
pub use reuse::{Analysis, analyse};
pub use schedule::{Counts, RequestError, Timeline, timeline};
pub use table::{archetypes, table};

use wasm_bindgen::prelude::wasm_bindgen;

/// The analysis behind `<reuse-distance>` as JSON; see [`Analysis`] for its shape.
///
/// `pattern` is a name of [`Pattern::NAMES`]; `size_lines` is for the generated ones, `letters` and
/// `lines` for the typed one.
///
/// # Errors
///
/// A sentence for the reader, where the pattern cannot be made.
#[wasm_bindgen]
pub fn reuse_distance(
    pattern: &str,
    size_lines: u32,
    letters: &str,
    lines: &str,
) -> Result<String, String> {
    let pattern = Pattern::from_parts(pattern, size_lines, letters, lines)
        .map_err(|error| error.to_string())?;
    Ok(serde_json::to_string(&analyse(&pattern)).expect("numbers and names are always JSON"))
}

/// The run behind `<schedule-timeline>` as JSON; see [`Timeline`] for its shape.
///
/// # Errors
///
/// A sentence for the reader, where a name is unknown.
#[wasm_bindgen]
pub fn schedule(
    program: &str,
    machine: &str,
    scheduler: &str,
    seed: u32,
) -> Result<String, String> {
    let drawn = timeline(program, machine, scheduler, u64::from(seed))
        .map_err(|error| error.to_string())?;
    Ok(serde_json::to_string(&drawn).expect("numbers and names are always JSON"))
}
