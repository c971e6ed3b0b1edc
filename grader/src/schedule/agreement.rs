//! The whole comparison with the paper: six programs, four schedulers, two bandwidths.

mod text;
mod verdicts;

use models::scheduler::{Bounds, Scale, xeon_7560};
use serde::Serialize;

use super::paper::{PUBLISHED, Published, SCHEDULERS};
use super::{Request, RequestError, Run, run};
use crate::host::side_by_side::side_by_side;

pub use text::render;
pub use verdicts::{Verdict, verdicts};

/// Active times closer than this are one place in the order: the paper's SB and SB-D differ by less.
const TIE: f64 = 0.03;

/// Percent of the bandwidth that each program runs at.
const BANDWIDTHS: [u64; 2] = [100, 25];

/// One program beside its published figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The program.
    pub program: &'static str,
    /// Ours, misses in millions, a column per scheduler.
    pub misses_millions: [f64; 4],
    /// The paper's.
    pub published_misses_millions: [f64; 4],
    /// Ours, active milliseconds at full bandwidth.
    pub active_ms: [f64; 4],
    /// Ours, active milliseconds at a quarter of it.
    pub active_quarter_ms: [f64; 4],
    /// Ours, callbacks and empty queue at full bandwidth.
    pub overhead_ms: [f64; 4],
    /// Whether the schedulers' order by active time is the paper's, at full bandwidth and a quarter.
    pub same_order: [bool; 2],
}

impl Comparison {
    /// How far our misses are from the published, as a fraction; negative if ours are fewer.
    pub fn gaps(&self) -> [f64; 4] {
        let mut gaps = [0.0; 4];
        for (gap, (ours, paper)) in gaps.iter_mut().zip(
            self.misses_millions
                .iter()
                .zip(self.published_misses_millions),
        ) {
            *gap = ours / paper - 1.0;
        }
        gaps
    }

    /// By which fraction SB misses less than WS, ours and the paper's.
    pub fn reductions(&self) -> [f64; 2] {
        let of = |misses: &[f64; 4]| 1.0 - misses[2] / misses[0];
        [
            of(&self.misses_millions),
            of(&self.published_misses_millions),
        ]
    }
}

/// One simulation of the comparison.
struct Cell {
    published: &'static Published,
    bandwidth_percent: u64,
    scheduler: &'static str,
}

/// Runs these programs at this scale, on as many threads; the numbers do not depend on how many.
///
/// # Errors
/// As [`run`].
pub fn compare(
    programs: &'static [Published],
    scale: Scale,
    seed: u64,
    threads: usize,
) -> Result<Vec<Comparison>, RequestError> {
    // The longest programs stand last in the table and go first here, so that no thread is left
    // alone with one at the end.
    let cells: Vec<Cell> = programs
        .iter()
        .rev()
        .flat_map(|published| {
            BANDWIDTHS.into_iter().flat_map(move |bandwidth_percent| {
                SCHEDULERS.into_iter().map(move |scheduler| Cell {
                    published,
                    bandwidth_percent,
                    scheduler,
                })
            })
        })
        .collect();
    let jobs = cells.iter().map(|cell| move || simulate(cell, scale, seed));
    let runs = side_by_side(threads, jobs.collect());
    let runs: Vec<Run> = runs.into_iter().collect::<Result<_, _>>()?;
    let per_program = BANDWIDTHS.len() * SCHEDULERS.len();
    let mut comparisons: Vec<Comparison> = runs
        .chunks(per_program)
        .zip(programs.iter().rev())
        .map(|(runs, published)| {
            let (full, quarter) = runs.split_at(SCHEDULERS.len());
            beside(published, full, quarter, scale)
        })
        .collect();
    comparisons.reverse();
    Ok(comparisons)
}

/// Simulations that [`compare`] makes for all programs.
pub const SIMULATIONS: usize = PUBLISHED.len() * BANDWIDTHS.len() * SCHEDULERS.len();

fn simulate(cell: &Cell, scale: Scale, seed: u64) -> Result<Run, RequestError> {
    let mut report = run(&Request {
        program: cell.published.program.to_string(),
        schedulers: vec![cell.scheduler.to_string()],
        machine: xeon_7560(),
        scale,
        bandwidth_percent: cell.bandwidth_percent,
        seed,
        bounds: Bounds::default(),
        record: false,
    })?;
    Ok(report.runs.remove(0))
}

fn beside(published: &Published, full: &[Run], quarter: &[Run], scale: Scale) -> Comparison {
    let active = |runs: &[Run]| column(runs, |run| run.active_full_ms(scale.divisor()));
    let (active_ms, active_quarter_ms) = (active(full), active(quarter));
    Comparison {
        program: published.program,
        misses_millions: column(full, Run::misses_millions),
        published_misses_millions: published.misses_millions,
        overhead_ms: column(full, |run| {
            (run.overhead_ms + run.empty_queue_ms) * scale.divisor() as f64
        }),
        same_order: [
            same_order(&active_ms, &published.active_ms),
            same_order(&active_quarter_ms, &published.active_quarter_ms),
        ],
        active_ms,
        active_quarter_ms,
    }
}

fn column(runs: &[Run], value: impl Fn(&Run) -> f64) -> [f64; 4] {
    let mut values = [0.0; 4];
    for (place, run) in values.iter_mut().zip(runs) {
        *place = value(run);
    }
    values
}

/// Whether every pair that the paper tells apart is in the paper's order in ours.
fn same_order(ours: &[f64; 4], paper: &[f64; 4]) -> bool {
    (0..4).all(|a| {
        (0..4).all(|b| {
            let apart = paper[a] < paper[b] * (1.0 - TIE);
            !apart || ours[a] < ours[b]
        })
    })
}
