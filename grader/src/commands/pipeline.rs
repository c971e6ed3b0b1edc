//! `grader pipeline`: a loop on a model core, its limit, its ports, its critical chain.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use clap::Args;
use models::pipeline::{Machine, machines};

use super::{Outcome, print};
use crate::error::{Error, Exit, While as _};
use crate::pipeline::{self, Request};

/// Iterations counted unless told otherwise: divisible by 2 to 6, 8, 9 and 10, so that a pattern of
/// such a length is counted whole.
const ITERATIONS: u64 = 720;

/// What `pipeline` is told.
#[derive(Debug, Clone, Args)]
pub struct PipelineArgs {
    /// A loop in assembly, Intel or AT&T syntax; `-` reads it from the input
    #[arg(long, value_name = "FILE")]
    pub asm: PathBuf,
    /// The core: skylake, zen4 or golden-cove
    #[arg(long, default_value = "zen4", value_parser = machine)]
    pub machine: &'static Machine,
    /// Iterations to count, after a warm-up
    #[arg(long, default_value_t = ITERATIONS, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub iterations: u64,
    /// Also draw the pipeline of these counted iterations, such as 0..4
    #[arg(long, value_name = "FROM..TO", value_parser = iterations, num_args = 0..=1, default_missing_value = "0..3")]
    pub diagram: Option<Range<u64>>,
    /// Write the diagram as SVG to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print everything as a JSON document
    #[arg(long)]
    pub json: bool,
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

/// Analyses the loop and prints what it found.
///
/// # Errors
///
/// If the file cannot be read or does not hold a loop.
pub fn run(args: &PipelineArgs) -> Outcome {
    let name = args.asm.display().to_string();
    let text = if name == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        fs::read_to_string(&args.asm)
    };
    let text = text.while_trying(|| format!("reading the loop in {name}"))?;
    let followed = match (&args.diagram, &args.svg) {
        (Some(range), _) => range.clone(),
        (None, Some(_)) => 0..3,
        (None, None) => 0..0,
    };
    let request = Request {
        name: &name,
        text: &text,
        machine: args.machine,
        iterations: args.iterations,
        followed,
    };
    let analysis = pipeline::analyze(&request).map_err(|error| Error::Loop {
        file: name.clone(),
        found: error.to_string(),
    })?;
    if let Some(path) = &args.svg {
        fs::write(path, pipeline::svg::render(&analysis))
            .while_trying(|| format!("writing the diagram to {}", path.display()))?;
    }
    if args.json {
        let mut text =
            serde_json::to_string_pretty(&analysis).expect("an analysis holds only plain data");
        text.push('\n');
        print(&text);
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
