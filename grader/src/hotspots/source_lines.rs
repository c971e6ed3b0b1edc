//! From an instruction's address to the line that the reader wrote.

use std::path::Path;

use addr2line::Loader;

use super::callgrind::Cost;
use super::{Hotspots, Place, short_file, short_function};

/// The debug information of a lab's bench.
pub(super) struct SourceLines<'a> {
    loader: Loader,
    lab: &'a Path,
}

impl<'a> SourceLines<'a> {
    pub(super) fn of(program: &Path, lab: &'a Path) -> Result<Self, String> {
        let loader = Loader::new(program)
            .map_err(|error| format!("reading {}: {error}", program.display()))?;
        Ok(Self { loader, lab })
    }

    /// Gives each cost to a line: in the lab's own program to the innermost line that stands in the
    /// lab's solution or baseline, elsewhere to the line that Callgrind names.
    pub(super) fn attribute(&self, costs: Vec<Cost>, program: &Path) -> Hotspots {
        let mut hotspots = Hotspots::new();
        let name = program.file_name().unwrap_or_default();
        for cost in costs {
            let is_ours = Path::new(&cost.object).file_name() == Some(name);
            let place = if is_ours {
                self.place(cost.address)
            } else {
                None
            };
            let place = place.unwrap_or_else(|| Place {
                file: short_file(&cost.file, self.lab),
                line: cost.line,
                function: short_function(&cost.function),
            });
            *hotspots.entry(place).or_default() += cost.count;
        }
        hotspots
    }

    fn place(&self, address: u64) -> Option<Place> {
        let mut frames = self.loader.find_frames(address).ok()?;
        let mut best: Option<(u8, Place)> = None;
        while let Ok(Some(frame)) = frames.next() {
            let Some(location) = frame.location else {
                continue;
            };
            let Some(file) = location.file else { continue };
            let function = frame
                .function
                .as_ref()
                .and_then(|name| name.demangle().ok());
            let place = Place {
                file: short_file(file, self.lab),
                line: location.line.unwrap_or(0),
                function: short_function(&function.unwrap_or_default()),
            };
            let rank = self.rank(file);
            // Frames come from the innermost outwards: the first of the best rank stays.
            if best.as_ref().is_none_or(|(best, _)| rank > *best) {
                best = Some((rank, place));
            }
        }
        best.map(|(_, place)| place)
    }

    /// How much a reader can do about a line in this file.
    fn rank(&self, file: &str) -> u8 {
        let path = Path::new(file);
        let compared = [
            "src/solution.rs",
            "src/baseline.rs",
            "reference/solution.rs",
        ];
        if compared.iter().any(|name| path.ends_with(name)) {
            2
        } else {
            // What the bench itself does around the call is nobody's line.
            u8::from(path.starts_with(self.lab) && !path.starts_with(self.lab.join("benches")))
        }
    }
}
