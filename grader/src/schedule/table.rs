//! The report as a table of at most 80 columns.

use std::fmt::Write as _;

use super::Report;

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
    text.push('\n');
    text.push_str("scheduler  L3 misses    active  overhead  empty queue  makespan     steals\n");
    text.push_str("                   M        ms        ms           ms  M cycles           \n");
    let divisor = report.divisor as f64;
    for run in &report.runs {
        let _ = writeln!(
            text,
            "{:<9}  {:>9.2}  {:>8.1}  {:>8.1}  {:>11.1}  {:>8.1}  {:>9}",
            run.scheduler,
            run.misses_millions(),
            run.active_ms * divisor,
            run.overhead_ms * divisor,
            run.empty_queue_ms * divisor,
            run.makespan_cycles as f64 * divisor / 1e6,
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
        let _ = writeln!(
            text,
            "warning: {tasks} tasks touch more than they say, the first at event {}:\n\
             it says {} bytes and touches {}. Space-bounded schedulers trust the number.",
            first.event, first.task_bytes, first.touched_bytes
        );
    }
    text
}
