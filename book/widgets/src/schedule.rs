//! A program under all schedulers on a small machine: counts for each, and one of them drawn.

use models::scheduler::programs::program_named;
use models::scheduler::{
    Bounds, Machine, MachineError, Options, Outcome, PolicySettings, Scale, ScheduleError, Segment,
    policy_named, tiny, xeon_7560,
};
use serde::Serialize;
use thiserror::Error;

/// The schedulers, in the order of the table.
const SCHEDULERS: [&str; 4] = ["ws", "pws", "sb", "sb-d"];
/// The big machine and its programs shrink by this much, to be computed while the reader waits.
const DIVISOR: u64 = 256;
/// Lines that a worker touches in one go, on both machines.
const BURST_LINES: u64 = 4;
/// Columns of the timeline.
const COLUMNS: usize = 120;
/// Parts of the address space that the timeline tells apart, `a` to `l`.
const PLACES: u64 = 12;
/// A column in which the worker had no strand.
const IDLE: char = '.';

/// Why nothing was scheduled.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RequestError {
    /// No such machine.
    #[error("there is no machine “{0}”: there are tiny and xeon-7560")]
    Machine(String),
    /// No such program on this machine.
    #[error("there is no program “{0}” on this machine: choose {1}")]
    Program(String, String),
    /// No such scheduler.
    #[error("there is no scheduler “{0}”: there are {names}", names = SCHEDULERS.join(", "))]
    Scheduler(String),
    /// The machine cannot exist; none of ours is such.
    #[error("the machine: {0}")]
    Impossible(#[from] MachineError),
    /// A scheduler broke its contract; none of ours does.
    #[error("the scheduler: {0}")]
    Broken(#[from] ScheduleError),
}

/// What one scheduler's run counted.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Which.
    pub scheduler: &'static str,
    /// Misses of the shared caches.
    pub misses: u64,
    /// From start to end.
    pub makespan_cycles: u64,
    /// Thousandths of all workers' time in strands.
    pub active_permille: u64,
    /// In the scheduler's callbacks.
    pub overhead_permille: u64,
    /// Without a job.
    pub empty_queue_permille: u64,
    /// Jobs taken from another worker.
    pub steals: u64,
}

/// What `<schedule-timeline>` draws.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Timeline {
    /// The shared caches' name.
    pub cache: String,
    /// By how much program and caches were scaled down.
    pub divisor: u64,
    /// Workers that share a cache.
    pub workers_per_cache: usize,
    /// A row per worker, a letter per column: the twelfth of the memory that its strand began with,
    /// or a dot. All columns are equally long and end with the longest of the four runs.
    pub rows: Vec<String>,
    /// All four schedulers.
    pub counts: Vec<Counts>,
}

/// Programs of each machine.
fn programs(machine: &str) -> Option<&'static [&'static str]> {
    match machine {
        "tiny" => Some(&["rrm-tiny"]),
        "xeon-7560" => Some(&[
            "rrm",
            "rrg",
            "quicksort",
            "samplesort",
            "aware-samplesort",
            "quad-tree",
            "matmul",
        ]),
        _ => None,
    }
}

/// Runs a program under all schedulers and draws one of the runs.
///
/// # Errors
///
/// If a name is unknown.
pub fn timeline(
    program: &str,
    machine: &str,
    scheduler: &str,
    seed: u64,
) -> Result<Timeline, RequestError> {
    let known = programs(machine).ok_or_else(|| RequestError::Machine(machine.to_string()))?;
    let run = known
        .contains(&program)
        .then(|| program_named(program))
        .flatten()
        .ok_or_else(|| RequestError::Program(program.to_string(), known.join(", ")))?;
    let drawn = SCHEDULERS
        .iter()
        .position(|&name| name == scheduler)
        .ok_or_else(|| RequestError::Scheduler(scheduler.to_string()))?;
    let (machine, divisor) = if machine == "tiny" {
        (tiny(), 1)
    } else {
        (xeon_7560().scaled(DIVISOR)?, DIVISOR)
    };
    let scale = Scale::new(divisor).expect("both divisors leave work");
    let mut outcomes = Vec::new();
    for (index, name) in SCHEDULERS.iter().enumerate() {
        let build = policy_named(name).expect("the four are policies");
        let bounds = Bounds::default();
        let mut policy = build(&machine, &PolicySettings { seed, bounds });
        let options = Options {
            burst_lines: BURST_LINES,
            record: index == drawn,
            seed,
        };
        outcomes.push(run(scale, &machine, policy.as_mut(), options)?);
    }
    let longest = outcomes.iter().map(|run| run.makespan_cycles).max();
    let rows = rows(&outcomes[drawn], &machine, longest.unwrap_or(1).max(1));
    Ok(Timeline {
        cache: machine.levels[0].name.clone(),
        divisor,
        workers_per_cache: machine.workers_under(0),
        rows,
        counts: SCHEDULERS
            .into_iter()
            .zip(&outcomes)
            .map(|(name, outcome)| counts(name, outcome))
            .collect(),
    })
}

fn counts(scheduler: &'static str, outcome: &Outcome) -> Counts {
    let all = outcome.makespan_cycles * outcome.workers.len() as u64;
    let permille = |cycles: u64| (cycles * 1000 + all / 2) / all.max(1);
    let sum = |part: fn(&models::scheduler::WorkerTimes) -> u64| {
        permille(outcome.workers.iter().map(part).sum())
    };
    Counts {
        scheduler,
        misses: outcome.outer_misses(),
        makespan_cycles: outcome.makespan_cycles,
        active_permille: sum(|w| w.active),
        overhead_permille: sum(models::scheduler::WorkerTimes::callbacks),
        empty_queue_permille: sum(|w| w.empty_queue),
        steals: outcome.steals(),
    }
}

/// Per worker and column the place of the strand that had most of the column's time.
fn rows(outcome: &Outcome, machine: &Machine, longest_cycles: u64) -> Vec<String> {
    let touched = |s: &Segment| s.first_byte;
    let last_byte = outcome.timeline.iter().filter_map(touched).max();
    let bytes_per_place = last_byte.unwrap_or(0) / PLACES + 1;
    let columns = COLUMNS as u64;
    (0..machine.workers())
        .map(|worker| {
            let mut best = [(0_u64, IDLE); COLUMNS];
            let own = outcome.timeline.iter().filter(|s| s.worker.0 == worker);
            for segment in own {
                let Some(first_byte) = segment.first_byte else {
                    continue;
                };
                let place = u8::try_from(first_byte / bytes_per_place).expect("twelve places");
                // In units of a column's length divided by the number of cycles, so that no
                // rounding decides who has more of a column.
                let (from, to) = (segment.from_cycles * columns, segment.to_cycles * columns);
                let first = from / longest_cycles;
                for column in first..columns.min(to.div_ceil(longest_cycles)) {
                    let start = from.max(column * longest_cycles);
                    let end = to.min((column + 1) * longest_cycles);
                    let share = end.saturating_sub(start);
                    let best = &mut best[usize::try_from(column).expect("a column")];
                    if share > best.0 {
                        *best = (share, char::from(b'a' + place));
                    }
                }
            }
            best.iter().map(|&(_, letter)| letter).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_do_not_exist_are_answered_with_those_that_do() {
        let why = |program, machine, scheduler| {
            timeline(program, machine, scheduler, 1)
                .unwrap_err()
                .to_string()
        };
        assert!(why("rrm", "huge", "ws").contains("tiny and xeon-7560"));
        assert!(why("rrm", "tiny", "ws").contains("choose rrm-tiny"));
        assert!(why("rrm-tiny", "xeon-7560", "ws").contains("quicksort"));
        assert!(why("rrm-tiny", "tiny", "best").contains("ws, pws, sb, sb-d"));
    }

    #[test]
    fn every_program_runs_on_its_machine_and_fills_the_rows() {
        for (machine, workers) in [("tiny", 4), ("xeon-7560", 64)] {
            for program in programs(machine).unwrap() {
                let drawn = timeline(program, machine, "ws", 1).unwrap();
                assert_eq!(drawn.rows.len(), workers, "{program}");
                assert!(
                    drawn.rows.iter().all(|row| row.len() == COLUMNS),
                    "{program}"
                );
                let busy = drawn.rows.iter().flat_map(|row| row.chars());
                assert!(busy.filter(|&c| c != IDLE).count() > workers * COLUMNS / 4);
                for run in &drawn.counts {
                    let sum =
                        run.active_permille + run.overhead_permille + run.empty_queue_permille;
                    assert!((998..=1002).contains(&sum), "{program}: {run:?}");
                }
            }
        }
    }

    #[test]
    fn a_space_bounded_run_has_no_steals_and_fewer_misses() {
        let runs = timeline("rrm", "xeon-7560", "sb", 3).unwrap().counts;
        assert!(runs[0].steals > 0 && runs[2].steals == 0);
        assert!(runs[2].misses < runs[0].misses * 7 / 10, "{runs:?}");
    }
}
