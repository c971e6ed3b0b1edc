//! One run of a program under the tool.

use super::{
    Ending, Outcome, Program, Request, Tool, TracerError, absent,
    result_file::{self, ProcessResult},
    scratch::Scratch,
};
use crate::host::interrupt;
use rustix::process::Signal;
use std::{
    env,
    ffi::OsString,
    fs, io,
    os::unix::{fs::symlink, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

/// Options that every run has.
///
/// Without `--vex-guest-chase=no`, Valgrind merges the two tests of `a && b` into one and runs both
/// always, and instructions are counted that the program does not execute.
const OPTIONS: &[&str] = &[
    "--command-line-only=yes",
    "--quiet",
    // Which instruction it was that Valgrind did not know; quiet would leave it out.
    "--sigill-diagnostics=yes",
    "--vgdb=no",
    "--tool=tracer",
    "--vex-guest-chase=no",
];
/// Options of runs that name source lines: who inlined what, whole paths, and libraries that the
/// program has unloaded by its end.
const SOURCE_OPTIONS: &[&str] = &[
    "--read-inline-info=yes",
    "--fullpath-after=",
    "--keep-debuginfo=yes",
];
/// What Valgrind says when it meets an instruction that it does not know.
const UNKNOWN_INSTRUCTION: &str = "unhandled instruction bytes: ";
/// First byte of the EVEX prefix. Source: Intel SDM volume 2, section 2.7.
const EVEX: &str = "0x62";
/// Lines of Valgrind's log that a failure shows.
const LOG_LINES: usize = 12;
const POLL: Duration = Duration::from_millis(5);
/// Polls, a second in all, that a program has to end by itself after Ctrl-C.
const PATIENCE_POLLS: u32 = 200;
/// How often Ctrl-C has to be pressed to kill a program that goes on.
const KILLING_PRESSES: u32 = 3;

impl Tool {
    /// Runs `program` and measures what `request` asks for.
    ///
    /// The program's standard output goes to standard error, so that nothing but results comes out
    /// of the grader's own.
    ///
    /// # Errors
    ///
    /// If the program cannot run under Valgrind, or the result is not readable. A program that
    /// crashes or is interrupted is not an error.
    pub fn run(&self, program: &Program, request: &Request) -> Result<Outcome, TracerError> {
        let scratch = Scratch::new()?;
        let mut child = self.start(program, request, scratch.path())?;
        let pid = child.id();
        let presses_before = interrupt::pressed();
        let status = wait(&mut child, presses_before)
            .map_err(TracerError::io(format!("waiting for `{}`", program.name)))?;
        let interrupted = interrupt::pressed() > presses_before;
        let log = logs(scratch.path());
        let processes = results(scratch.path(), pid)?;
        let outcome = Outcome {
            command: shown(program),
            ending: ending(status, interrupted),
            processes,
        };
        self.judge(program, request, &outcome, &log)?;
        Ok(outcome)
    }

    fn start(
        &self,
        program: &Program,
        request: &Request,
        folder: &Path,
    ) -> Result<Child, TracerError> {
        let option = |name: &str, file: &str| {
            let mut option = OsString::from(name);
            option.push(folder.join(file));
            option
        };
        let named = request.names_sources();
        let mut command = Command::new("valgrind");
        if let Some(environment) = &request.environment {
            let path = env::var_os("PATH").unwrap_or_default();
            command.env_clear().env("PATH", path);
            command.envs(environment.iter().map(|(name, value)| (name, value)));
        }
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        // A link at a path of a fixed length: Valgrind puts the path into the environment of the
        // program, where it shifts the stack, and where the dynamic loader reads it letter by letter.
        let library = folder.join("lib");
        let linked = symlink(&self.folder, &library);
        linked.map_err(TracerError::io(format!("linking {}", library.display())))?;
        command
            .args(OPTIONS)
            .args(if named { SOURCE_OPTIONS } else { &[] })
            .arg(option("--log-file=", "log.%p"))
            .arg(option("--result-prefix=", "result"))
            .args(request.options())
            .arg(&program.path)
            .args(&program.arguments)
            .env("VALGRIND_LIB", library)
            .stdout(Stdio::from(io::stderr()))
            .spawn()
            .map_err(|_| TracerError::NoValgrind)
    }

    /// Whether what happened counts as a measurement.
    fn judge(
        &self,
        program: &Program,
        request: &Request,
        outcome: &Outcome,
        log: &str,
    ) -> Result<(), TracerError> {
        let name = program.name.clone();
        let unknown = log.split_once(UNKNOWN_INSTRUCTION);
        if let (Ending::Killed(_), Some((_, rest))) = (outcome.ending, unknown) {
            let bytes = rest.lines().next().unwrap_or_default().to_owned();
            return Err(if bytes.starts_with(EVEX) {
                let end = outcome.processes.first().and_then(|main| main.end.as_ref());
                TracerError::Avx512 {
                    program: name,
                    instructions: end.map_or(0, |end| end.instructions),
                }
            } else {
                TracerError::UnknownInstruction {
                    program: name,
                    version: self.valgrind.version.clone(),
                    bytes,
                }
            });
        }
        let Some(main) = outcome.processes.first() else {
            if outcome.ending == Ending::Interrupted {
                return Err(TracerError::Interrupted { program: name });
            }
            return Err(TracerError::Tool {
                program: name,
                found: format!("no result was written ({}){}", outcome.ending, end_of(log)),
            });
        };
        if main.end.is_none() && log.contains("tracer: a bug")
            || log.contains("valgrind: the 'impossible'")
        {
            return Err(TracerError::Tool {
                program: name,
                found: format!("the tool failed{}", end_of(log)),
            });
        }
        match (&request.function, &main.end) {
            (Some(function), Some(end)) if end.entries == Some(0) => {
                Err(TracerError::FunctionNotCalled {
                    program: name,
                    function: function.clone(),
                    found: absent::explanation(&program.path, function),
                })
            }
            _ => Ok(()),
        }
    }
}

/// Waits for the child. The first Ctrl-C is the child's: the terminal sends it there too, the program
/// ends, and the tool writes what it has. A child that did not hear of it is told; one that goes on
/// all the same is killed when the user insists, and leaves the intervals that were written.
fn wait(child: &mut Child, presses_before: u32) -> io::Result<ExitStatus> {
    let mut polls_left = PATIENCE_POLLS;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        match interrupt::pressed() - presses_before {
            0 => {}
            KILLING_PRESSES.. => {
                child.kill()?;
                return child.wait();
            }
            _ => {
                polls_left = polls_left.saturating_sub(1);
                if polls_left == 1 {
                    tell(child);
                }
            }
        }
        thread::sleep(POLL);
    }
}

/// Sends the child what the grader got, which may have come from `kill` and not from a terminal.
fn tell(child: &Child) {
    let pid = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        // A child that has ended meanwhile needs no telling.
        let _ = rustix::process::kill_process(pid, Signal::INT);
    }
}

/// A program that ended by SIGINT was interrupted, even if the grader, which gets the same signal on
/// another thread, has not noticed yet.
fn ending(status: ExitStatus, interrupted: bool) -> Ending {
    match (status.code(), status.signal()) {
        _ if interrupted => Ending::Interrupted,
        (_, Some(signal)) if signal == Signal::INT.as_raw() => Ending::Interrupted,
        (Some(code), _) => Ending::Exited(code),
        (None, signal) => Ending::Killed(signal.unwrap_or_default()),
    }
}

fn shown(program: &Program) -> String {
    let arguments = program.arguments.iter().map(|word| word.to_string_lossy());
    let words: Vec<_> = std::iter::once(program.name.as_str().into())
        .chain(arguments)
        .collect();
    words.join(" ")
}

/// Files of `folder` whose names start with `prefix`, in order of the numbers in their names.
fn numbered(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<(Vec<u64>, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let numbers = name.strip_prefix(prefix)?;
            let numbers = numbers.split('.').filter_map(|number| number.parse().ok());
            Some((numbers.collect(), entry.path()))
        })
        .collect();
    files.sort();
    files.into_iter().map(|(_, path)| path).collect()
}

/// What Valgrind said about all processes.
fn logs(folder: &Path) -> String {
    let texts = numbered(folder, "log.")
        .into_iter()
        .map(|path| fs::read(path).unwrap_or_default());
    let text: Vec<u8> = texts.flatten().collect();
    String::from_utf8_lossy(&text).into_owned()
}

/// The end of a log, to show; empty if nothing was said.
fn end_of(log: &str) -> String {
    let lines: Vec<&str> = log.lines().filter(|line| !line.trim().is_empty()).collect();
    let end = lines.len().saturating_sub(LOG_LINES);
    let shown = lines[end..].iter().map(|line| format!("\n  {line}"));
    shown.collect()
}

/// The results of all processes, the program's own first.
fn results(folder: &Path, pid: u32) -> Result<Vec<ProcessResult>, TracerError> {
    let files = numbered(folder, "result.");
    // A process that is still running in the background may have written nothing yet.
    let written = files
        .iter()
        .filter(|file| file.metadata().is_ok_and(|data| data.len() > 0));
    let read: Result<Vec<ProcessResult>, _> = written.map(|file| result_file::read(file)).collect();
    let mut results = read?;
    results.sort_by_key(|result| result.pid != pid);
    Ok(results)
}
