//! Page walks: against counts done by hand, and with pages that are, or are not, really huge.
//!
//! Whether a program gets huge pages is the machine's choice. Where a test asks for them, the program
//! prints what smaps says it got, and the count has to agree with that.

use crate::{command::run, programs};
use grader::tracer::{
    Program, Request, Tool,
    request::{Analysis, PageSource},
    translations::{BySide, Translations},
};
use serde_json::Value;
use std::{ffi::OsStr, path::PathBuf, sync::OnceLock};

/// Pages that are more than the second level of Zen 4 has ways for in each set: under LRU, walking
/// through them again and again always walks the tables.
const MANY: u64 = 4096;
const ROUNDS: u64 = 4;
/// Walks to the pages of the stack and of the program's own code and data, at most.
const A_FEW: u64 = 8;

/// The program, compiled once: the tests of this file run it side by side.
fn program() -> PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let compile = || programs::c("huge_pages", &["-O2", "-g"], "huge_pages");
    PROGRAM.get_or_init(compile).clone()
}

/// What a run printed.
struct Ran {
    report: Value,
    /// kB of the mapping that were huge at the end, as the program itself found in smaps.
    huge_kilobytes: u64,
}

#[track_caller]
fn tlb(options: &[&str], how: &str, pages: u64) -> Ran {
    let program = program();
    let (pages, rounds) = (pages.to_string(), ROUNDS.to_string());
    let mut all: Vec<&OsStr> = ["tlb", "--json", "--function=measured"]
        .map(OsStr::new)
        .to_vec();
    all.extend(options.iter().map(OsStr::new));
    all.extend(["--".as_ref(), program.as_os_str()]);
    all.extend([how, &pages, &rounds].map(OsStr::new));
    let printed = run(&all);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    let huge = printed
        .err
        .lines()
        .find_map(|line| line.strip_prefix("huge kB: "));
    Ran {
        report: serde_json::from_str(&printed.out).unwrap(),
        huge_kilobytes: huge.unwrap().parse().unwrap_or(0),
    }
}

impl Ran {
    #[track_caller]
    fn number(&self, pointer: &str) -> u64 {
        let value = self.report.pointer(pointer);
        value
            .and_then(Value::as_u64)
            .unwrap_or_else(|| panic!("no count at {pointer}: {}", self.report))
    }
}

#[track_caller]
fn assert_about(count: u64, expected: u64) {
    assert!(
        (expected..=expected + A_FEW).contains(&count),
        "{count} instead of {expected} and a few"
    );
}

#[test]
fn pages_that_fit_are_walked_to_once_and_others_in_each_round() {
    let fits = tlb(&[], "plain", 3000);
    assert_about(fits.number("/data/walks"), 3000);
    assert_about(fits.number("/data/l1_misses"), 3000 * ROUNDS);
    assert_about(fits.number("/instruction/walks"), 1);
    let beyond = tlb(&[], "plain", MANY);
    assert_about(beyond.number("/data/walks"), MANY * ROUNDS);
    assert_eq!(beyond.huge_kilobytes, 0);
    assert_eq!(beyond.number("/data/by_page_size/2m/accesses"), 0);
}

#[test]
fn every_machine_counts_by_its_own_geometry() {
    // 128 sets of 12 ways: 1536 pages fit, and 1664 are 13 in each set.
    let skylake = |pages| tlb(&["--machine=skylake"], "plain", pages).number("/data/walks");
    assert_about(skylake(1500), 1500);
    assert_about(skylake(1664), 1664 * ROUNDS);
    // 128 sets of 16 ways.
    let golden_cove = |pages| tlb(&["--machine=golden-cove"], "plain", pages).number("/data/walks");
    assert_about(golden_cove(2000), 2000);
    assert_about(golden_cove(2176), 2176 * ROUNDS);
}

#[test]
fn advice_counts_as_far_as_the_kernel_followed_it() {
    let advised = tlb(&[], "advised", MANY);
    let huge = advised.number("/data/by_page_size/2m/accesses");
    if advised.huge_kilobytes == 4 * MANY {
        assert_about(huge, MANY * ROUNDS);
        assert_about(advised.number("/data/walks"), MANY / 512);
    } else if advised.huge_kilobytes == 0 {
        assert_eq!(huge, 0);
        assert_about(advised.number("/data/walks"), MANY * ROUNDS);
    }
}

#[test]
fn advice_that_the_kernel_ignored_earns_nothing() {
    let forbidden = tlb(&[], "forbidden", MANY);
    assert_eq!(forbidden.huge_kilobytes, 0);
    assert_eq!(forbidden.number("/data/by_page_size/2m/accesses"), 0);
    assert_about(forbidden.number("/data/walks"), MANY * ROUNDS);
}

#[test]
fn half_of_a_mapping_may_be_huge() {
    let part = tlb(&[], "part", MANY);
    let huge = part.number("/data/by_page_size/2m/accesses");
    let small = part.number("/data/by_page_size/4k/accesses");
    let expected = part.huge_kilobytes / 4 * ROUNDS;
    assert_about(huge, expected);
    assert!(small >= MANY * ROUNDS - expected, "{small}");
}

#[test]
fn what_huge_pages_would_buy_is_what_they_buy() {
    let assumed = tlb(&["--pages=2m"], "plain", MANY);
    assert_about(assumed.number("/data/walks"), MANY / 512);
    assert_eq!(assumed.report["page_sizes"], "assumed 2m");
    let advised = tlb(&[], "advised", MANY);
    if advised.huge_kilobytes == 4 * MANY {
        assert_eq!(assumed.number("/data/walks"), advised.number("/data/walks"));
    }
    let assumed_small = tlb(&["--pages=4k"], "advised", MANY);
    assert_about(assumed_small.number("/data/walks"), MANY * ROUNDS);
}

#[test]
fn mapping_replaced_by_another_is_asked_about_again() {
    let remapped = tlb(&[], "remapped", MANY);
    let huge = remapped.number("/data/by_page_size/2m/accesses");
    if remapped.huge_kilobytes == 4 * MANY {
        // Filled and then loaded.
        assert_about(huge, MANY * (ROUNDS + 1));
        assert_about(remapped.number("/data/walks"), MANY * ROUNDS + MANY / 512);
    } else if remapped.huge_kilobytes == 0 {
        assert_eq!(huge, 0);
    }
}

#[test]
fn code_moved_onto_huge_pages_is_fetched_from_them() {
    let moved = tlb(&[], "moved-code", MANY);
    let huge = moved.number("/instruction/by_page_size/2m/accesses");
    if moved.huge_kilobytes == 4 * MANY {
        assert_about(huge, MANY * ROUNDS);
        // The second level for instructions holds 512 pages: before, every call walked.
        let walks = moved.number("/instruction/by_page_size/4k/walks");
        assert!(
            (MANY * ROUNDS..MANY * ROUNDS + 40).contains(&walks),
            "{walks}"
        );
        assert_about(
            moved.number("/instruction/by_page_size/2m/walks"),
            MANY / 512,
        );
    } else if moved.huge_kilobytes == 0 {
        assert_eq!(huge, 0);
    }
}

#[test]
fn huge_page_split_by_a_write_after_a_fork_counts_as_small() {
    let forked = tlb(&[], "forked", MANY);
    let huge = forked.number("/data/by_page_size/2m/accesses");
    // Filled and then loaded: what smaps says at the end is what the loads met.
    let expected = forked.huge_kilobytes / 4 * (ROUNDS + 1);
    assert_about(huge, expected);
}

/// A run through the library.
fn translations(pages: PageSource, how: &str) -> Translations {
    let tool = Tool::prepare().unwrap();
    let arguments = [how, &MANY.to_string(), &ROUNDS.to_string()].map(Into::into);
    let program = Program::find(program().as_os_str(), arguments.to_vec()).unwrap();
    let mut request = Request::new(Analysis::Tlb {
        machine: "zen4",
        pages,
        interval: None,
        sites: 0,
    });
    request.function = Some("measured".to_owned());
    let outcome = tool.run(&program, &request).unwrap();
    outcome.main().translations.clone().unwrap()
}

#[test]
fn sums_in_smaps_give_what_the_page_tables_give() {
    // What is done on kernels that do not let a process look at its page tables.
    for how in ["plain", "advised", "part", "remapped", "moved-code"] {
        let scanned = translations(PageSource::Process, how);
        let summed = translations(PageSource::Sums, how);
        assert_eq!(summed.pages, "smaps sums");
        assert_eq!(walks(&scanned.counts), walks(&summed.counts), "{how}");
    }
}

fn walks(counts: &BySide) -> [u64; 4] {
    let (data, instruction) = (&counts.data, &counts.instruction);
    [
        data.small.walks,
        data.huge.walks,
        instruction.small.walks,
        instruction.huge.walks,
    ]
}

#[test]
fn count_is_the_same_in_every_run() {
    // Linux puts everything elsewhere each time.
    let first = tlb(&[], "plain", 3500).report;
    for _ in 0..3 {
        let again = tlb(&[], "plain", 3500).report;
        for side in ["data", "instruction"] {
            assert_eq!(again[side], first[side]);
        }
    }
}

#[test]
fn mappings_and_page_sizes_add_up() {
    let ran = tlb(&[], "plain", 1000);
    for side in ["data", "instruction"] {
        for count in ["accesses", "l1_misses", "walks", "levels_read"] {
            let total = ran.number(&format!("/{side}/{count}"));
            let of_size = |size| ran.number(&format!("/{side}/by_page_size/{size}/{count}"));
            assert_eq!(["4k", "2m", "1g"].map(of_size).iter().sum::<u64>(), total);
            let mappings = ran.report["mappings"].as_array().unwrap();
            let of_mapping = |mapping: &Value| mapping[side][count].as_u64().unwrap();
            assert_eq!(mappings.iter().map(of_mapping).sum::<u64>(), total);
        }
    }
    // Each load is one access; the comparisons of words around it make some more.
    let accesses = ran.number("/data/accesses");
    assert!(
        (1000 * ROUNDS..1000 * ROUNDS + 64).contains(&accesses),
        "{accesses}"
    );
    let instructions = ran.number("/instructions");
    assert_about(ran.number("/instruction/accesses"), instructions);
}

#[test]
fn loads_and_functions_are_named() {
    let program = program();
    let arguments = |by| {
        let options = ["tlb", by, "--"].map(OsStr::new).to_vec();
        let rest = ["plain", "4096", "3"].map(OsStr::new);
        [options, vec![program.as_os_str()], rest.to_vec()].concat()
    };
    for (by, name) in [("--by=load", "huge_pages.c:"), ("--by=function", "loads")] {
        let printed = run(&arguments(by));
        assert_eq!(printed.code, Some(0), "{}", printed.err);
        assert!(printed.out.contains(name), "{}", printed.out);
        let widest = printed.out.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{}", printed.out);
    }
    let printed = run(&arguments("--interval=1M"));
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    assert!(printed.out.contains("in each interval"), "{}", printed.out);
}

#[test]
fn unknown_machine_is_answered_with_the_known_ones() {
    let printed = run(&["tlb", "--machine=zen9", "--", "true"]);
    assert_eq!(printed.code, Some(2));
    assert!(printed.err.contains("golden-cove"), "{}", printed.err);
}
