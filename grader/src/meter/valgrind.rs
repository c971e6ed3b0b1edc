//! Counts through iai-callgrind: it runs Valgrind, we read the summary that it saves.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::{Instrument, Readings};
use crate::build::BuiltLab;
use crate::error::{Error, While as _};
use crate::host::process::{self, Limits};
use crate::host::tools;

/// Under Valgrind a program runs some fifty times slower, so this is about a second of the real one.
const TIME_LIMIT: Duration = Duration::from_secs(60);

const LIMITS: Limits = Limits {
    time: TIME_LIMIT,
    output_bytes: 1 << 20,
};

pub(super) fn measure(
    instrument: Instrument,
    lab: &BuiltLab,
    variant: &str,
    folder: &Path,
) -> Result<Readings, Error> {
    let failed = |found: String| Error::Measure {
        lab: lab.slug.clone(),
        tool: instrument.name(),
        found,
    };
    // iai-callgrind compares with what it finds, and keeps it: we want this run alone.
    if folder.exists() {
        fs::remove_dir_all(folder).while_trying(|| format!("emptying {}", folder.display()))?;
    }
    let ended = process::run(&mut command(instrument, lab, variant, folder), LIMITS)?;
    if ended.status.is_none() {
        let seconds = TIME_LIMIT.as_secs();
        return Err(failed(format!(
            "the {variant} was still running after {seconds} s"
        )));
    }
    if !ended.succeeded() {
        return Err(failed(ended.complaints()));
    }
    let summary =
        find(folder, &|name| name == "summary.json").ok_or_else(|| failed("no summary".into()))?;
    let text = fs::read(&summary).while_trying(|| format!("reading {}", summary.display()))?;
    let summary = serde_json::from_slice(&text).map_err(|error| failed(error.to_string()))?;
    let readings = readings(&summary);
    if readings.is_empty() {
        return Err(failed("the summary holds no counts".into()));
    }
    Ok(readings)
}

fn command(instrument: Instrument, lab: &BuiltLab, variant: &str, folder: &Path) -> Command {
    let mut command = Command::new(&lab.bench);
    command
        // iai-callgrind asks cargo for the workspace around the current folder.
        .current_dir(&lab.folder)
        .args(["--save-summary=json", "--output-format=json"])
        .env("PATH", with_first(&lab.runner_folder))
        .env("LAB_KIT_VARIANT", variant)
        .env("IAI_CALLGRIND_HOME", folder)
        .env("IAI_CALLGRIND_COLOR", "never")
        // Otherwise it would put the package's name into the output's path, or not.
        .env_remove("CARGO_PKG_NAME");
    if !tools::can_fix_addresses() {
        command.arg("--allow-aslr=yes");
    }
    match instrument {
        // With instruction addresses `explain` can name the reader's line where a callee was inlined.
        Instrument::Callgrind => {
            command.arg("--callgrind-args=--dump-instr=yes");
        }
        Instrument::CallgrindBranches => {
            command.arg("--callgrind-args=--dump-instr=yes --branch-sim=yes");
        }
        Instrument::Dhat => {
            command.arg("--default-tool=dhat");
        }
        Instrument::Model => unreachable!("a model needs no Valgrind"),
        Instrument::Lines
        | Instrument::Pages
        | Instrument::Reuse
        | Instrument::Core
        | Instrument::Walks => {
            unreachable!("`meter::tracer` reads these, without iai-callgrind")
        }
    }
    command
}

fn with_first(folder: &Path) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_path_buf()).chain(env::split_paths(&path));
    env::join_paths(folders).unwrap_or(path)
}

/// A file somewhere below `folder` whose name is wanted.
pub(super) fn find(folder: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Option<PathBuf> {
    let entries = fs::read_dir(folder)
        .ok()?
        .filter_map(Result::ok)
        .map(|entry| entry.path());
    let mut folders = Vec::new();
    for path in entries {
        if path
            .file_name()
            .is_some_and(|name| is_wanted(&name.to_string_lossy()))
        {
            return Some(path);
        }
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.iter().find_map(|folder| find(folder, is_wanted))
}

/// The whole numbers among a summary's totals, by iai-callgrind's names for them (schema 6:
/// `profiles[].summaries.total.summary.TOOL.NAME.metrics.Left.Int`).
fn readings(summary: &Value) -> Readings {
    let mut readings = Readings::new();
    for profile in summary["profiles"].as_array().into_iter().flatten() {
        let tools = profile["summaries"]["total"]["summary"].as_object();
        for metric in tools.into_iter().flat_map(|tools| tools.values()) {
            for (name, metric) in metric.as_object().into_iter().flatten() {
                if let Some(count) = metric["metrics"]["Left"]["Int"].as_u64() {
                    readings.insert(name.clone(), count);
                }
            }
        }
    }
    readings
}

#[cfg(test)]
mod tests {
    use super::readings;

    #[test]
    fn counts_are_read_from_the_totals() {
        let summary = serde_json::json!({"profiles": [{"summaries": {"total": {"summary": {
            "Callgrind": {
                "Ir": {"diffs": null, "metrics": {"Left": {"Int": 7}}},
                "D1MissRate": {"metrics": {"Left": {"Float": 0.5}}},
            }
        }}}}]});
        assert_eq!(
            readings(&summary).into_iter().collect::<Vec<_>>(),
            [("Ir".to_owned(), 7)]
        );
    }
}
