//! The report as a table of at most 80 columns.

use std::fmt::Write as _;

use super::Report;
use crate::host::terminal::{width, wrap};

/// Units that suit the size of a run.
struct Units {
    misses: &'static str,
    time: &'static str,
    cycles: &'static str,
    /// What misses and cycles are divided by.
    scale: f64,
    per_ms: f64,
    /// 0 for whole numbers.
    decimals: usize,
}

impl Units {
    /// Runs of fewer cycles than this are small.
    const SMALL_CYCLES: u64 = 10_000_000;

    fn of(report: &Report) -> Self {
        let longest = report
            .runs
            .iter()
            .map(|run| run.makespan_cycles)
            .max()
            .unwrap_or(0);
        if longest * report.divisor < Self::SMALL_CYCLES {
            Self {
                misses: "lines",
                time: "µs",
                cycles: "cycles",
                scale: 1.0,
                per_ms: 1000.0,
                decimals: 0,
            }
        } else {
            Self {
                misses: "M",
                time: "ms",
                cycles: "M cycles",
                scale: 1e6,
                per_ms: 1.0,
                decimals: 1,
            }
        }
    }
}

/// Renders a report; times and misses are scaled back to full size.
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} on {}: {} workers, scale {}, {} % bandwidth, seed {}",
        report.program,
        report.machine,
        report.workers,
        report.scale,
        report.bandwidth_percent,
        report.seed
    );
    let units = Units::of(report);
    text.push('\n');
    let _ = writeln!(
        text,
        "scheduler  {:>9}    active  overhead  empty queue  makespan     steals",
        format!("{} misses", report.cache)
    );
    let _ = writeln!(
        text,
        "           {:>9}  {:>8}  {:>8}  {:>11}  {:>8}",
        units.misses, units.time, units.time, units.time, units.cycles
    );
    let divisor = report.divisor as f64;
    for run in &report.runs {
        let _ = writeln!(
            text,
            "{:<9}  {:>9.*}  {:>8.1}  {:>8.1}  {:>11.1}  {:>8.*}  {:>9}",
            run.scheduler,
            2 * units.decimals,
            run.l3_misses_scaled_back as f64 / units.scale,
            run.active_ms * divisor * units.per_ms,
            run.overhead_ms * divisor * units.per_ms,
            run.empty_queue_ms * divisor * units.per_ms,
            units.decimals,
            run.makespan_cycles as f64 * divisor / units.scale,
            run.steals
        );
    }
    text.push('\n');
    text.push_str("Times are means over workers. Overhead is add, get and done.\n");
    if report.divisor > 1 {
        let _ = writeln!(
            text,
            "Counts and times but steals are scaled back, × {}.",
            report.divisor
        );
    }
    if let Some((tasks, first)) = report.understated() {
        let warning = format!(
            "warning: {tasks} tasks touch more than they say, the first at event {}: {} says {} \
             bytes and touches {}. Space-bounded schedulers trust the number.",
            first.event, first.strand, first.task_bytes, first.touched_bytes
        );
        text += &wrap(&warning, width(), 0);
    }
    text
}
