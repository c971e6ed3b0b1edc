use super::*;
use crate::{
    profile::footprint_report::FootprintSettings,
    tracer::{
        Ending, Outcome,
        result_file::{Columns, End, Interval, ProcessResult},
    },
};

fn columns(load_only: u64, store_only: u64, load_store: u64, new: u64) -> Columns {
    Columns {
        load_only,
        store_only,
        load_store,
        code_only: 2,
        new,
        ..Columns::default()
    }
}

fn report(thread: Option<u32>) -> FootprintReport {
    let row = |start, thread, touched| Interval {
        start,
        thread,
        touched,
    };
    let mut intervals = vec![
        row(0, None, columns(4095, 0, 256, 4345)),
        row(28_000, None, columns(257, 0, 256, 0)),
    ];
    if thread.is_some() {
        intervals.push(row(0, thread, columns(4095, 0, 256, 4345)));
    }
    let process = ProcessResult {
        pid: 1,
        intervals,
        end: Some(End {
            exec: false,
            instructions: 40_000,
            threads: vec![40_000],
            entries: None,
            total: Some(columns(4095, 0, 256, 4353)),
        }),
        ..ProcessResult::default()
    };
    let outcome = Outcome {
        command: "./listing".to_owned(),
        ending: Ending::Exited(0),
        processes: vec![process],
    };
    FootprintReport::new(
        &outcome,
        &FootprintSettings {
            unit_bytes: 64,
            interval: 28_000,
            function: None,
        },
    )
}

#[test]
fn inclusive_columns_overlap() {
    insta::assert_snapshot!(table(&report(None), Layout::Inclusive));
}

#[test]
fn exclusive_columns_are_those_of_sde() {
    insta::assert_snapshot!(table(&report(None), Layout::Exclusive));
}

#[test]
fn threads_come_before_all() {
    insta::assert_snapshot!(table(&report(Some(0)), Layout::Inclusive));
}

#[test]
fn no_line_is_wider_than_a_terminal() {
    for layout in [Layout::Inclusive, Layout::Exclusive] {
        let text = table(&report(Some(0)), layout);
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
}

#[test]
fn json_has_the_promised_members() {
    let json = serde_json::to_value(report(None)).unwrap();
    let row = &json["intervals"][1];
    for (member, value) in [
        ("instructions", 28_000),
        ("load", 513),
        ("store", 256),
        ("new", 0),
    ] {
        assert_eq!(row[member], value, "{member}");
    }
    assert_eq!(row["code"], 2);
    assert_eq!(json["totals"]["new"], 4353);
}
