//! Runs a lab's gate as a process of its own and understands how it ended.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::build::BuiltLab;
use crate::error::{Error, While as _};
use crate::host::process::{self, Ended, Limits};
use crate::store::memory::{Key, Memory};

/// How much processor time a gate may take, in either build. Other programs that slow it down on the
/// wall clock do not count.
pub const PROCESSOR_LIMIT: Duration = Duration::from_secs(20);
/// How long we wait for a gate that uses no processor time, because it sleeps or waits for something.
const PATIENCE: Duration = Duration::from_secs(300);
/// How much address space a gate may use.
pub const MEMORY_LIMIT_BYTES: u64 = 2 << 30;

const LIMITS: Limits = Limits {
    time: PATIENCE,
    output_bytes: 64 << 10,
};

/// What ends a process whose limits of processor time, soft and hard, are the same: `SIGKILL`.
/// Nothing else sends it to a gate, but for a machine out of memory.
const OUT_OF_TIME: i32 = 9;

/// The gate's verdict: passed, perhaps with a remark, or why not; for the reader.
pub(super) type Verdict = Result<Option<String>, String>;

/// Runs the gate `program`. A gate that passed before with the same binary and snapshots passes.
pub(super) fn run(
    lab: &BuiltLab,
    program: &Path,
    memory: &Memory,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<Verdict, Error> {
    let snapshots = files_in(&lab.folder.join("tests/snapshots"));
    let files: Vec<&Path> = snapshots
        .iter()
        .map(AsRef::as_ref)
        .chain([program])
        .collect();
    let key = Key::new(&files, &["gate"]).while_trying(|| format!("reading {}", lab.slug))?;
    if memory.recall::<()>(&key).is_some() {
        return Ok(Ok(None));
    }
    let build = if program
        .components()
        .any(|part| part.as_os_str() == "release")
    {
        "release"
    } else {
        "debug"
    };
    tell(&format!("checking {}, {build} build", lab.slug));
    let folder = tempfile::tempdir().while_trying(|| "making a temporary folder".into())?;
    let report = folder.path().join("verdict");
    let mut command = Command::new(program);
    command
        .args(["gate", "--exact", "--test-threads=1"])
        .current_dir(&lab.folder)
        .env("LAB_KIT_VERDICT", &report)
        .env("LAB_KIT_MEMORY_LIMIT", MEMORY_LIMIT_BYTES.to_string())
        .env(
            "LAB_KIT_PROCESSOR_LIMIT",
            PROCESSOR_LIMIT.as_secs().to_string(),
        )
        .env("INSTA_UPDATE", "no")
        .env("INSTA_WORKSPACE_ROOT", workspace_of(&lab.folder))
        .env("RUST_BACKTRACE", "0")
        .env_remove("INSTA_FORCE_PASS");
    let ended = process::run(&mut command, LIMITS)?;
    let verdict = verdict(&fs::read_to_string(&report).unwrap_or_default(), &ended);
    // A remark is about this machine as it is now, so it is asked for each time.
    if verdict == Ok(None) {
        memory.keep(&key, &());
    }
    Ok(verdict)
}

/// insta asks cargo for this unless it is told.
fn workspace_of(lab: &Path) -> &Path {
    lab.ancestors().nth(3).unwrap_or(lab)
}

fn files_in(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|p| p.is_file())
        .collect();
    files.sort();
    files
}

/// What the steps that the gate reported, and the way its process ended, say together.
fn verdict(report: &str, ended: &Ended) -> Verdict {
    if let Some((_, refusal)) = report.split_once("refused\n") {
        return Err(refusal.trim_end().to_owned());
    }
    let last = |word: &str| {
        report
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix(word))
    };
    let passed = report.lines().last() == Some("passed");
    if passed && ended.succeeded() {
        return Ok(last("remark ").map(str::to_owned));
    }
    let place = match (passed, last("case ")) {
        (true, _) => "after the last input".into(),
        (false, Some(case)) => format!("at the input `{case}`"),
        (false, None) => "before the first input".into(),
    };
    let repeat = last("seed ").map_or(String::new(), |seed| {
        format!("\nthe same inputs again: set LAB_KIT_SEED={seed}")
    });
    let complaints = ended.complaints();
    let happened = match ended.status {
        None => format!(
            "still waiting after {} s {place}: does it sleep or wait for something?",
            PATIENCE.as_secs()
        ),
        Some(status) if status.signal() == Some(OUT_OF_TIME) => format!(
            "still running after {} s of processor time {place}: does it loop for ever?",
            PROCESSOR_LIMIT.as_secs()
        ),
        Some(_) if complaints.contains("memory allocation of") => format!(
            "ran out of memory {place}: the gate allows {} GiB of address space",
            MEMORY_LIMIT_BYTES >> 30
        ),
        Some(_) if complaints.contains("has overflowed its stack") => {
            format!("overflowed its stack {place}: does it recurse for ever?")
        }
        Some(status) => match (status.code(), status.signal()) {
            (Some(code), _) => {
                format!("ended the process with exit code {code} {place}; a solution has to return")
            }
            (None, signal) => format!(
                "crashed {place} by signal {}\n{}",
                signal.unwrap_or_default(),
                complaints
                    .lines()
                    .rev()
                    .take(5)
                    .collect::<Vec<_>>()
                    .join("\n")
            ),
        },
    };
    Err(happened + &repeat)
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::ExitStatus;

    use super::{Ended, verdict};

    fn ended(raw_status: Option<i32>, stderr: &str) -> Ended {
        let status = raw_status.map(ExitStatus::from_raw);
        Ended {
            status,
            stdout: Vec::new(),
            stderr: stderr.into(),
        }
    }

    const STEPS: &str = "seed 5\ncase empty\ncase 7 × 7\n";

    #[test]
    fn a_passed_gate_is_one_that_said_so_and_ended_well() {
        let report = format!("{STEPS}passed\n");
        assert_eq!(verdict(&report, &ended(Some(0), "")), Ok(None));
        let crashed = verdict(&report, &ended(Some(11), "")).unwrap_err();
        assert!(
            crashed.contains("after the last input by signal 11"),
            "{crashed}"
        );
    }

    #[test]
    fn a_remark_is_passed_on_with_the_pass() {
        let report = format!("{STEPS}remark no huge page was free\npassed\n");
        let verdict = verdict(&report, &ended(Some(0), ""));
        assert_eq!(verdict, Ok(Some("no huge page was free".into())));
    }

    #[test]
    fn a_solution_that_exits_has_not_passed() {
        insta::assert_snapshot!(verdict(STEPS, &ended(Some(0), "")).unwrap_err(), @r"
        ended the process with exit code 0 at the input `7 × 7`; a solution has to return
        the same inputs again: set LAB_KIT_SEED=5
        ");
    }

    #[test]
    fn a_solution_that_never_ends_is_told_where() {
        insta::assert_snapshot!(verdict(STEPS, &ended(Some(9), "")).unwrap_err(), @r"
        still running after 20 s of processor time at the input `7 × 7`: does it loop for ever?
        the same inputs again: set LAB_KIT_SEED=5
        ");
    }

    #[test]
    fn running_out_of_memory_is_told_from_other_crashes() {
        let complaint = "memory allocation of 99999999999 bytes failed";
        let found = verdict(STEPS, &ended(Some(6), complaint)).unwrap_err();
        assert!(
            found.starts_with("ran out of memory at the input `7 × 7`"),
            "{found}"
        );
    }

    #[test]
    fn a_refusal_is_passed_on_as_it_is() {
        let report = format!("{STEPS}refused\nwrong answer\n  baseline: 1\n");
        let refusal = verdict(&report, &ended(Some(0), "")).unwrap_err();
        assert_eq!(refusal, "wrong answer\n  baseline: 1");
    }
}
