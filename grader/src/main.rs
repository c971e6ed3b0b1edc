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
    /// Grade what others handed in, each in a clean copy of the course
    Regrade(commands::regrade::RegradeArgs),
    /// Show which functions and lines a lab's count comes from
    Explain(commands::explain::ExplainArgs),
    /// Count the distinct lines or pages that a program touches, over time
    Footprint(commands::footprint::FootprintArgs),
    /// Measure a program's reuse distances, of all accesses or load by load
    Reuse(commands::reuse::ReuseArgs),
    /// Tell what of a process is on huge pages, and why the rest is not
    Pages(commands::pages::PagesArgs),
    /// Count a program's TLB misses and page walks, given which pages really are huge
    Tlb(commands::tlb::TlbArgs),
    /// Show how a model core runs a loop, a lab or a function, and its critical chain
    Pipeline(commands::pipeline::PipelineArgs),
    Plot(commands::plot::PlotArgs),
    /// List the labs with the best scores so far
    List,
    /// Show one more hint each time
    Hint(commands::hint::HintArgs),
    /// Put a fresh solution into a lab and keep the old one beside it
    Reset(commands::reset::ResetArgs),
    /// Show a lab's reference, and why it is fast
    Reveal(commands::reveal::RevealArgs),
    /// Grade again whenever a solution is saved
    Watch(commands::watch::WatchArgs),
    /// Run fork-join programs under different schedulers on a model multicore
    Schedule(commands::schedule::ScheduleArgs),
    /// Tell which tools are here, what each is for, and how to get it
    Doctor,
    /// For whoever writes labs and pages
    Dev(commands::dev::DevArgs),
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
            commands::complain(&grader::error::for_terminal(
                &error,
                grader::host::terminal::width(),
            ));
            error.exit().into()
        }
    }
}

fn run(command: &Command) -> Outcome {
    match command {
        Command::Grade(args) => commands::grade::run(args),
        Command::Regrade(args) => commands::regrade::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Footprint(args) => commands::footprint::run(args),
        Command::Reuse(args) => commands::reuse::run(args),
        Command::Pages(args) => commands::pages::run(args),
        Command::Tlb(args) => commands::tlb::run(args),
        Command::Pipeline(args) => commands::pipeline::run(args),
        Command::Plot(args) => commands::plot::run(args),
        Command::List => commands::list::run(),
        Command::Hint(args) => commands::hint::run(args),
        Command::Reset(args) => commands::reset::run(args),
        Command::Reveal(args) => commands::reveal::run(args),
        Command::Watch(args) => commands::watch::run(args),
        Command::Schedule(args) => commands::schedule::run(args),
        Command::Doctor => commands::doctor::run(),
        Command::Dev(args) => commands::dev::run(args),
    }
}
