//! Modelled cycles of a lab's kernel: recorded by the tracer, run through a model core.
//!
//! The core is Golden Cove, whose instruction figures were held against a machine. It starts with
//! empty caches and an empty predictor; data pages count in the order of their first use, so neither
//! the host nor the layout of its memory has a say. The layout of the code has: a bench that was built
//! at another path holds that path, and its code stands a few bytes further on.

use std::path::Path;
use std::sync::OnceLock;

use models::pipeline::{Limits, machines::GOLDEN_COVE};

use super::{Instrument, Readings, tracer};
use crate::build::BuiltLab;
use crate::error::{Error, While as _};
use crate::host::tools::Missing;
use crate::pipeline::recorded::Recording;
use crate::tracer::request::Analysis;

/// Start of the name of the file with the cycles by instruction.
pub const CORE_COSTS: &str = "core";

/// Instructions that a kernel may execute: what is recorded and simulated within three seconds.
const MOST_INSTRUCTIONS: u64 = 4_000_000;
/// Of so many executed instructions at most one may lack figures: it would take no time.
const PER_UNKNOWN: u64 = 1000;

/// The versions of the tracer and of this program, which holds the model.
pub(super) fn version() -> Result<String, Missing> {
    static VERSION: OnceLock<Result<String, Missing>> = OnceLock::new();
    let version = VERSION.get_or_init(|| {
        let model = match std::env::current_exe() {
            Ok(program) => tracer::digest(&program)?,
            Err(_) => env!("CARGO_PKG_VERSION").to_owned(),
        };
        Ok(format!("{}, model {model}", tracer::version()?))
    });
    version.clone()
}

/// Measures one variant; which instructions the cycles belong to stays in `folder`.
pub(super) fn measure(lab: &BuiltLab, variant: &str, folder: &Path) -> Result<Readings, Error> {
    let failed = |found: String| Error::Measure {
        lab: lab.slug.clone(),
        tool: Instrument::Core.name(),
        found,
    };
    let analysis = Analysis::Trace {
        skip_calls: 0,
        skip_instructions: 0,
        limit: MOST_INSTRUCTIONS,
        names: false,
    };
    let outcome = tracer::outcome(Instrument::Core, lab, variant, analysis)?;
    let main = outcome.main();
    let executed = main.end.as_ref().map_or(0, |end| end.instructions);
    if executed > main.trace.totals.instructions {
        return Err(failed(too_long(variant, executed)));
    }
    let recording = Recording::new(&GOLDEN_COVE, &main.trace).map_err(failed)?;
    let unknown = recording.unknown();
    let unknown_executions: u64 = unknown.iter().map(|unknown| unknown.executions).sum();
    if let Some(worst) = unknown.first()
        && unknown_executions > executed / PER_UNKNOWN
    {
        return Err(failed(format!(
            "the {variant} executes {} times `{}`, for which the model has no figures, and {} \
             other such instructions; use others",
            worst.executions,
            worst.name,
            unknown_executions - worst.executions
        )));
    }
    let run = recording.run(Limits::default());
    let costs = recording.path_costs(&main.trace, &run);
    let costs = serde_json::to_vec(&costs).expect("costs hold only plain data");
    let file = folder.join(format!("{CORE_COSTS}.out"));
    std::fs::write(&file, costs).while_trying(|| format!("writing {}", file.display()))?;
    Ok(Readings::from([("cycles".to_owned(), run.cycles)]))
}

/// Why a kernel of `executed` instructions is not simulated.
fn too_long(variant: &str, executed: u64) -> String {
    format!(
        "the {variant} executes {executed} instructions, and {MOST_INSTRUCTIONS} can be \
         simulated; do the same work in fewer"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_that_is_too_long_is_told_how_long_it_is_and_what_to_do() {
        let error = Error::Measure {
            lab: "accumulators".to_owned(),
            tool: Instrument::Core.name(),
            found: too_long("solution", 6_543_210),
        };
        let text = crate::error::for_terminal(&error, 80);
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["accumulators", "6543210", "4000000", "in fewer"] {
            assert!(flat.contains(part), "{part} is missing in {flat}");
        }
    }
}
