//! Misses by level of a program's recursion: where a scheduler finds lines and where it does not.

use std::fmt::Write as _;

use super::Report;

/// Levels beyond this one are summed in one row.
const LAST_LEVEL: usize = 11;

/// A row per level: what strands touched there, and what of it missed under each scheduler. In
/// millions of lines, scaled back.
pub fn render(report: &Report) -> String {
    let levels = report
        .runs
        .iter()
        .map(|run| run.outcome.part_touches.len())
        .max()
        .unwrap_or(0);
    let mut text = format!(
        "{} on {}: {} misses by level of the recursion, scale {}, millions\n\n{:<7}{:>9}",
        report.program, report.machine, report.cache, report.scale, "level", "touched"
    );
    for run in &report.runs {
        let _ = write!(text, "{:>9}", run.scheduler);
    }
    text.push('\n');
    let millions = |lines: u64| (lines * report.divisor) as f64 / 1e6;
    for first in 0..levels.min(LAST_LEVEL + 1) {
        let (name, end) = if first == LAST_LEVEL && levels > LAST_LEVEL + 1 {
            (format!("{first}–{}", levels - 1), levels)
        } else {
            (first.to_string(), first + 1)
        };
        let sum = |counts: &[u64]| counts.iter().take(end).skip(first).sum::<u64>();
        row(
            &mut text,
            &name,
            millions(
                report
                    .runs
                    .first()
                    .map_or(0, |run| sum(&run.outcome.part_touches)),
            ),
            report
                .runs
                .iter()
                .map(|run| millions(sum(&run.outcome.part_misses))),
        );
    }
    row(
        &mut text,
        "all",
        millions(
            report
                .runs
                .first()
                .map_or(0, |run| run.outcome.part_touches.iter().sum()),
        ),
        report.runs.iter().map(super::Run::misses_millions),
    );
    text.push_str(
        "\nLevel 0 is the whole problem; each further level halves the size of a task (a\n\
         quarter for quad-tree).\n",
    );
    text
}

fn row(text: &mut String, name: &str, touched: f64, missed: impl Iterator<Item = f64>) {
    let _ = write!(text, "{name:<7}{touched:>9.2}");
    for misses in missed {
        let _ = write!(text, "{misses:>9.2}");
    }
    text.push('\n');
}
