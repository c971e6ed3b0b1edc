//! Where a count comes from: functions and source lines, from an instrument's own files.

mod callgrind;
mod core;
mod dhat;
mod source_lines;

use std::collections::BTreeMap;
use std::path::Path;

use crate::build::BuiltLab;
use crate::error::{Error, While as _};
use crate::grading::Measured;
use crate::meter::{Instrument, Meter};

/// A source line in a function.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The source file, from the lab's folder on where it lies there.
    pub file: String,
    /// The line, from 1; 0 where only the function is known.
    pub line: u32,
    /// The function, without its path and its hash.
    pub function: String,
}

/// Counts by place.
pub type Hotspots = BTreeMap<Place, u64>;

/// Where the counts of `meter` come from in one measured variant.
///
/// A count in code that was inlined, or in an allocator called from it, is the reader's line's.
///
/// # Errors
///
/// If the instrument's files cannot be read.
pub fn of(meter: &Meter, lab: &BuiltLab, measured: &Measured) -> Result<Hotspots, Error> {
    let failed = |found: String| Error::Measure {
        lab: lab.slug.clone(),
        tool: meter.instrument.name(),
        found,
    };
    let name = match meter.instrument {
        Instrument::Callgrind | Instrument::CallgrindBranches => "callgrind.",
        Instrument::Dhat => "dhat.",
        Instrument::Core => crate::meter::CORE_COSTS,
        Instrument::Model => {
            return Err(failed(
                "it counts virtual events, which stand on no line of yours; the lab's page says \
                 what they are"
                    .into(),
            ));
        }
        Instrument::Lines | Instrument::Pages | Instrument::Reuse | Instrument::Walks => {
            let instead = meter.instrument.closer_look(&lab.slug).unwrap_or_default();
            return Err(failed(format!(
                "it does not keep the lines that a count comes from; `{instead}` looks for them"
            )));
        }
    };
    let file = crate::meter::output_file(&measured.files, name).ok_or_else(|| {
        failed(format!(
            "there is no output in {}",
            measured.files.display()
        ))
    })?;
    let text =
        std::fs::read_to_string(&file).while_trying(|| format!("reading {}", file.display()))?;
    let costs = match meter.instrument {
        Instrument::Dhat => {
            return dhat::hotspots(&text, meter.readings, &lab.folder).map_err(failed);
        }
        Instrument::Core => core::costs(&text).map_err(failed)?,
        _ => callgrind::costs(&text, meter.readings).map_err(failed)?,
    };
    let lines = source_lines::SourceLines::of(&lab.bench, &lab.folder).map_err(failed)?;
    Ok(lines.attribute(costs, &lab.bench))
}

/// Sums over the lines of each function.
pub fn by_function(hotspots: &Hotspots) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for (place, count) in hotspots {
        *sums.entry(place.function.clone()).or_default() += count;
    }
    sums
}

/// `loop_interchange::baseline::multiply` from `…::h0123456789abcdef` forms, generic arguments kept.
fn short_function(name: &str) -> String {
    let name = match name.rsplit_once("::h") {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
            name
        }
        _ => name,
    };
    name.to_owned()
}

/// A path from the lab's folder on, or its last two names.
fn short_file(file: &str, lab: &Path) -> String {
    let path = Path::new(file);
    if let Ok(within) = path.strip_prefix(lab) {
        // The reference is compiled from `src` as `../reference`.
        let within = within.strip_prefix("src/..").unwrap_or(within);
        return within.display().to_string();
    }
    let names: Vec<_> = path.iter().rev().take(2).collect();
    let names: std::path::PathBuf = names.into_iter().rev().collect();
    names.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::short_function;

    #[test]
    fn the_hash_at_the_end_of_a_name_is_dropped() {
        assert_eq!(
            short_function("lab::baseline::multiply::h0123456789abcdef"),
            "lab::baseline::multiply"
        );
        assert_eq!(short_function("core::hash"), "core::hash");
    }
}
