//! Reads the allocations in a dhat.out file.
//!
//! Format: dhatFileVersion 2, as `dh_view.js` of Valgrind describes it: `pps` are program points
//! with totals and a stack of indices into the frame table `ftbl`, innermost first.

use std::path::Path;

use serde::Deserialize;

use super::{Hotspots, Place, short_file, short_function};

#[derive(Deserialize)]
struct Profile {
    pps: Vec<ProgramPoint>,
    ftbl: Vec<String>,
}

#[derive(Deserialize)]
struct ProgramPoint {
    /// Total bytes and blocks; bytes and blocks at this point's own peak.
    tb: u64,
    tbk: u64,
    #[serde(default)]
    mb: u64,
    fs: Vec<usize>,
}

/// The frame that iai-callgrind puts around what is measured.
const MEASURED: &str = "__iai_callgrind_wrapper_mod";

/// Where what `readings` name was allocated, within what is measured.
pub(super) fn hotspots(text: &str, readings: &[&str], lab: &Path) -> Result<Hotspots, String> {
    let profile: Profile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut hotspots = Hotspots::new();
    for point in &profile.pps {
        let frames: Vec<&str> = point
            .fs
            .iter()
            .filter_map(|&index| profile.ftbl.get(index))
            .map(String::as_str)
            .collect();
        if !frames.iter().any(|frame| frame.contains(MEASURED)) {
            continue;
        }
        let count = match readings {
            ["TotalBlocks"] => point.tbk,
            ["TotalBytes"] => point.tb,
            _ => point.mb,
        };
        *hotspots.entry(place(&frames, lab)).or_default() += count;
    }
    Ok(hotspots)
}

/// The innermost frame that stands in the solution or the baseline, else the innermost.
fn place(frames: &[&str], lab: &Path) -> Place {
    let places: Vec<Place> = frames
        .iter()
        .filter_map(|frame| parsed(frame, lab))
        .collect();
    let is_compared = |place: &&Place| {
        let file = Path::new(&place.file);
        ["solution.rs", "baseline.rs"]
            .iter()
            .any(|name| file.ends_with(name))
    };
    let own = places.iter().find(is_compared).or(places.first());
    own.cloned().unwrap_or(Place {
        file: "?".into(),
        line: 0,
        function: "?".into(),
    })
}

/// `0x4A1B2C: lab::solution::tokens (solution.rs:12)`
fn parsed(frame: &str, lab: &Path) -> Option<Place> {
    let (_, frame) = frame.split_once(": ")?;
    let (function, place) = frame.rsplit_once(" (")?;
    let place = place.trim_end_matches(')');
    // An object without line numbers is shown as `in /usr/lib/object.so`.
    let place = place.strip_prefix("in ").unwrap_or(place);
    let (file, line) = place.rsplit_once(':').unwrap_or((place, "0"));
    let file = short_file(file, lab);
    // Valgrind leaves the folders out.
    let in_lab = ["solution.rs", "baseline.rs"].contains(&file.as_str());
    Some(Place {
        file: if in_lab { format!("src/{file}") } else { file },
        line: line.parse().unwrap_or(0),
        function: short_function(function),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::hotspots;

    #[test]
    fn allocations_outside_of_the_measured_call_do_not_count() {
        let text = serde_json::json!({
            "pps": [
                {"tb": 64, "tbk": 4, "mb": 16, "fs": [1, 2, 3]},
                {"tb": 9, "tbk": 9, "mb": 9, "fs": [1, 2]},
            ],
            "ftbl": [
                "[root]",
                "0x1: alloc::alloc::alloc (alloc.rs:95)",
                "0x2: lab::solution::tokens (solution.rs:12)",
                "0x3: bench::__iai_callgrind_wrapper_mod::count (instructions.rs:2)",
            ],
        });
        let found = hotspots(&text.to_string(), &["TotalBlocks"], Path::new("/lab")).unwrap();
        let (place, count) = found.iter().next().unwrap();
        assert_eq!(
            (place.file.as_str(), place.line, *count),
            ("src/solution.rs", 12, 4)
        );
        assert_eq!(found.len(), 1);
    }
}
