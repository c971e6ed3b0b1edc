//! `grader pipeline` on real programs and labs.

use crate::{
    command::{Printed, grader, json, run},
    programs,
};
use serde_json::Value;
use std::ffi::{OsStr, OsString};

fn arguments(options: &[&str], more: &[&str]) -> Vec<OsString> {
    let program = programs::rust("calls");
    let mut all = vec![OsString::from("pipeline")];
    all.extend(options.iter().map(OsString::from));
    all.extend([OsString::from("--"), program.into_os_string()]);
    all.extend(more.iter().map(OsString::from));
    all
}

fn analysis(options: &[&str]) -> Value {
    json(&arguments(&[&["--json"], options].concat(), &[]))
}

fn printed(options: &[&str]) -> Printed {
    run(&arguments(options, &[]))
}

#[track_caller]
fn refused(options: &[&str], parts: &[&str]) {
    let printed = printed(options);
    assert_eq!(printed.code, Some(3), "{}{}", printed.out, printed.err);
    for part in parts {
        assert!(
            printed.err.contains(part),
            "`{part}` is not in {}",
            printed.err
        );
    }
}

#[test]
fn the_chain_of_a_function_is_found_and_the_split_adds_up() {
    let report = analysis(&["--function=long_chain"]);
    let cycles = report["cycles"].as_u64().unwrap();
    assert!((80_000..90_000).contains(&cycles), "{cycles}");
    assert_eq!(report["limit"], "latency");
    let split = report["split"].as_object().unwrap();
    let sum: f64 = split.values().map(|share| share.as_f64().unwrap()).sum();
    assert!((sum - 100.0).abs() < 1e-9, "{sum}");
    let hottest = &report["chains"][0];
    assert_eq!(hottest["is_loop"], true);
    let marked: Vec<&str> = hottest["instructions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| &report["instructions"][usize::try_from(at.as_u64().unwrap()).unwrap()])
        .filter(|line| line["critical"] == true)
        .map(|line| line["text"].as_str().unwrap())
        .collect();
    assert!(
        marked.iter().any(|text| text.starts_with("imul")),
        "{marked:?}"
    );
    let chains = report["chains"].as_array().unwrap();
    let of_chains: u64 = chains
        .iter()
        .map(|chain| chain["cycles"].as_u64().unwrap())
        .sum();
    assert_eq!(of_chains, cycles);
}

#[test]
fn the_text_names_lines_and_fits_eighty_columns() {
    let printed = printed(&["--function=long_chain", "--diagram=0..2"]);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    let places = printed.out.matches(" calls.rs:").count();
    assert!(places >= 3, "{}", printed.out);
    assert!(printed.out.contains("Pipeline diagram"), "{}", printed.out);
    for line in printed.out.lines() {
        // A path is as long as it is.
        let fits = line.chars().count() <= 80 || line.contains("% of the cycles");
        assert!(fits, "{line}");
    }
}

#[test]
fn a_function_called_often_is_recorded_up_to_the_limit() {
    let options = ["--function=called_often", "--limit=1000"];
    let printed = printed(&options);
    assert!(
        printed.err.contains("recorded the first 1000 of"),
        "{}",
        printed.err
    );
    let coverage = &analysis(&options)["coverage"];
    assert_eq!(coverage["instructions"], 1000);
    assert_eq!(coverage["calls_in_all"], 100_000);
    let calls = coverage["calls"].as_u64().unwrap();
    assert!((100..=500).contains(&calls), "{calls}");
}

#[test]
fn recording_starts_where_it_is_told() {
    let all = analysis(&["--function=called_often", "--skip-calls=99990"]);
    assert_eq!(all["coverage"]["calls"], 10);
    let chain = analysis(&["--function=long_chain"]);
    let late = analysis(&["--function=long_chain", "--skip-instructions=50000"]);
    let recorded = |report: &Value| report["coverage"]["instructions"].as_u64().unwrap();
    assert_eq!(recorded(&late) + 50_000, recorded(&chain));
    refused(
        &["--function=called_often", "--skip-calls=200000"],
        &["100000 calls", "let pass", "--skip-calls"],
    );
}

#[test]
fn a_function_that_was_not_called_is_told_from_one_that_is_not_there() {
    refused(
        &["--function=seldom_run"],
        &["never called", "is there", "arguments"],
    );
    refused(
        &["--function=put_into_its_caller"],
        &["never called", "callers", "#[inline(never)]"],
    );
    refused(
        &["--function=no_such_function"],
        &["never called", "neither", "nm -C"],
    );
    let called = run(&arguments(&["--function=seldom_run"], &["now"]));
    assert_eq!(called.code, Some(0), "{}", called.err);
}

#[test]
fn one_thread_is_followed_and_the_others_are_counted() {
    let program = programs::rust("threads");
    let printed = run(&[
        OsStr::new("pipeline"),
        OsStr::new("--function=main"),
        OsStr::new("--"),
        program.as_os_str(),
    ]);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    let note = "more ran on other threads";
    let notes = printed.err.replace('\n', " ");
    assert!(notes.contains(note), "{notes}");
}

#[test]
fn a_crash_leaves_what_was_recorded() {
    let program = programs::rust("crashing");
    let printed = run(&[
        OsStr::new("pipeline"),
        OsStr::new("--function=main"),
        OsStr::new("--"),
        program.as_os_str(),
    ]);
    assert_eq!(printed.code, Some(3), "{}", printed.err);
    assert!(printed.err.contains("SIGSEGV"), "{}", printed.err);
    assert!(printed.out.contains("The four limits"), "{}", printed.out);
}

#[test]
fn a_program_without_a_function_is_a_usage_error() {
    assert_eq!(printed(&[]).code, Some(2));
    assert_eq!(run(&["pipeline"]).code, Some(2));
}

#[test]
fn a_labs_cycles_do_not_depend_on_the_environment() {
    let cycles = |filler: &str| {
        let all = ["pipeline", "accumulators", "--variant=baseline", "--json"];
        let mut command = grader(&all.map(OsStr::new));
        let output = command.env("FILLER", filler).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["cycles"].as_u64().unwrap()
    };
    let short = cycles("");
    assert!(short > 400_000, "{short}");
    assert_eq!(short, cycles(&"x".repeat(3333)));
}
