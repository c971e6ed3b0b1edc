//! `grader schedule` as a program of its own.

use std::io::Write as _;

use anyhow::Context as _;
use clap::Parser;
use grader::schedule::arguments::{ScheduleArgs, answer};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: ScheduleArgs,
}

fn main() -> anyhow::Result<()> {
    let answer = answer(&Cli::parse().args)?;
    if let Some(drawing) = answer.drawing {
        std::fs::write(&drawing.path, drawing.svg)
            .with_context(|| format!("writing {}", drawing.path.display()))?;
    }
    std::io::stdout().write_all(answer.text.as_bytes())?;
    Ok(())
}
