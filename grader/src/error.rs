//! What can go wrong, each with what was tried, what was found, and what to do next.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::pages::PagesError;
use crate::tracer::TracerError;

/// The command's exit codes; they never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// All selected labs are at or above the pass mark, or the command did what it was asked.
    Passed = 0,
    /// A lab is below the pass mark, or `dev check` found something.
    Below = 1,
    /// The command line, a lab's name or a lab's files are not as they should be.
    Usage = 2,
    /// Something could not be measured.
    NotMeasured = 3,
    /// Ended by Ctrl-C, as shells count it.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why the grader gave up.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Started outside of a checkout.
    #[error(
        "no course found: {0} and its parent folders hold no Cargo.toml beside a folder `labs`\n\
         Change into your checkout of Cyclewise and try again."
    )]
    NoCourse(PathBuf),

    /// A name that is no lab's.
    #[error("there is no lab `{name}`{}\n`cargo make labs` lists them.", nearest_hint(.nearest))]
    UnknownLab {
        /// What was asked for.
        name: String,
        /// The lab whose name is closest, if one is close.
        nearest: Option<String>,
    },

    /// A submission without a solution.
    #[error(
        "{} holds no solution of a lab\n\
         Put LAB.rs or LAB/solution.rs there, such as loop-interchange.rs, or name a clone of the \
         course.", .folder.display()
    )]
    NothingSubmitted {
        /// The submission's folder.
        folder: PathBuf,
    },

    /// Something that `dev new` would have to overwrite.
    #[error("{what} exists already, in {}\nChoose another name, or remove it first.", .at.display())]
    Exists {
        /// What is there.
        what: String,
        /// Where.
        at: PathBuf,
    },

    /// A book that cannot be built or checked.
    #[error("{0}")]
    Book(String),

    /// A name that is no meter's.
    #[error("there is no meter `{name}`\nThe meters are {}.", meter_names())]
    UnknownMeter {
        /// What was asked for.
        name: String,
    },

    /// A lab's folder without its description.
    #[error(
        "{} is missing, so nothing says how `{slug}` is graded\n\
         `git checkout -- {}` brings the committed one back.", .path.display(), .path.display()
    )]
    NoManifest {
        /// The lab.
        slug: String,
        /// Where its lab.toml should be.
        path: PathBuf,
    },

    /// A lab.toml that does not say what it has to.
    #[error("cannot use {}:\n{found}\n`cargo make dev-check` names the fields of a lab.", .path.display())]
    BadManifest {
        /// The file.
        path: PathBuf,
        /// What the parser or the check found.
        found: String,
    },

    /// A tool that is not installed, or not usable.
    #[error("{0}")]
    Missing(#[from] crate::host::tools::Missing),

    /// Cargo itself failed, not a lab's code.
    #[error("cargo could not build the labs:\n{0}")]
    Cargo(String),

    /// A measurement that gave no number.
    #[error("cannot measure `{lab}` with {tool}: {found}")]
    Measure {
        /// The lab.
        lab: String,
        /// The tool.
        tool: &'static str,
        /// What happened instead.
        found: String,
    },

    /// A program that could not be traced.
    #[error(transparent)]
    Tracer(#[from] TracerError),
    /// A process that could not be looked at.
    #[error(transparent)]
    Pages(#[from] PagesError),

    /// A simulation of schedulers that was asked for in vain.
    #[error("cannot schedule: {0}\n`grader schedule --help` lists what there is.")]
    Schedule(#[from] crate::schedule::RequestError),

    /// A file or a process that did not work.
    #[error("{what}: {source}")]
    Io {
        /// What was tried, with the path.
        what: String,
        /// Why it failed.
        source: io::Error,
    },

    /// A recorded report that cannot be drawn.
    #[error("{} holds no footprint: {found}\n`grader footprint --json -- PROGRAM > FILE.json` records one.", .path.display())]
    NoFootprint {
        /// The file.
        path: PathBuf,
        /// What the parser found.
        found: String,
    },

    /// A text that is not a loop.
    #[error("{file} cannot be simulated: {found}")]
    Loop {
        /// The file.
        file: String,
        /// Where, why, and what to do.
        found: String,
    },

    /// Ctrl-C.
    #[error("interrupted; nothing was changed")]
    Interrupted,
}

impl Error {
    /// The exit code that tells scripts this error apart.
    pub fn exit(&self) -> Exit {
        match self {
            Self::NoCourse(_)
            | Self::UnknownLab { .. }
            | Self::Exists { .. }
            | Self::NothingSubmitted { .. }
            | Self::Book(_)
            | Self::UnknownMeter { .. }
            | Self::NoManifest { .. }
            | Self::BadManifest { .. }
            | Self::Schedule(_)
            | Self::NoFootprint { .. }
            | Self::Loop { .. } => Exit::Usage,
            Self::Tracer(error) if error.is_usage() => Exit::Usage,
            Self::Pages(error) if error.is_usage() => Exit::Usage,
            Self::Tracer(TracerError::Interrupted { .. }) => Exit::Interrupted,
            Self::Tracer(_) => Exit::NotMeasured,
            Self::Pages(_)
            | Self::Missing(_)
            | Self::Cargo(_)
            | Self::Measure { .. }
            | Self::Io { .. } => Exit::NotMeasured,
            Self::Interrupted => Exit::Interrupted,
        }
    }
}

/// `error` for a terminal of `width` columns. Sentences are wrapped; what a tool printed stays as it is.
pub fn for_terminal(error: &Error, width: usize) -> String {
    let text = error.to_string();
    match error {
        Error::Measure { .. } if !text.contains('\n') => {
            crate::host::terminal::wrap(&text, width, 0)
                .trim_end()
                .to_owned()
        }
        _ => text,
    }
}

/// Adds to an I/O error what was being done.
pub trait While<T> {
    /// Says what was tried, with the path.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the operation failed.
    fn while_trying(self, what: impl FnOnce() -> String) -> Result<T, Error>;
}

impl<T> While<T> for io::Result<T> {
    fn while_trying(self, what: impl FnOnce() -> String) -> Result<T, Error> {
        self.map_err(|source| Error::Io {
            what: what(),
            source,
        })
    }
}

fn nearest_hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |nearest| {
        format!("; did you mean `{nearest}`?")
    })
}

fn meter_names() -> String {
    crate::meter::METERS
        .iter()
        .map(|meter| meter.name)
        .collect::<Vec<_>>()
        .join(", ")
}
