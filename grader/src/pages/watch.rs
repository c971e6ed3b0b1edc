//! A program that is started here and looked at when it has most memory.
//!
//! Every few milliseconds its size is read, and whenever that is a new high, its mappings. What is
//! shown is the last such look. A peak shorter than the time between two looks is missed.

use std::fs;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use super::report::{Looked, Moment};
use super::{Mapping, PagesError, PagesReport, circumstances, mappings_of};
use crate::host::interrupt;
use crate::tracer::Program;

/// Between two looks: short against what a person calls a phase of a program, long against the time
/// that a look takes.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// A program that has ended, or was ended.
#[derive(Debug)]
pub struct Watched {
    /// What was found at its peak.
    pub report: PagesReport,
    /// How it ended, if not well.
    pub remark: Option<String>,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
}

/// Runs the program to its end.
///
/// # Errors
///
/// If it cannot be started or is over before the first look.
pub fn run(program: &Program) -> Result<Watched, PagesError> {
    let attempt = |source| PagesError::Io {
        what: format!("running `{}`", program.name),
        source,
    };
    let mut child = Command::new(&program.path)
        .args(&program.arguments)
        .spawn()
        .map_err(attempt)?;
    let process = child.id();
    let mut best: Option<Peak> = None;
    let mut samples = 0;
    let (status, interrupted) = loop {
        if let Some(peak) = look(process, best.as_ref()) {
            best = Some(peak);
        }
        samples += 1;
        if let Some(status) = child.try_wait().map_err(attempt)? {
            break (Some(status), false);
        }
        if interrupt::check().is_err() {
            end(&mut child);
            break (None, true);
        }
        thread::sleep(BETWEEN_LOOKS);
    };
    let best = best.ok_or_else(|| PagesError::TooShort {
        program: program.name.clone(),
    })?;
    let looked = Looked {
        moment: Moment::Peak,
        samples,
        frames: false,
        frames_denied: None,
    };
    let report = PagesReport::new(
        program.name.clone(),
        process,
        looked,
        &best.mappings,
        &best.circumstances,
    );
    let remark = status
        .filter(|status| !status.success())
        .map(|status| format!("`{}` ended with {status}", program.name));
    Ok(Watched {
        report,
        remark,
        interrupted,
    })
}

/// What a process had when it had most.
struct Peak {
    size: u64,
    mappings: Vec<Mapping>,
    circumstances: super::why::Circumstances,
}

/// The process as it is now, if it has more memory than ever before.
fn look(process: u32, best: Option<&Peak>) -> Option<Peak> {
    let size = size_of(process)?;
    if best.is_some_and(|best| size <= best.size) {
        return None;
    }
    // It may be ending just now, which leaves what was seen before.
    let mappings = mappings_of(process).ok()?;
    Some(Peak {
        size,
        mappings,
        circumstances: circumstances(process),
    })
}

/// Bytes in memory, pages of the pool included: they are the one part that the usual number omits.
fn size_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let kib = |name: &str| {
        let mut lines = status.lines();
        let value = lines.find_map(|line| line.strip_prefix(name))?;
        value.split_whitespace().next()?.parse::<u64>().ok()
    };
    Some((kib("VmRSS:")? + kib("HugetlbPages:").unwrap_or(0)) << 10)
}

fn end(child: &mut Child) {
    // One that is gone already is what we want.
    let _ = child.kill();
    let _ = child.wait();
}
