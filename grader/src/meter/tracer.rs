//! Lines, pages, reuse distances and page walks of a lab's kernel, through the tracer.
//!
//! What runs is the bench that iai-callgrind drives, told by the same arguments which variant to run,
//! so that all meters count the same code on the same input.

use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};

use super::{Instrument, Readings};
use crate::build::BuiltLab;
use crate::error::Error;
use crate::host::tools::{self, Missing};
use crate::profile::{sizes::Unit, tlb_report::UNKNOWN_SIZES};
use crate::tracer::translations::{BySize, Translations};
use crate::tracer::{
    Outcome, Program, Request, Tool, TracerError,
    request::{Analysis, PageSource},
};

/// The cache that the meter `reuse` compares with, in lines.
/// Source: iai-callgrind's fixed D1 of 32768 B with lines of 64 B, as the meter `l1-misses` has it.
const CACHE_LINES: u32 = 512;

/// The bench's function, which iai-callgrind's runner counts from its entry to its return too. One of
/// them runs; its own name is no help, since the compiler merges functions that are alike.
/// Source: the macro `library_benchmark` of iai-callgrind.
const BENCH: &str = "__iai_callgrind_wrapper_mod::*";
/// The core whose TLBs the meters of page walks model: the one with the greatest reach.
const WALKS_MACHINE: &str = "zen4";

/// glibc chooses its memcpy and its kin by the host's CPU. Without the wide ones every host runs the
/// same instructions. Source: what lab-kit gives to iai-callgrind.
const SAME_LIBC_EVERYWHERE: &str = "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-ERMS,-FSRM,\
     -AVX512F,-AVX512F_Usable,-AVX512VL,-AVX_Fast_Unaligned_Load,-Prefer_No_VZEROUPPER";

fn tool() -> Result<&'static Tool, Missing> {
    static TOOL: OnceLock<Result<Tool, Missing>> = OnceLock::new();
    let prepared = TOOL.get_or_init(|| {
        tools::valgrind()?;
        Tool::prepare().map_err(|why| Missing {
            tool: "the tracer",
            found: why.to_string(),
            remedy: tools::install("valgrind"),
        })
    });
    prepared.as_ref().map_err(Clone::clone)
}

/// The versions of Valgrind and of the tool itself.
pub(super) fn version() -> Result<String, Missing> {
    static VERSION: OnceLock<Result<String, Missing>> = OnceLock::new();
    let version = VERSION.get_or_init(|| {
        let tool = tool()?;
        let digest = digest(&tool.file())?;
        Ok(format!("{}, tool {digest}", tool.valgrind.version))
    });
    version.clone()
}

/// What distinguishes a program from its other versions.
pub(super) fn digest(program: &Path) -> Result<String, Missing> {
    let binary = std::fs::read(program).map_err(|why| Missing {
        tool: "the tracer",
        found: format!("{} cannot be read: {why}", program.display()),
        remedy: "grade again".into(),
    })?;
    let digest = Sha256::digest(&binary);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Measures one variant.
pub(super) fn measure(
    instrument: Instrument,
    lab: &BuiltLab,
    variant: &str,
) -> Result<Readings, Error> {
    let analysis = match instrument {
        Instrument::Pages => footprint(Unit::PAGE),
        Instrument::Reuse => Analysis::Reuse {
            in_locations: false,
            list: 0,
            sites: 0,
            caches_lines: vec![CACHE_LINES],
        },
        Instrument::Walks => Analysis::Tlb {
            machine: WALKS_MACHINE,
            pages: PageSource::Process,
            interval: None,
            sites: 0,
        },
        _ => footprint(Unit::LINE),
    };
    let outcome = outcome(instrument, lab, variant, analysis)?;
    Ok(readings(instrument, &outcome))
}

/// The whole environment of runs whose counts must be the same everywhere.
pub fn same_environment() -> Vec<(OsString, OsString)> {
    vec![("GLIBC_TUNABLES".into(), SAME_LIBC_EVERYWHERE.into())]
}

/// Runs one variant's bench under the tracer.
pub(super) fn outcome(
    instrument: Instrument,
    lab: &BuiltLab,
    variant: &str,
    analysis: Analysis,
) -> Result<Outcome, Error> {
    let mut request = Request::new(analysis);
    request.function = Some(BENCH.to_owned());
    request.environment = Some(same_environment());
    let outcome = run(lab, variant, &request).map_err(|why| match why {
        TracerError::Interrupted { .. } => Error::Interrupted,
        why => Error::Measure {
            lab: lab.slug.clone(),
            tool: instrument.name(),
            found: why.to_string(),
        },
    })?;
    if !outcome.ending.is_complete() {
        return Err(Error::Measure {
            lab: lab.slug.clone(),
            tool: instrument.name(),
            found: outcome.ending.to_string(),
        });
    }
    let translations = outcome.main().translations.as_ref();
    if translations.is_some_and(|translations| !translations.knows_sizes()) {
        return Err(Error::Measure {
            lab: lab.slug.clone(),
            tool: instrument.name(),
            found: UNKNOWN_SIZES.to_owned(),
        });
    }
    Ok(outcome)
}

fn footprint(unit: Unit) -> Analysis {
    Analysis::Footprint {
        interval: None,
        unit_shift: unit.shift(),
        per_thread: false,
    }
}

fn run(lab: &BuiltLab, variant: &str, request: &Request) -> Result<Outcome, TracerError> {
    let tool = tool().map_err(|missing| TracerError::Build {
        found: missing.to_string(),
    })?;
    let arguments = ["--iai-run", variant, "0", "0"].map(Into::into).to_vec();
    let mut program = Program::find(lab.bench.as_os_str(), arguments)?;
    // A program's own path lies on its stack and shifts what stands above it, so that other lines
    // conflict. `./name-hash` is as long in every checkout and with every target folder.
    if let (Some(folder), Some(name)) = (lab.bench.parent(), lab.bench.file_name()) {
        program.path = Path::new(".").join(name);
        program.folder = Some(folder.to_owned());
    }
    tool.run(&program, request)
}

fn readings(instrument: Instrument, outcome: &Outcome) -> Readings {
    let main = outcome.main();
    let touched = main.end.as_ref().and_then(|end| end.total);
    let translations = main.translations.as_ref();
    let walks = |side: fn(&Translations) -> &BySize| {
        translations.map(|translations| side(translations).total().walks)
    };
    let readings = match instrument {
        Instrument::Pages => vec![("pages", touched.map(|touched| touched.new))],
        Instrument::Reuse => {
            let misses = main.reuse.as_ref().and_then(|reuse| reuse.misses.first());
            vec![("far-reuses", misses.copied())]
        }
        Instrument::Walks => vec![
            ("data-walks", walks(|of| &of.counts.data)),
            ("instruction-walks", walks(|of| &of.counts.instruction)),
        ],
        _ => vec![("lines", touched.map(|touched| touched.new))],
    };
    readings
        .into_iter()
        .filter_map(|(name, count)| Some((name.to_owned(), count?)))
        .collect()
}
