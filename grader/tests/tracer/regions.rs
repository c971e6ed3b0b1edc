//! What counts: one function, each thread, children, the kernel.

use crate::{
    command::{json, run},
    programs,
};
use serde_json::Value;
use std::{ffi::OsStr, path::Path};

fn footprint(options: &[&str], program: &Path, arguments: &[&str]) -> Value {
    let mut all: Vec<&OsStr> = ["footprint", "--json"].map(OsStr::new).to_vec();
    all.extend(options.iter().map(OsStr::new));
    all.extend(["--".as_ref(), program.as_os_str()]);
    all.extend(arguments.iter().map(OsStr::new));
    json(&all)
}

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("{value} is no count"))
}

#[test]
fn function_is_counted_from_its_entry_to_its_return() {
    let program = programs::rust("worked_example");
    let report = footprint(&["--function=worked_example"], &program, &[]);
    let totals = &report["totals"];
    // Seven loads, their additions, and the return, whatever the compiler makes of them; the two
    // lines of data and the line of the stack that holds the return address.
    assert!(
        (8..40).contains(&number(&totals["instructions"])),
        "{totals}"
    );
    assert_eq!(totals["load"], 3, "{totals}");
    assert_eq!(totals["store"], 0, "{totals}");
}

#[test]
fn threads_have_rows_of_their_own_that_add_up() {
    let program = programs::rust("threads");
    let report = footprint(&["--per-thread", "--interval=100k"], &program, &[]);
    let threads = report["threads"].as_array().unwrap();
    assert_eq!(threads.len(), 3, "main and two more");
    let instructions: u64 = threads
        .iter()
        .map(|thread| number(&thread["instructions"]))
        .sum();
    assert_eq!(instructions, number(&report["totals"]["instructions"]));
    // The threads fill 4096 and 32768 words: 512 and 4096 lines.
    let stored = |thread: &Value| -> u64 {
        let rows = thread["intervals"].as_array().unwrap();
        rows.iter().map(|row| number(&row["new"])).sum()
    };
    let (short, long) = (stored(&threads[1]), stored(&threads[2]));
    assert!((512..1500).contains(&short), "{short}");
    assert!((4096..5500).contains(&long), "{long}");
    let rows = report["intervals"].as_array().unwrap();
    assert!(
        rows.iter()
            .all(|row| number(&row["instructions"]).is_multiple_of(100_000))
    );
}

#[test]
fn children_are_reported_if_asked_for() {
    let program = programs::rust("forking");
    let alone = footprint(&[], &program, &[]);
    assert!(alone.get("children").is_none());
    let with_children = footprint(&["--children"], &program, &[]);
    let children = with_children["children"].as_array().unwrap();
    assert!(!children.is_empty());
    assert!(number(&children.last().unwrap()["totals"]["instructions"]) > 50_000);
}

#[test]
fn program_that_replaces_itself_is_counted_until_then_or_followed() {
    let printed = run(&["footprint", "--", "env", "true"]);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    assert!(printed.err.contains("(exec)"), "{}", printed.err);
    let alone = json(&["footprint", "--json", "--", "env", "true"]);
    assert!(number(&alone["totals"]["instructions"]) > 50_000);
    assert!(number(&alone["intervals"][0]["new"]) > 1000);
    let followed = json(&["footprint", "--json", "--children", "--", "env", "true"]);
    let next = &followed["children"][0]["totals"];
    assert!(number(&next["instructions"]) > 50_000);
}

#[test]
fn memory_that_only_the_kernel_touches_counts() {
    let program = programs::rust("kernel");
    let lines = 256 * 1024 / 64;
    let all = footprint(&[], &program, &[]);
    let without = footprint(&["--no-kernel"], &program, &[]);
    let column = |report: &Value, name: &str| number(&report["totals"][name]);
    for name in ["load", "store"] {
        let kernel = column(&all, name) - column(&without, name);
        assert!(
            (lines - 64..lines + 64).contains(&kernel),
            "{name}: {kernel} lines"
        );
    }
}

#[test]
fn pages_are_fewer_than_lines() {
    let program = programs::rust("strided");
    let pages = footprint(&["--unit=page"], &program, &[]);
    let lines = footprint(&[], &program, &[]);
    let new = |report: &Value| number(&report["totals"]["new"]);
    // A mebibyte of data, read line by line: 256 pages and 16384 lines.
    assert!((256..600).contains(&new(&pages)), "{}", new(&pages));
    assert!((16_384..25_000).contains(&new(&lines)), "{}", new(&lines));
}
