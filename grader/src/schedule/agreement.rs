//! The whole comparison with the paper: six programs, four schedulers, two bandwidths.

use std::fmt::Write as _;

use models::scheduler::{Bounds, Scale, xeon_7560};
use serde::Serialize;

use super::paper::{PUBLISHED, Published, SCHEDULERS};
use super::{Report, Request, RequestError, run};

/// Active times closer than this are one place in the order: the paper's SB and SB-D differ by less.
const TIE: f64 = 0.03;

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

/// Runs everything at this scale.
///
/// # Errors
/// As [`run`].
pub fn compare(scale: Scale, seed: u64) -> Result<Vec<Comparison>, RequestError> {
    PUBLISHED
        .iter()
        .map(|published| compare_one(published, scale, seed))
        .collect()
}

/// Runs one program at this scale.
///
/// # Errors
/// As [`run`].
pub fn compare_one(
    published: &Published,
    scale: Scale,
    seed: u64,
) -> Result<Comparison, RequestError> {
    let request = |bandwidth_percent| Request {
        program: published.program.to_string(),
        schedulers: SCHEDULERS.map(str::to_string).to_vec(),
        machine: xeon_7560(),
        scale,
        bandwidth_percent,
        seed,
        bounds: Bounds::default(),
        record: false,
    };
    let full = run(&request(100))?;
    let quarter = run(&request(25))?;
    let active = |report: &Report| column(report, |run| run.active_full_ms(scale.divisor()));
    let (active_ms, active_quarter_ms) = (active(&full), active(&quarter));
    Ok(Comparison {
        program: published.program,
        misses_millions: column(&full, super::Run::misses_millions),
        published_misses_millions: published.misses_millions,
        overhead_ms: column(&full, |run| {
            (run.overhead_ms + run.empty_queue_ms) * scale.divisor() as f64
        }),
        same_order: [
            same_order(&active_ms, &published.active_ms),
            same_order(&active_quarter_ms, &published.active_quarter_ms),
        ],
        active_ms,
        active_quarter_ms,
    })
}

fn column(report: &Report, value: impl Fn(&super::Run) -> f64) -> [f64; 4] {
    let mut values = [0.0; 4];
    for (place, run) in values.iter_mut().zip(&report.runs) {
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

/// The comparison as text.
pub fn render(comparisons: &[Comparison], scale: Scale) -> String {
    let mut text = format!(
        "L3 misses in millions, ours and the paper's, at scale 1/{} (scaled back)\n\n",
        scale.divisor()
    );
    text.push_str("program            WS              PWS             SB              SB-D\n");
    for c in comparisons {
        let _ = write!(text, "{:<17}", c.program);
        for (ours, gap) in c.misses_millions.iter().zip(c.gaps()) {
            let _ = write!(text, "{ours:>7.2} {:>+6.1}%", gap * 100.0);
        }
        text.push('\n');
        let _ = write!(text, "{:<17}", "  paper");
        for paper in c.published_misses_millions {
            let _ = write!(text, "{paper:>7.2}        ");
        }
        text.push('\n');
    }
    text.push_str(
        "\nActive ms (paper) at 100 % and 25 % of the bandwidth; order as published?\n\n",
    );
    for c in comparisons {
        let published =
            super::paper::published(c.program).expect("compared programs are published");
        let lines = [
            ("100 %", &c.active_ms, &published.active_ms, c.same_order[0]),
            (
                "25 %",
                &c.active_quarter_ms,
                &published.active_quarter_ms,
                c.same_order[1],
            ),
        ];
        for (label, ours, paper, same) in lines {
            let _ = write!(text, "{:<17}{label:>5} ", c.program);
            for (ours, paper) in ours.iter().zip(paper) {
                let _ = write!(text, " {ours:>5.0} ({paper:>4.0})");
            }
            let _ = writeln!(text, "{}", if same { "  yes" } else { "  NO" });
        }
    }
    text.push_str("\nSB misses less than WS by, ours (paper):");
    for c in comparisons {
        let [ours, paper] = c.reductions();
        let _ = write!(
            text,
            "\n  {:<17}{:>5.0} % ({:.0} %)",
            c.program,
            ours * 100.0,
            paper * 100.0
        );
    }
    text.push('\n');
    text
}
