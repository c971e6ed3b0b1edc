//! `grader schedule`: fork-join programs under different schedulers on a model multicore.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use models::scheduler::{Bounds, Machine, machine_named};

use super::{Outcome, print, tell, tell_no_more};
use crate::error::{Error, Exit, While as _};
use crate::host::interrupt;
use crate::host::side_by_side::cores;
use crate::schedule::paper::PUBLISHED;
use crate::schedule::sweep::{self, Sweep};
use crate::schedule::{
    self as schedule, Request, RequestError, agreement, chart, levels, machine_file, parse_percent,
    parse_scale, permille, table, timeline,
};

/// Options of `grader schedule`.
#[derive(Debug, Clone, Args)]
pub struct ScheduleArgs {
    /// rrm, rrg, quicksort, samplesort, aware-samplesort, quad-tree, matmul or rrm-tiny
    #[arg(long, default_value = "rrm")]
    pub program: String,
    /// Schedulers, with commas between: ws, pws, sb, sb-d, fifo, lifo
    #[arg(long, value_delimiter = ',', default_value = "ws,pws,sb,sb-d")]
    pub scheduler: Vec<String>,
    /// xeon-7560, desktop-8, two-chiplets, tiny, or a TOML file that describes one
    #[arg(long, default_value = "xeon-7560")]
    pub machine: String,
    /// Scales program and caches down together: 1, 1/16, 1/64
    #[arg(long, default_value = "1/64", value_name = "1/N")]
    pub scale: String,
    /// Percent of the machine's memory bandwidth
    #[arg(long, default_value = "100%", value_name = "PERCENT")]
    pub bandwidth: String,
    /// Seed of victims and of the moments at which idle workers look
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A task befits a cache of which it fills at most this part
    #[arg(long, default_value_t = 0.5)]
    pub sigma: f64,
    /// A running strand reserves at most this part of a cache
    #[arg(long, default_value_t = 0.2)]
    pub mu: f64,
    /// Print a document for programs instead of a table
    #[arg(long)]
    pub json: bool,
    /// Print misses by level of the program's recursion instead
    #[arg(long, conflicts_with_all = ["json", "sweep", "agreement"])]
    pub levels: bool,
    /// Draw what each worker touches over time into this SVG file
    #[arg(long, value_name = "FILE")]
    pub timeline: Option<PathBuf>,
    /// Repeat one of the paper's sweeps and draw it with the paper's points
    #[arg(long, value_enum)]
    pub sweep: Option<SweepKind>,
    /// Where to draw the sweep; schedule-<sweep>.svg unless given
    #[arg(long, value_name = "FILE", requires = "sweep")]
    pub svg: Option<PathBuf>,
    /// Compare all programs with the paper; minutes at scale 1, on all cores
    #[arg(long, conflicts_with_all = ["sweep", "timeline"])]
    pub agreement: bool,
}

/// The sweeps by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SweepKind {
    /// Misses of RRM by cores per socket
    Cores,
    /// Active time of RRM by bandwidth
    Bandwidth,
    /// Misses under SB by σ
    Sigma,
    /// Overhead of quicksort under SB by μ
    Mu,
}

impl SweepKind {
    fn kind(self) -> (Sweep, &'static str) {
        match self {
            Self::Cores => (Sweep::Cores, "cores"),
            Self::Bandwidth => (Sweep::Bandwidth, "bandwidth"),
            Self::Sigma => (Sweep::Sigma, "sigma"),
            Self::Mu => (Sweep::Mu, "mu"),
        }
    }
}

/// What is to be written to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// Where to.
    pub path: PathBuf,
    /// The SVG.
    pub svg: String,
}

/// The answer to a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What to print.
    pub text: String,
    /// What to write.
    pub drawing: Option<Drawing>,
}

/// Simulates, prints, and draws what was asked for.
///
/// # Errors
///
/// If the request makes no sense, or a drawing cannot be written.
pub fn run(args: &ScheduleArgs) -> Outcome {
    let slow = args.agreement || args.sweep.is_some();
    let began = std::time::Instant::now();
    if slow {
        tell("simulating; a larger divisor in --scale is quicker");
    }
    let answer = interruptible(args)?;
    tell_no_more();
    print(&answer.text);
    if args.agreement {
        say_cost(began.elapsed());
    }
    if let Some(drawing) = answer.drawing {
        std::fs::write(&drawing.path, drawing.svg)
            .while_trying(|| format!("writing the drawing to {}", drawing.path.display()))?;
    }
    Ok(Exit::Passed)
}

/// What the comparison cost, to stderr: the numbers above it are the same on every host, these not.
fn say_cost(took: std::time::Duration) {
    let memory = peak_memory_bytes().map_or(String::new(), |bytes| {
        format!(", at most {} MB of memory", bytes.div_ceil(1_000_000))
    });
    eprintln!(
        "{} simulations on {} threads in {:.0} s{memory}",
        agreement::SIMULATIONS,
        cores(),
        took.as_secs_f64()
    );
}

/// The most memory that this process has had so far, where the system says so.
fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim_end().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Simulates beside a look at Ctrl-C: a simulation at full size takes a minute and asks nobody.
fn interruptible(args: &ScheduleArgs) -> Result<Answer, Error> {
    let args = args.clone();
    let simulation = std::thread::spawn(move || answer(&args));
    while !simulation.is_finished() {
        interrupt::check()?;
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    match simulation.join() {
        Ok(answer) => Ok(answer?),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Does what was asked, without touching the disk but to read a machine file.
///
/// # Errors
/// If the request makes no sense; says which part.
pub fn answer(args: &ScheduleArgs) -> Result<Answer, RequestError> {
    let request = Request {
        program: args.program.clone(),
        schedulers: args.scheduler.clone(),
        machine: machine(&args.machine)?,
        scale: parse_scale(&args.scale)?,
        bandwidth_percent: parse_percent(&args.bandwidth)?,
        seed: args.seed,
        bounds: Bounds {
            sigma_permille: permille("sigma", args.sigma)?,
            mu_permille: permille("mu", args.mu)?,
        },
        record: args.timeline.is_some(),
    };
    if args.agreement {
        let comparisons = agreement::compare(&PUBLISHED, request.scale, request.seed, cores())?;
        let text = if args.json {
            json(&comparisons)
        } else {
            agreement::render(&comparisons, request.scale)
        };
        return Ok(Answer {
            text,
            drawing: None,
        });
    }
    if let Some(which) = args.sweep {
        let (kind, name) = which.kind();
        let swept = sweep::sweep(kind, &request)?;
        let text = if args.json {
            json(&swept)
        } else {
            sweep::table(&swept)
        };
        let path = args
            .svg
            .clone()
            .unwrap_or_else(|| PathBuf::from(format!("schedule-{name}.svg")));
        let svg = chart::render(&sweep::chart(&swept));
        return Ok(Answer {
            text,
            drawing: Some(Drawing { path, svg }),
        });
    }
    let report = schedule::run(&request)?;
    let text = if args.json {
        json(&report)
    } else if args.levels {
        levels::render(&report)
    } else {
        table::render(&report)
    };
    let drawing = args.timeline.as_ref().map(|path| Drawing {
        path: path.clone(),
        svg: timeline::render(&report),
    });
    Ok(Answer { text, drawing })
}

fn json(value: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("numbers and names always render");
    text.push('\n');
    text
}

/// A named machine, or one from a file.
fn machine(name: &str) -> Result<Machine, RequestError> {
    let is_file = Path::new(name)
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("toml"));
    if !is_file {
        return Ok(machine_named(name)?);
    }
    let text = std::fs::read_to_string(name).map_err(|error| RequestError::MachineFile {
        path: name.to_string(),
        why: error.to_string(),
    })?;
    machine_file::parse(name, &text)
}
