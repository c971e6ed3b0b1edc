use super::*;
use crate::{
    profile::tlb_report::{By, TlbSettings, UNKNOWN_SIZES},
    tracer::{
        Ending, Outcome,
        result_file::{End, ProcessResult},
        translations::{BySide, BySize, Mapping, MissingSite, Translations, WorkingSet},
    },
};

fn tally(accesses: u64, l1_misses: u64, walks: u64) -> Tally {
    Tally {
        accesses,
        l1_misses,
        walks,
        levels_read: walks + 3,
    }
}

fn mapping(name: &str, rights: &str, start: u64, counts: BySide) -> Mapping {
    Mapping {
        name: name.to_owned(),
        rights: rights.to_owned(),
        start,
        end: start + (66 << 20),
        counts,
    }
}

fn site(kind: &str, function: &str, line: u32, walks: u64) -> MissingSite {
    MissingSite {
        kind: kind.to_owned(),
        address: 0x4005,
        object: Some("/home/me/chain".to_owned()),
        object_address: Some(0x4005),
        frames: vec![
            format!("inlined (/home/me/src/main.rs:{line})"),
            format!("{function} (/home/me/src/main.rs:9)"),
        ],
        l1_misses: walks + 7,
        walks,
    }
}

fn report(by: By, pages: &str) -> TlbReport {
    let data = BySize {
        small: tally(258_411, 215_588, 178_980),
        huge: tally(216_384, 32, 32),
        ..BySize::default()
    };
    let instruction = BySize {
        small: tally(3_394_647, 94, 94),
        ..BySize::default()
    };
    let of_data = BySide {
        data,
        ..BySide::default()
    };
    let of_code = BySide {
        instruction,
        ..BySide::default()
    };
    let long = "/usr/lib/a-library-with-a-very-long-name-indeed.so.1.2.3";
    let process = ProcessResult {
        pid: 1,
        translations: Some(Translations {
            machine: "zen4".to_owned(),
            pages: pages.to_owned(),
            counts: BySide { data, instruction },
            // Those with most walks come first, whatever the order of the first accesses.
            mappings: vec![
                mapping(long, "r-xp", 0x400_0000, of_code),
                mapping("", "rw-p", 0x4a1_b000, of_data),
                mapping("[none]", "", 0, BySide::default()),
            ],
            sites: vec![
                site("load", "chase", 12, 100_000),
                site("load", "chase", 12, 78_000),
                site("store", "fill", 30, 980),
                site("fetch", "chase", 11, 94),
            ],
            working_sets: vec![WorkingSet {
                start: 1_000_004,
                data: [16_384, 32, 0],
                instruction: [7, 0, 0],
            }],
        }),
        end: Some(End {
            exec: false,
            instructions: 3_394_512,
            threads: vec![3_394_512],
            entries: None,
            total: None,
        }),
        ..ProcessResult::default()
    };
    let outcome = Outcome {
        command: "./chain".to_owned(),
        ending: Ending::Exited(0),
        processes: vec![process],
    };
    let settings = TlbSettings {
        function: Some("measured".to_owned()),
        by,
        here: "/home/me".into(),
    };
    TlbReport::new(&outcome, &settings)
}

#[test]
fn mappings_are_ranked_by_walks() {
    insta::assert_snapshot!(tables(&report(By::Mapping, "pagemap scan")));
}

#[test]
fn loads_of_a_line_are_one_row_and_fetches_none() {
    insta::assert_snapshot!(tables(&report(By::Load, "assumed 2m")));
}

#[test]
fn functions_add_up_what_was_inlined_into_them() {
    insta::assert_snapshot!(tables(&report(By::Function, "smaps sums")));
}

#[test]
fn everything_fits_80_columns() {
    for by in [By::Mapping, By::Load, By::Function] {
        let text = tables(&report(by, "pagemap scan"));
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn unknown_page_sizes_are_said() {
    let report = report(By::Mapping, "unreadable");
    assert_eq!(report.notes, [UNKNOWN_SIZES]);
    assert!(tables(&report).contains("page sizes unknown"));
    let known = super::tests::report(By::Mapping, "pagemap scan");
    assert_eq!(known.notes, Vec::<String>::new());
}
