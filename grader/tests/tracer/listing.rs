//! The footprint of the 4096 × 4096 listing, known line by line.

use crate::{command::json, programs};
use serde_json::Value;

/// Lines of a row, and lines that a column touches.
const ROW_LINES: u64 = 4096 * 4 / 64;
const COLUMN_LINES: u64 = 4096;

fn footprint(order: &str, inner_loops: u64, interval: u64) -> Value {
    let (program, loops) = (programs::listing(), inner_loops.to_string());
    let interval = interval.to_string();
    let program = program.to_str().unwrap();
    json(&[
        "footprint",
        "--json",
        "--interval",
        &interval,
        "--function",
        order,
        "--",
        program,
        order,
        &loops,
    ])
}

/// Instructions of one inner loop and of what is around it: the difference of two runs, since
/// compilers differ in the latter.
fn inner_loop(order: &str) -> u64 {
    let count = |loops| {
        let report = footprint(order, loops, 1_000_000_000);
        report["totals"]["instructions"].as_u64().unwrap()
    };
    (count(12) - count(4)) / 8
}

fn column(report: &Value, name: &str) -> Vec<u64> {
    let rows = report["intervals"].as_array().unwrap();
    rows.iter().map(|row| row[name].as_u64().unwrap()).collect()
}

#[test]
fn textbook_order_touches_a_row_and_a_column_in_each_inner_loop() {
    let interval = inner_loop("textbook");
    assert!(
        interval.abs_diff(7 * 4096) < 64,
        "{interval} instructions per inner loop"
    );
    let report = footprint("textbook", 50, interval);
    let (load, store) = (column(&report, "load"), column(&report, "store"));
    let new = column(&report, "new");
    // The last interval is cut short; the first also holds what leads to the first inner loop.
    for row in 1..49 {
        let about = ROW_LINES + COLUMN_LINES;
        assert!(
            (about - 1..=about + 1).contains(&load[row]),
            "row {row}: LOAD {}",
            load[row]
        );
        assert_eq!(store[row], 1, "row {row}");
    }
    // A line of `b` holds sixteen columns, so every sixteenth inner loop touches new ones. It may
    // begin a few instructions before its interval does.
    for start in [16, 32, 48] {
        let begun: u64 = new[start - 1..=start + 1].iter().sum();
        assert!(
            (COLUMN_LINES..=COLUMN_LINES + 2).contains(&begun),
            "row {start}: NEW {begun}"
        );
        let between: u64 = new[start - 14..start - 1].iter().sum();
        assert_eq!(between, 0, "before row {start}");
    }
}

#[test]
fn interchanged_order_touches_two_rows_in_each_inner_loop() {
    let interval = inner_loop("interchanged");
    let report = footprint("interchanged", 40, interval);
    let rows = report["intervals"].as_array().unwrap();
    for (number, row) in rows.iter().enumerate().take(39).skip(1) {
        let load = row["exclusive"]["load"].as_u64().unwrap();
        let both = row["exclusive"]["load_store"].as_u64().unwrap();
        let new = row["new"].as_u64().unwrap();
        // The row of `b`, the line of `a`, and a line of the neighbouring row at the border.
        assert!(
            (ROW_LINES + 1..=ROW_LINES + 2).contains(&load),
            "row {number}: LOAD {load}"
        );
        assert_eq!(row["store"], ROW_LINES, "row {number}");
        assert_eq!(both, ROW_LINES, "row {number}");
        // 257 when `a` reaches its next line.
        assert!(
            (ROW_LINES..=ROW_LINES + 1).contains(&new),
            "row {number}: NEW {new}"
        );
    }
}
