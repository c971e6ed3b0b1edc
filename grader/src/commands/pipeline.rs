//! `grader pipeline`: code on a model core, its limit, its ports, its critical chain.

mod recorded;

use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use models::pipeline::{Machine, machines};

use super::{Outcome, print};
use crate::error::{Error, Exit, While as _};
use crate::pipeline::{self, Analysis, Request};

/// Iterations counted unless told otherwise: divisible by 2 to 6, 8, 9 and 10, so that a pattern of
/// such a length is counted whole.
const ITERATIONS: u64 = 720;
/// Iterations drawn unless told otherwise.
const DRAWN: Range<u64> = 0..3;
/// Instructions recorded unless told otherwise: a third of a second on the model.
const LIMIT: &str = "1000000";
/// Instructions that may be recorded: each takes about a hundred bytes until it has been simulated.
const LARGEST_LIMIT: u64 = 20_000_000;

/// Show how a model core runs a loop, a lab's kernel, or a function of any program
#[derive(Debug, Clone, Args)]
#[command(group(ArgGroup::new("subject").required(true).args(["asm", "lab", "program"])))]
pub struct PipelineArgs {
    /// A lab, whose kernel is recorded
    #[arg(value_name = "LAB")]
    pub lab: Option<String>,
    /// Which of the lab's variants
    #[arg(long, default_value = "solution", value_parser = ["baseline", "solution", "reference"], requires = "lab")]
    pub variant: String,
    /// Record this function of the program, with all that it calls
    #[arg(long, value_name = "NAME", requires = "program", conflicts_with_all = ["lab", "asm"])]
    pub function: Option<String>,
    /// A loop in assembly, Intel or AT&T syntax; `-` reads it from the input
    #[arg(long, value_name = "FILE")]
    pub asm: Option<PathBuf>,
    /// The core: skylake, zen4 or golden-cove
    #[arg(long, default_value = "golden-cove", value_parser = machine)]
    pub machine: &'static Machine,
    /// Iterations of the loop to count, after a warm-up
    #[arg(long, default_value_t = ITERATIONS, requires = "asm", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub iterations: u64,
    /// Instructions to record at most
    #[arg(long, value_name = "N", default_value = LIMIT, conflicts_with = "asm", value_parser = clap::value_parser!(u64).range(1..=LARGEST_LIMIT))]
    pub limit: u64,
    /// Let so many calls of the function pass before recording
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "asm")]
    pub skip_calls: u64,
    /// Let so many instructions in the function pass, after the skipped calls
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "asm")]
    pub skip_instructions: u64,
    /// Pieces of code to list, hottest first
    #[arg(long, value_name = "N", default_value_t = 2, conflicts_with = "asm")]
    pub chains: usize,
    /// Also draw the pipeline of these iterations, such as 0..4: counted ones of a loop in assembly,
    /// else ones from the middle of the hottest loop
    #[arg(long, value_name = "FROM..TO", value_parser = iterations, num_args = 0..=1, default_missing_value = "0..3")]
    pub diagram: Option<Range<u64>>,
    /// Write the diagram as SVG to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print everything as a JSON document
    #[arg(long)]
    pub json: bool,
    /// The program and its arguments
    #[arg(last = true, value_name = "PROGRAM ARGS", requires = "function")]
    pub program: Vec<OsString>,
}

fn machine(name: &str) -> Result<&'static Machine, String> {
    machines::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = machines::MACHINES
            .iter()
            .map(|machine| machine.name)
            .collect();
        format!("there is no such core; there are {}", names.join(", "))
    })
}

fn iterations(text: &str) -> Result<Range<u64>, String> {
    let wrong = || "a range is written as 0..4".to_string();
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let range = from.parse().map_err(|_| wrong())?..to.parse().map_err(|_| wrong())?;
    if range.is_empty() {
        return Err("the range is empty; write it as 0..4".to_string());
    }
    Ok(range)
}

/// Simulates what was asked for and prints what it found.
///
/// # Errors
///
/// If the file cannot be read or does not hold a loop, or nothing could be recorded.
pub fn run(args: &PipelineArgs) -> Outcome {
    match &args.asm {
        Some(file) => run_loop(args, file),
        None => recorded::run(args),
    }
}

/// The iterations to follow one by one.
fn followed(args: &PipelineArgs) -> Range<u64> {
    match (&args.diagram, &args.svg) {
        (Some(range), _) => range.clone(),
        (None, Some(_)) => DRAWN,
        (None, None) => 0..0,
    }
}

fn run_loop(args: &PipelineArgs, file: &Path) -> Outcome {
    let name = file.display().to_string();
    let text = if name == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        fs::read_to_string(file)
    };
    let text = text.while_trying(|| format!("reading the loop in {name}"))?;
    let request = Request {
        name: &name,
        text: &text,
        machine: args.machine,
        iterations: args.iterations,
        followed: followed(args),
    };
    let analysis = pipeline::analyze(&request).map_err(|error| Error::Loop {
        file: name.clone(),
        found: error.to_string(),
    })?;
    draw(args, &analysis)?;
    if args.json {
        super::emit::json(&analysis);
        return Ok(Exit::Passed);
    }
    let mut text = pipeline::text::render(&analysis);
    if args.diagram.is_some() {
        text.push('\n');
        text.push_str(&pipeline::diagram::render(&analysis));
    }
    print(&text);
    Ok(Exit::Passed)
}

/// Writes the drawing of the followed iterations, if one was asked for.
fn draw(args: &PipelineArgs, analysis: &Analysis) -> Result<(), Error> {
    let Some(path) = &args.svg else {
        return Ok(());
    };
    fs::write(path, pipeline::svg::render(analysis))
        .while_trying(|| format!("writing the diagram to {}", path.display()))
}
