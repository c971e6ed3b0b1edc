//! Child processes that cannot run for ever, fill memory with output, or outlive us.

use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::interrupt;
use crate::error::{Error, While as _};

/// How a child ended, and the start of what it printed.
#[derive(Debug)]
pub struct Ended {
    /// Its status; `None` when it was ended for running too long.
    pub status: Option<ExitStatus>,
    /// What it printed, up to the limit.
    pub stdout: Vec<u8>,
    /// What it complained, up to the limit.
    pub stderr: Vec<u8>,
}

impl Ended {
    /// Whether it ended by itself and says that all went well.
    pub fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// Its complaints as text.
    pub fn complaints(&self) -> String {
        String::from_utf8_lossy(&self.stderr).trim_end().to_owned()
    }
}

/// What a child may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Wall-clock time until it is ended together with its own children.
    pub time: Duration,
    /// Bytes of each stream that are kept; the rest is read and dropped.
    pub output_bytes: u64,
}

/// Runs `command` to its end, or to the end of its time.
///
/// The child gets a process group of its own: when its time is up or Ctrl-C is pressed, whatever it
/// started ends with it.
///
/// # Errors
///
/// [`Error::Io`] if it cannot be started, [`Error::Interrupted`] by Ctrl-C.
pub fn run(command: &mut Command, limits: Limits) -> Result<Ended, Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .while_trying(|| format!("starting {name}"))?;
    let stdout = child
        .stdout
        .take()
        .map(|pipe| keep_start(pipe, limits.output_bytes));
    let stderr = child
        .stderr
        .take()
        .map(|pipe| keep_start(pipe, limits.output_bytes));
    let status = wait(&mut child, limits.time).while_trying(|| format!("waiting for {name}"))?;
    let joined = |reader: Option<thread::JoinHandle<Vec<u8>>>| {
        reader
            .and_then(|reader| reader.join().ok())
            .unwrap_or_default()
    };
    let ended = Ended {
        status,
        stdout: joined(stdout),
        stderr: joined(stderr),
    };
    interrupt::check()?;
    Ok(ended)
}

/// Waits for a child; ends its whole group when the time is up or Ctrl-C was pressed.
fn wait(child: &mut Child, time: Duration) -> std::io::Result<Option<ExitStatus>> {
    /// Short against the shortest step of a grade, long against the cost of looking.
    const BETWEEN_LOOKS: Duration = Duration::from_millis(2);
    let deadline = Instant::now() + time;
    loop {
        if let Some(status) = child.try_wait()? {
            end_group(child);
            return Ok(Some(status));
        }
        if Instant::now() >= deadline || interrupt::check().is_err() {
            end_group(child);
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(BETWEEN_LOOKS);
    }
}

/// Ends what is left of a child's group, so that its pipes close and nothing keeps running.
fn end_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // Usually the group is empty by now, which is what we want.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

fn keep_start(
    mut pipe: impl Read + Send + 'static,
    most_bytes: u64,
) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut kept = Vec::new();
        // A pipe that breaks has nothing more to say.
        let _ = pipe.by_ref().take(most_bytes).read_to_end(&mut kept);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        kept
    })
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::{Limits, run};

    fn shell(script: &str, limits: Limits) -> super::Ended {
        run(Command::new("sh").args(["-c", script]), limits).unwrap()
    }

    const GENEROUS: Limits = Limits {
        time: Duration::from_secs(60),
        output_bytes: 1000,
    };

    #[test]
    fn output_beyond_the_limit_is_read_and_dropped() {
        let ended = shell("head -c 10000000 /dev/zero; echo done >&2", GENEROUS);
        assert!(ended.succeeded());
        assert_eq!(ended.stdout.len(), 1000);
        assert_eq!(ended.complaints(), "done");
    }

    #[test]
    fn a_child_that_runs_too_long_is_ended_with_its_children() {
        let limits = Limits {
            time: Duration::from_millis(200),
            ..GENEROUS
        };
        // Were the grandchild still alive, its end of the pipe would keep us waiting an hour.
        let ended = shell("sleep 3600 & sleep 3600", limits);
        assert_eq!(ended.status, None);
    }

    #[test]
    fn a_child_that_leaves_something_running_does_not_keep_us() {
        let ended = shell("sleep 3600 & echo started", GENEROUS);
        assert_eq!(ended.stdout, b"started\n");
    }
}
