//! How a run went.

use super::result_file::ProcessResult;
use std::fmt;

/// How the program came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It ended itself, with this exit code.
    Exited(i32),
    /// This signal ended it.
    Killed(i32),
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl Ending {
    /// Whether the whole program was measured.
    #[must_use]
    pub fn is_complete(self) -> bool {
        matches!(self, Self::Exited(_))
    }
}

/// Signals that end programs. Source: signal(7), numbers of x86-64 Linux.
const SIGNALS: &[(i32, &str)] = &[
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (14, "SIGALRM"),
    (15, "SIGTERM"),
    (24, "SIGXCPU"),
    (25, "SIGXFSZ"),
    (31, "SIGSYS"),
];

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "the program ended with exit code {code}"),
            Self::Killed(signal) => {
                let known = SIGNALS.iter().find(|(number, _)| number == signal);
                let name = known.map_or("an unknown signal", |(_, name)| name);
                write!(f, "the program was ended by {name} (signal {signal})")
            }
            Self::Interrupted => f.write_str("interrupted by Ctrl-C"),
        }
    }
}

/// What a run measured, in the program and perhaps in its children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The program as it was typed, with its arguments.
    pub command: String,
    /// How it ended.
    pub ending: Ending,
    /// One per process image: the program first, then its children in order of their numbers.
    /// Never empty.
    pub processes: Vec<ProcessResult>,
}

impl Outcome {
    /// What was measured in the program itself.
    ///
    /// # Panics
    ///
    /// If the outcome was made without a process, which [`super::run`] never does.
    #[must_use]
    pub fn main(&self) -> &ProcessResult {
        self.processes
            .first()
            .expect("a run without a result file is an error")
    }

    /// What the user should know about how complete the numbers are.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        match self.ending {
            Ending::Exited(0) => {}
            Ending::Exited(_) => notes.push(self.ending.to_string()),
            Ending::Killed(_) | Ending::Interrupted => {
                notes.push(format!("{}; this is what was seen until then", self.ending));
            }
        }
        if self.ending.is_complete() && self.main().end.as_ref().is_none_or(|end| end.exec) {
            notes.push(
                "the program replaced itself by another (exec); this is what was seen until then. \
                 --children follows it"
                    .to_owned(),
            );
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(ending: Ending) -> Outcome {
        let main = ProcessResult {
            end: Some(super::super::result_file::End {
                exec: false,
                instructions: 1,
                threads: vec![1],
                entries: None,
                total: None,
            }),
            ..ProcessResult::default()
        };
        Outcome {
            command: "./program".to_owned(),
            ending,
            processes: vec![main],
        }
    }

    #[test]
    fn successful_run_needs_no_note() {
        assert_eq!(outcome(Ending::Exited(0)).notes(), Vec::<String>::new());
    }

    #[test]
    fn crash_is_named_and_incomplete() {
        let crashed = outcome(Ending::Killed(11));
        assert_eq!(
            crashed.notes(),
            ["the program was ended by SIGSEGV (signal 11); this is what was seen until then"]
        );
        assert!(!crashed.ending.is_complete());
    }

    #[test]
    fn exec_without_children_is_noted() {
        let mut replaced = outcome(Ending::Exited(0));
        replaced.processes[0].end.as_mut().unwrap().exec = true;
        assert!(
            replaced.notes()[0].contains("exec"),
            "{:?}",
            replaced.notes()
        );
    }
}
