//! `grader`: the command behind every `cargo make` task.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use grader::commands::{self, Outcome};
use grader::host::interrupt;

/// Checks, measures and scores the labs of Cyclewise
#[derive(Debug, Parser)]
#[command(name = "grader", version, max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check, measure and score labs
    Grade(commands::grade::GradeArgs),
    /// Run a loop on a model core and show its critical chain
    Pipeline(commands::pipeline::PipelineArgs),
    /// List the labs with the best scores so far
    List,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Err(error) = interrupt::catch() {
        commands::complain(&format!("Ctrl-C will end this at once: {error}"));
    }
    match run(&cli.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            commands::tell_no_more();
            commands::complain(&error.to_string());
            error.exit().into()
        }
    }
}

fn run(command: &Command) -> Outcome {
    match command {
        Command::Grade(args) => commands::grade::run(args),
        Command::Pipeline(args) => commands::pipeline::run(args),
        Command::List => commands::list::run(),
    }
}
