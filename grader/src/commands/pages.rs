//! `grader pages`: what of a process is on huge pages, and why the rest is not.

use std::ffi::OsString;

use super::{Outcome, complain, emit};
use crate::error::{Error, Exit};
use crate::pages::{self, PagesReport, text, watch};
use crate::tracer::{Program, TracerError};

/// Tell which mappings are on huge pages, why the others are not, and the next step
///
/// A program that is started here is looked at when it has most memory.
#[derive(Debug, clap::Args)]
pub struct PagesArgs {
    /// Look at a process that runs already
    #[arg(
        long,
        value_name = "N",
        required_unless_present = "program",
        conflicts_with = "program"
    )]
    pid: Option<u32>,
    /// Print JSON instead of a text
    #[arg(long)]
    json: bool,
    /// The program and its arguments
    #[arg(last = true, value_name = "PROGRAM ARGS")]
    program: Vec<OsString>,
}

/// Looks at the process and prints what was found.
///
/// # Errors
///
/// If there is nothing to look at.
pub fn run(args: &PagesArgs) -> Outcome {
    if let Some(process) = args.pid {
        print(&pages::look(process)?, args.json);
        return Ok(Exit::Passed);
    }
    let no_program = || TracerError::NoProgram {
        name: String::new(),
        hint: "; write the program and its arguments after --",
    };
    let (name, arguments) = args.program.split_first().ok_or_else(no_program)?;
    let program = Program::find(name, arguments.to_vec())?;
    if let Some(interpreter) = &program.interpreter {
        complain(&format!(
            "{} is a script: what is looked at is its interpreter, {interpreter}",
            program.name
        ));
    }
    let watched = watch::run(&program).map_err(Error::from)?;
    print(&watched.report, args.json);
    if let Some(remark) = &watched.remark {
        complain(remark);
    }
    Ok(if watched.interrupted {
        Exit::Interrupted
    } else {
        Exit::Passed
    })
}

fn print(report: &PagesReport, json: bool) {
    if json {
        emit::json(report);
    } else {
        emit::text(&text::render(report));
    }
}
