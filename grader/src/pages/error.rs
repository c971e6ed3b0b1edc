//! Why a process could not be looked at.

use std::io;

/// What can go wrong, each with what to do.
#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    /// No process of this number.
    #[error("cannot look at process {process}: there is none of this number\n`ps` lists them.")]
    NoProcess {
        /// What was asked for.
        process: u32,
    },
    /// Another user's process.
    #[error(
        "cannot look at process {process}: it belongs to another user, or guards its memory\n\
         Run this as that user, or as root."
    )]
    NotYours {
        /// What was asked for.
        process: u32,
    },
    /// A thread of the kernel, or a process that has ended.
    #[error(
        "process {process} has no memory of its own: it is a thread of the kernel, or has ended"
    )]
    NoMemory {
        /// What was asked for.
        process: u32,
    },
    /// A program that ended before it was looked at.
    #[error(
        "`{program}` ended before it could be looked at\n\
         Give it more to do, or look at a process that waits with --pid."
    )]
    TooShort {
        /// What was run.
        program: String,
    },
    /// A file or a process that did not work.
    #[error("{what}: {source}")]
    Io {
        /// What was tried, with the path.
        what: String,
        /// Why it failed.
        source: io::Error,
    },
}

impl PagesError {
    /// Whether the command line asked for what is not there.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::NoProcess { .. })
    }
}
