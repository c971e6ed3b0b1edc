//! `grader dev`: for whoever writes labs and pages.

pub mod book;
pub mod check;
pub mod new;
pub mod preprocess;

use clap::{Args, Subcommand};

use super::Outcome;

/// What `dev` is told.
#[derive(Debug, Clone, Args)]
pub struct DevArgs {
    #[command(subcommand)]
    command: DevCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum DevCommand {
    /// Make a new lab that compiles, with a stub of its page
    New(new::NewArgs),
    /// Prove of labs that untouched scores 0, the reference 100, and wrong answers are refused
    Check(check::CheckArgs),
    /// Check the built book: every link leads somewhere, every lab has its page
    Book(book::BookArgs),
    /// Expand labs' cards and mathematics; mdBook calls this
    Preprocess(preprocess::PreprocessArgs),
}

/// Runs the subcommand.
///
/// # Errors
///
/// What it could not do; see [`crate::error::Error`].
pub fn run(args: &DevArgs) -> Outcome {
    match &args.command {
        DevCommand::New(args) => new::run(args),
        DevCommand::Check(args) => check::run(args),
        DevCommand::Book(args) => book::run(args),
        DevCommand::Preprocess(args) => preprocess::run(args),
    }
}
