//! What `footprint`, `reuse` and `tlb` have in common: what is run, and which part of it counts.

use super::complain;
use crate::{
    error::Error,
    profile::Subject,
    tracer::{Outcome, Request, Tool},
};
use std::ffi::OsString;

/// A program or a lab, and what of it is measured.
#[derive(Debug, clap::Args)]
pub(super) struct Selection {
    /// A lab, whose kernel is measured
    #[arg(
        value_name = "LAB",
        required_unless_present = "program",
        conflicts_with = "program"
    )]
    lab: Option<String>,
    /// Which of the lab's variants
    #[arg(long, default_value = "solution", value_parser = ["baseline", "solution"], requires = "lab")]
    variant: String,
    /// Measure only while this function runs
    #[arg(long, value_name = "NAME", conflicts_with = "lab")]
    function: Option<String>,
    /// Measure the processes that the program starts as well
    #[arg(long)]
    children: bool,
    /// Leave out what the kernel reads and writes for the program
    #[arg(long)]
    no_kernel: bool,
    /// The program and its arguments
    #[arg(last = true, value_name = "PROGRAM ARGS")]
    program: Vec<OsString>,
}

/// A run that was measured.
pub(super) struct Measured {
    pub(super) outcome: Outcome,
    pub(super) function: Option<String>,
}

impl Selection {
    /// Runs what was selected under the tracer.
    pub(super) fn measure(&self, request: impl FnOnce() -> Request) -> Result<Measured, Error> {
        let subject = match &self.lab {
            Some(lab) => Subject::lab(lab, &self.variant)?,
            None => Subject::program(&self.program, self.function.clone())?,
        };
        if let Some(interpreter) = &subject.program.interpreter {
            complain(&format!(
                "{} is a script: what is measured is its interpreter, {interpreter}",
                subject.program.name
            ));
        }
        let tool = Tool::prepare()?;
        for warning in &tool.warnings {
            complain(warning);
        }
        let request = Request {
            function: subject.function.clone(),
            children: self.children,
            kernel: !self.no_kernel,
            ..request()
        };
        Ok(Measured {
            outcome: tool.run(&subject.program, &request)?,
            function: subject.function,
        })
    }
}
