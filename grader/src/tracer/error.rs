//! Why nothing could be measured.

use std::{io, path::PathBuf};

/// Each message says what was tried, what was found, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum TracerError {
    /// No Valgrind in the path.
    #[error(
        "looked for `valgrind` in PATH and found none; install the package `valgrind` (Debian and \
         Ubuntu: apt install valgrind)"
    )]
    NoValgrind,
    /// Valgrind is there, but something that the tool is made from is not.
    #[error("building the tracer from the installed Valgrind: {found}")]
    Build {
        /// What the build said, with what to do about it.
        found: String,
    },
    /// The tool does not count as Callgrind does.
    #[error(
        "checking the tracer on `{program}`: it counted {ours} instructions and Callgrind {theirs}, \
         which is more than {tolerance} apart. Valgrind {version} is not supported (tested: \
         {tested}); please report this"
    )]
    SelfCheck {
        /// The program that both counted.
        program: String,
        /// Instructions, by our tool.
        ours: u64,
        /// Instructions, by Callgrind.
        theirs: u64,
        /// Instructions by which they may differ.
        tolerance: u64,
        /// The Valgrind in use.
        version: String,
        /// The versions that the tool was tested with.
        tested: &'static str,
    },
    /// There is no such program.
    #[error("looked for the program `{name}` and found no such file{hint}")]
    NoProgram {
        /// As it was typed.
        name: String,
        /// What else might be meant; empty or starts with a semicolon.
        hint: &'static str,
    },
    /// The file may not be executed.
    #[error("`{}` is {found}; make it executable (chmod +x) or name a program", path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        found: &'static str,
    },
    /// The file is a program for another machine.
    #[error(
        "`{}` is a program for {found}; the tracer runs 64-bit x86 Linux programs, so build it for \
         x86_64",
        path.display()
    )]
    WrongArchitecture {
        /// The file.
        path: PathBuf,
        /// The machine that it is for.
        found: String,
    },
    /// The program uses instructions that Valgrind does not know.
    #[error(
        "`{program}` used an AVX-512 instruction, which Valgrind does not know, after {instructions} \
         instructions; build it without: -C target-cpu=x86-64-v3 for Rust, -march=x86-64-v3 for C"
    )]
    Avx512 {
        /// The program as it was typed.
        program: String,
        /// Instructions executed before.
        instructions: u64,
    },
    /// The program uses some other instruction that Valgrind does not know.
    #[error(
        "`{program}` used an instruction that Valgrind {version} does not know ({bytes}); build it \
         for an older processor or update Valgrind"
    )]
    UnknownInstruction {
        /// The program as it was typed.
        program: String,
        /// The Valgrind in use.
        version: String,
        /// The first bytes of the instruction.
        bytes: String,
    },
    /// The function that measuring was limited to never ran.
    #[error("`{program}` never called a function named `{function}`: {found}")]
    FunctionNotCalled {
        /// The program as it was typed.
        program: String,
        /// As it was typed.
        function: String,
        /// Whether the program has it, and what to do.
        found: String,
    },
    /// The user pressed Ctrl-C before the program had begun.
    #[error("interrupted before `{program}` had begun; nothing was measured")]
    Interrupted {
        /// The program as it was typed.
        program: String,
    },
    /// The tool or Valgrind itself failed.
    #[error("running `{program}` under Valgrind: {found}")]
    Tool {
        /// The program as it was typed.
        program: String,
        /// The end of Valgrind's log.
        found: String,
    },
    /// The result file is not what this grader reads.
    #[error("reading the tracer's result {}: {found}; rebuild with `cargo build`", path.display())]
    Result {
        /// The result file.
        path: PathBuf,
        /// What is wrong with it.
        found: String,
    },
    /// A file or a process could not be handled.
    #[error("{attempt}: {source}")]
    Io {
        /// What was tried, with the path.
        attempt: String,
        /// What the system said.
        source: io::Error,
    },
}

impl TracerError {
    /// Says what was tried when the system refused.
    pub(crate) fn io(attempt: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let attempt = attempt.into();
        move |source| Self::Io { attempt, source }
    }

    /// Whether the command was used wrongly, as opposed to the measurement having failed.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::NoProgram { .. } | Self::NotExecutable { .. } | Self::WrongArchitecture { .. }
        )
    }
}
