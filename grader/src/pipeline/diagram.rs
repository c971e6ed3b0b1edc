//! The pipeline diagram as text: one row per executed instruction, time to the right.

use std::fmt::Write as _;

use super::analysis::{Analysis, Event};
use crate::host::terminal::{BAD, QUIET, STRONG, paint};

/// Columns for the iteration and the instruction.
const LABEL_WIDTH: usize = 27;
/// Columns for the time.
const TIME_WIDTH: u64 = 52;

/// The diagram of the followed iterations.
pub fn render(analysis: &Analysis) -> String {
    let mut text = String::new();
    let Some(first) = analysis.timeline.iter().map(|event| event.dispatched).min() else {
        return text;
    };
    let last = analysis
        .timeline
        .iter()
        .map(|event| event.retired)
        .max()
        .unwrap_or(first);
    let step = (last - first + 1).div_ceil(TIME_WIDTH).max(1);
    let _ = writeln!(
        text,
        "{}  cycles {first} to {last}, one column is {step} cycle{}",
        paint(STRONG, "Pipeline diagram"),
        if step == 1 { "" } else { "s" }
    );
    let _ = writeln!(
        text,
        "{}",
        paint(
            QUIET,
            "D dispatch  · waits for values  p for a port  E executes  – waits  R retires"
        )
    );
    for event in &analysis.timeline {
        let line = &analysis.instructions[event.instruction];
        let label = format!("[{}] {}", event.iteration, line.text);
        let label: String = label.chars().take(LABEL_WIDTH - 2).collect();
        let bar = bar(event, first, step);
        let bar = if line.critical { paint(BAD, bar) } else { bar };
        let mark = if line.critical { "●" } else { " " };
        let _ = writeln!(text, "{mark} {label:width$}{bar}", width = LABEL_WIDTH - 2);
    }
    text
}

/// The letters of one row; where several moments share a column, the later one is shown.
fn bar(event: &Event, first: u64, step: u64) -> String {
    let column = |cycle: u64| (cycle - first) / step;
    (0..=column(event.retired))
        .map(|at| letter(event, at, &column))
        .collect()
}

fn letter(event: &Event, at: u64, column: &impl Fn(u64) -> u64) -> char {
    if at < column(event.dispatched) {
        ' '
    } else if at == column(event.retired) {
        'R'
    } else if at == column(event.dispatched) && column(event.dispatched) < column(event.issued) {
        'D'
    } else if at < column(event.ready) {
        '·'
    } else if at < column(event.issued) {
        'p'
    } else if at < column(event.completed) || at == column(event.issued) {
        'E'
    } else {
        '–'
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, bar};

    const EVENT: Event = Event {
        iteration: 0,
        instruction: 0,
        dispatched: 10,
        ready: 13,
        issued: 14,
        completed: 17,
        retired: 20,
    };

    #[test]
    fn every_moment_has_its_letter() {
        assert_eq!(bar(&EVENT, 8, 1), "  D··pEEE–––R");
    }

    #[test]
    fn wide_spans_are_compressed() {
        assert_eq!(bar(&EVENT, 8, 4), "DE–R");
    }
}
