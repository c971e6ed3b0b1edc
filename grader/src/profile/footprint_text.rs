//! The footprint as a table of 80 columns.

use super::{
    footprint_report::{Exclusive, FootprintReport, Row, Totals},
    sizes::{Grouped, Unit, bytes},
};
use std::fmt::Write as _;

/// Which columns the table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// LOAD, STORE and CODE overlap: a unit that is loaded and stored stands in both.
    Inclusive,
    /// Each unit stands in exactly one column, as in Intel SDE's tables.
    Exclusive,
}

const INCLUSIVE: [&str; 4] = ["LOAD", "STORE", "CODE", "NEW"];
const EXCLUSIVE: [&str; 8] = [
    "LOAD", "STORE", "LD+ST", "CODE", "CD+LD", "CD+ST", "C+L+S", "NEW",
];

/// The table of a process and of its children.
#[must_use]
pub fn table(report: &FootprintReport, layout: Layout) -> String {
    let mut text = String::new();
    write_process(&mut text, report, layout);
    for child in &report.children {
        let _ = write!(text, "\nProcess {}\n\n", child.pid);
        write_process(&mut text, child, layout);
    }
    text
}

fn write_process(text: &mut String, report: &FootprintReport, layout: Layout) {
    let unit = report.unit_bytes.to_string().parse().unwrap_or(Unit::LINE);
    let _ = writeln!(
        text,
        "Distinct {} of {} per {} instructions",
        unit.plural(),
        bytes(report.unit_bytes),
        Grouped(report.interval)
    );
    if let Some(function) = &report.function {
        let _ = writeln!(text, "within the function {function}");
    }
    text.push('\n');
    for thread in &report.threads {
        let instructions = Grouped(thread.instructions);
        let _ = writeln!(
            text,
            "Thread {}, {instructions} instructions",
            thread.thread
        );
        write_rows(text, &thread.intervals, layout);
        text.push('\n');
    }
    if !report.threads.is_empty() {
        text.push_str("All threads\n");
    }
    write_rows(text, &report.intervals, layout);
    write_totals(text, &report.totals, layout);
    let totals = &report.totals;
    let _ = writeln!(
        text,
        "\n{} instructions touched {} {}: {}",
        Grouped(totals.instructions),
        Grouped(totals.new),
        unit.plural(),
        bytes(totals.size_bytes)
    );
}

fn write_rows(text: &mut String, rows: &[Row], layout: Layout) {
    match layout {
        Layout::Inclusive => write_line(text, "PERIOD", &INCLUSIVE),
        Layout::Exclusive => write_line(text, "PERIOD", &EXCLUSIVE),
    }
    for row in rows {
        let start = row.instructions.to_string();
        match layout {
            Layout::Inclusive => {
                write_line(text, &start, &[row.load, row.store, row.code, row.new]);
            }
            Layout::Exclusive => write_line(text, &start, &exclusive(&row.exclusive, row.new)),
        }
    }
}

fn write_totals(text: &mut String, totals: &Totals, layout: Layout) {
    match layout {
        Layout::Inclusive => {
            let columns = [totals.load, totals.store, totals.code, totals.new];
            write_line(text, "whole run", &columns);
        }
        Layout::Exclusive => {
            write_line(text, "whole run", &exclusive(&totals.exclusive, totals.new));
        }
    }
}

fn exclusive(columns: &Exclusive, new: u64) -> [u64; 8] {
    [
        columns.load,
        columns.store,
        columns.load_store,
        columns.code,
        columns.code_load,
        columns.code_store,
        columns.code_load_store,
        new,
    ]
}

/// One row: a wide first column, and as many others as there are, eight wide or more.
fn write_line(text: &mut String, first: &str, others: &[impl std::fmt::Display]) {
    let _ = write!(text, "{first:>15}");
    for other in others {
        let _ = write!(text, " {other:>7}");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests;
