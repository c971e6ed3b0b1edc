//! `grader pipeline` for real code: recorded by the tracer, simulated on a model core.

use std::env;

use models::pipeline::Limits;

use super::{PipelineArgs, draw, followed};
use crate::commands::{Outcome, complain, emit};
use crate::host::terminal::{width, wrap};
use crate::meter::same_environment;
use crate::pipeline::diagram as rows;
use crate::pipeline::recorded::{self, Coverage, Recording, diagram, text};
use crate::profile::Subject;
use crate::tracer::{self, Request, Tool, TracerError, request::Analysis};

/// Records, simulates, and prints what was found.
///
/// # Errors
///
/// If nothing could be recorded.
pub(super) fn run(args: &PipelineArgs) -> Outcome {
    let subject = match &args.lab {
        Some(lab) => Subject::lab(lab, &args.variant)?,
        None => Subject::program(&args.program, args.function.clone())?,
    };
    let function = subject.function.clone().unwrap_or_default();
    let tool = Tool::prepare()?;
    for warning in &tool.warnings {
        complain(warning);
    }
    let request = Request {
        function: subject.function.clone(),
        // A lab's cycles are the same everywhere; a program may need what its user has set.
        environment: args.lab.as_ref().map(|_| same_environment()),
        ..Request::new(Analysis::Trace {
            skip_calls: args.skip_calls,
            skip_instructions: args.skip_instructions,
            limit: args.limit,
            names: true,
        })
    };
    let outcome = tool.run(&subject.program, &request)?;
    let coverage = coverage(args, &outcome);
    if coverage.instructions == 0 {
        return Err(nothing(&function, &coverage, &outcome).into());
    }
    let trace = &outcome.main().trace;
    let recording = Recording::new(args.machine, trace).map_err(|found| TracerError::Tool {
        program: subject.program.name.clone(),
        found: format!("the recording cannot be read: {found}; rebuild with `cargo build`"),
    })?;
    let run = recording.run(Limits::default());
    let name = match &args.lab {
        Some(lab) => format!("{lab}, {}", args.variant),
        None => function,
    };
    let here = env::current_dir().unwrap_or_default();
    let analysis = recorded::summary(name, &recording, trace, coverage, &run, &here);
    let mut drawing = String::new();
    let mut notes = outcome.notes();
    if args.diagram.is_some() || args.svg.is_some() {
        let (steps, whole) = diagram::steps_of(&recording, &analysis, &followed(args));
        if !whole {
            notes.push(format!(
                "the diagram shows the first {} instructions of these iterations",
                diagram::MOST_ROWS
            ));
        }
        let followed = diagram::follow(&recording, &analysis, steps);
        draw(args, &followed)?;
        if args.diagram.is_some() {
            drawing = format!("\n{}", rows::render(&followed));
        }
    }
    if args.json {
        emit::json(&analysis);
    } else {
        emit::text(&text::render(&analysis, args.chains));
        emit::text(&drawing);
    }
    notes.extend(partial(&coverage, args.limit));
    for note in &mut notes {
        *note = wrap(note, width(), 0).trim_end().to_owned();
    }
    Ok(emit::notes(&notes, &outcome))
}

fn coverage(args: &PipelineArgs, outcome: &tracer::Outcome) -> Coverage {
    let main = outcome.main();
    let totals = main.trace.totals;
    let end = main.end.as_ref();
    Coverage {
        instructions: totals.instructions,
        instructions_in_all: end.map_or(totals.instructions, |end| end.instructions),
        calls: totals.calls,
        calls_in_all: end.and_then(|end| end.entries).unwrap_or(totals.calls),
        skipped_calls: args.skip_calls,
        skipped_instructions: args.skip_instructions,
    }
}

fn nothing(function: &str, coverage: &Coverage, outcome: &tracer::Outcome) -> TracerError {
    let found = if outcome.main().end.is_none() {
        format!("{}, before anything was recorded", outcome.ending)
    } else {
        format!(
            "`{function}` ran {} instructions in {} calls, and all of them were let pass; ask for \
             fewer with --skip-calls and --skip-instructions",
            coverage.instructions_in_all, coverage.calls_in_all
        )
    };
    TracerError::Tool {
        program: outcome.command.clone(),
        found,
    }
}

/// What to do about a recording that holds a part only.
fn partial(coverage: &Coverage, limit: u64) -> Option<String> {
    let let_pass = coverage.skipped_calls > 0 || coverage.skipped_instructions > 0;
    if let_pass || coverage.instructions >= coverage.instructions_in_all {
        return None;
    }
    if coverage.instructions < limit {
        return Some(format!(
            "recorded all {} instructions of the first thread that entered the function; {} more \
             ran on other threads meanwhile",
            coverage.instructions,
            coverage.instructions_in_all - coverage.instructions
        ));
    }
    Some(format!(
        "recorded the first {} of {} instructions; --limit records more, and --skip-calls or \
         --skip-instructions a later part",
        coverage.instructions, coverage.instructions_in_all
    ))
}
