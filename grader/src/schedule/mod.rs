//! `grader schedule`: fork-join programs under different schedulers on a model multicore.
//!
//! The simulator is in `models::scheduler`; here are the request that a person types, the report
//! that comes back, and the views of it: tables, a timeline, charts beside the paper's figures.

pub mod agreement;
pub mod chart;
pub mod levels;
pub mod machine_file;
pub mod paper;
pub mod sweep;
pub mod table;
pub mod timeline;

use models::scheduler::programs::{PROGRAMS, program_named};
use models::scheduler::{
    Bounds, Machine, MachineError, Options, Outcome, POLICIES, PolicySettings, Scale, ScaleError,
    ScheduleError, Understated, policy_named,
};
use serde::Serialize;
use thiserror::Error;

/// Lines per burst at full size; a scaled run takes as many fewer as its strands are shorter.
const BURST_LINES: u64 = 32;
/// The shortest burst.
const LEAST_BURST_LINES: u64 = 4;

/// Why a request could not be served.
#[derive(Debug, Error)]
pub enum RequestError {
    /// No such program.
    #[error("no program is called `{name}`; there are {known}")]
    Program {
        /// What was asked for.
        name: String,
        /// Those that exist.
        known: String,
    },
    /// No such scheduler.
    #[error("no scheduler is called `{name}`; there are {known}")]
    Scheduler {
        /// What was asked for.
        name: String,
        /// Those that exist.
        known: String,
    },
    /// The scale is not a number between 1 and 1/4096.
    #[error("the scale `{text}` is no scale; write 1 for full size, or 1/64")]
    ScaleText {
        /// What was written.
        text: String,
    },
    /// The bandwidth is no percentage.
    #[error("the bandwidth `{text}` is no percentage; write 25%, up to 1000%")]
    Bandwidth {
        /// What was written.
        text: String,
    },
    /// σ or μ is out of range.
    #[error("{name} = {value}; it is a part of a cache, between 0.001 and 1")]
    Bound {
        /// `sigma` or `mu`.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// The scale leaves no work.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// The machine cannot exist.
    #[error("machine: {0}")]
    Machine(#[from] MachineError),
    /// A machine file that cannot be read.
    #[error("machine file {path}: {why}")]
    MachineFile {
        /// The file.
        path: String,
        /// What is wrong in it.
        why: String,
    },
    /// A scheduler broke its contract.
    #[error("{scheduler}: {error}")]
    Schedule {
        /// Which scheduler.
        scheduler: String,
        /// How.
        error: ScheduleError,
    },
}

/// What to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// A program's name.
    pub program: String,
    /// Schedulers' names.
    pub schedulers: Vec<String>,
    /// The machine at full size and full bandwidth.
    pub machine: Machine,
    /// By how much machine and program are scaled down.
    pub scale: Scale,
    /// Percent of the machine's bandwidth.
    pub bandwidth_percent: u64,
    /// Seed of everything random.
    pub seed: u64,
    /// σ and μ.
    pub bounds: Bounds,
    /// Keep the strands for a timeline.
    pub record: bool,
}

/// One scheduler's run. Times are means over workers, in virtual milliseconds of the run as it was
/// made; a scaled run is that much shorter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// The scheduler.
    pub scheduler: String,
    /// Misses of the caches nearest to the memory, counted in this run.
    pub l3_misses: u64,
    /// The same times the scale's divisor, to compare with full size.
    pub l3_misses_scaled_back: u64,
    /// In strands.
    pub active_ms: f64,
    /// In `add`, `get` and `done`.
    pub overhead_ms: f64,
    /// Without a job.
    pub empty_queue_ms: f64,
    /// Jobs taken from another worker.
    pub steals: u64,
    /// From the first strand's start to the last one's end.
    pub makespan_cycles: u64,
    /// The longest chain of dependent strands.
    pub span_cycles: u64,
    /// Strands of the program.
    pub strands: u64,
    /// Callbacks made.
    pub events: u64,
    /// Tasks that touch more than they say.
    pub understated_tasks: u64,
    /// Everything counted, for the views.
    #[serde(skip)]
    pub outcome: Outcome,
}

/// All runs of a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The program.
    pub program: String,
    /// The machine.
    pub machine: String,
    /// The caches whose misses count: those nearest to the memory.
    pub cache: String,
    /// Its workers.
    pub workers: usize,
    /// `1/64`, or `1`.
    pub scale: String,
    /// Percent of the machine's bandwidth.
    pub bandwidth_percent: u64,
    /// The seed.
    pub seed: u64,
    /// σ of the space-bounded schedulers, in thousandths.
    pub sigma_permille: u64,
    /// μ of the space-bounded schedulers, in thousandths.
    pub mu_permille: u64,
    /// One per scheduler, in the order asked for.
    pub runs: Vec<Run>,
    /// By how much the run was scaled down.
    #[serde(skip)]
    pub divisor: u64,
}

impl Report {
    /// The run of a scheduler.
    pub fn run(&self, scheduler: &str) -> Option<&Run> {
        self.runs.iter().find(|run| run.scheduler == scheduler)
    }

    /// The first understatement found, and by how many tasks.
    pub fn understated(&self) -> Option<(u64, Understated)> {
        let run = self.runs.iter().find(|run| run.understated_tasks > 0)?;
        Some((
            run.understated_tasks,
            run.outcome.first_understated.clone()?,
        ))
    }
}

impl Run {
    /// Milliseconds at full size: active.
    pub fn active_full_ms(&self, divisor: u64) -> f64 {
        self.active_ms * divisor as f64
    }

    /// Misses at full size, in millions.
    pub fn misses_millions(&self) -> f64 {
        self.l3_misses_scaled_back as f64 / 1e6
    }
}

/// Reads `1`, `1/64` or `0.5`-free fractions of the form one over a whole number.
///
/// # Errors
/// If the text is nothing of the sort, or leaves no work.
pub fn parse_scale(text: &str) -> Result<Scale, RequestError> {
    let wrong = || RequestError::ScaleText {
        text: text.to_string(),
    };
    let divisor = match text.split_once('/') {
        None if text.trim() == "1" => 1,
        Some((one, divisor)) if one.trim() == "1" => divisor.trim().parse().map_err(|_| wrong())?,
        _ => return Err(wrong()),
    };
    Ok(Scale::new(divisor)?)
}

/// Reads `25%` or `25`.
///
/// # Errors
/// If the text is no percentage from 1 to 1000.
pub fn parse_percent(text: &str) -> Result<u64, RequestError> {
    let number = text.trim().trim_end_matches('%').trim_end();
    match number.parse() {
        Ok(percent @ 1..=1000) => Ok(percent),
        _ => Err(RequestError::Bandwidth {
            text: text.to_string(),
        }),
    }
}

/// Turns 0.5 into 500 thousandths.
///
/// # Errors
/// If the value is no part of a cache.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked first"
)]
pub fn permille(name: &'static str, value: f64) -> Result<u64, RequestError> {
    if (0.001..=1.0).contains(&value) {
        Ok((value * 1000.0).round() as u64)
    } else {
        Err(RequestError::Bound { name, value })
    }
}

/// Simulates every scheduler of the request.
///
/// # Errors
/// If a name is unknown, the machine cannot exist at this scale, or a scheduler breaks its contract.
pub fn run(request: &Request) -> Result<Report, RequestError> {
    let program = program_named(&request.program).ok_or_else(|| RequestError::Program {
        name: request.program.clone(),
        known: names(PROGRAMS.iter().map(|(name, _)| *name)),
    })?;
    request.machine.check()?;
    let divisor = request.scale.divisor();
    let machine = request
        .machine
        .scaled(divisor)?
        .with_bandwidth_percent(request.bandwidth_percent)?;
    machine.check()?;
    let settings = PolicySettings {
        seed: request.seed,
        bounds: request.bounds,
    };
    let options = Options {
        burst_lines: (BURST_LINES / divisor).max(LEAST_BURST_LINES),
        record: request.record,
        seed: request.seed,
    };
    let mut runs = Vec::new();
    for name in &request.schedulers {
        let build = policy_named(name).ok_or_else(|| RequestError::Scheduler {
            name: name.clone(),
            known: names(POLICIES.iter().map(|(name, _)| *name)),
        })?;
        let mut scheduler = build(&machine, &settings);
        let outcome =
            program(request.scale, &machine, scheduler.as_mut(), options).map_err(|error| {
                RequestError::Schedule {
                    scheduler: name.clone(),
                    error,
                }
            })?;
        runs.push(summarise(name, outcome, &machine, divisor));
    }
    Ok(Report {
        program: request.program.to_lowercase(),
        machine: request.machine.name.clone(),
        cache: machine
            .levels
            .first()
            .map_or("no".to_string(), |level| level.name.clone()),
        workers: machine.workers(),
        scale: if divisor == 1 {
            "1".to_string()
        } else {
            format!("1/{divisor}")
        },
        bandwidth_percent: request.bandwidth_percent,
        seed: request.seed,
        sigma_permille: request.bounds.sigma_permille,
        mu_permille: request.bounds.mu_permille,
        runs,
        divisor,
    })
}

fn summarise(scheduler: &str, outcome: Outcome, machine: &Machine, divisor: u64) -> Run {
    let ms = |cycles: u64| cycles as f64 / (machine.megahertz as f64 * 1000.0);
    Run {
        scheduler: scheduler.to_string(),
        l3_misses: outcome.outer_misses(),
        l3_misses_scaled_back: outcome.outer_misses() * divisor,
        active_ms: ms(outcome.mean(|w| w.active)),
        overhead_ms: ms(outcome.mean(models::scheduler::WorkerTimes::callbacks)),
        empty_queue_ms: ms(outcome.mean(|w| w.empty_queue)),
        steals: outcome.steals(),
        makespan_cycles: outcome.makespan_cycles,
        span_cycles: outcome.span_cycles,
        strands: outcome.strands,
        events: outcome.events,
        understated_tasks: outcome.understated_tasks,
        outcome,
    }
}

fn names<'a>(known: impl Iterator<Item = &'a str>) -> String {
    known.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
