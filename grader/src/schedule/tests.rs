use crate::host::side_by_side::cores;
use models::scheduler::{Bounds, Scale, machine_named, xeon_7560};

use super::agreement::{self, compare};
use super::paper::{PUBLISHED, SCHEDULERS};
use super::sweep::{Sweep, chart, sweep};
use super::{
    Report, Request, RequestError, chart as drawing, levels, machine_file, parse_percent,
    parse_scale, permille, run, table, timeline,
};

/// The scale of the comparison that runs with the tests; the full one is a command.
const DIVISOR: u64 = 64;

fn tiny_request() -> Request {
    Request {
        program: "RRM".to_string(),
        schedulers: ["ws", "sb"].map(str::to_string).to_vec(),
        machine: machine_named("tiny").unwrap(),
        scale: Scale::FULL,
        bandwidth_percent: 100,
        seed: 1,
        bounds: Bounds::default(),
        record: false,
    }
}

/// RRM with few items on four sockets, small enough for a test.
fn small_report(record: bool) -> Report {
    let request = Request {
        machine: xeon_7560(),
        scale: Scale::new(1024).unwrap(),
        record,
        ..tiny_request()
    };
    run(&request).unwrap()
}

#[test]
fn a_scale_is_one_or_one_over_a_number() {
    assert_eq!(parse_scale("1").unwrap().divisor(), 1);
    assert_eq!(parse_scale(" 1/64 ").unwrap().divisor(), 64);
    for wrong in ["", "2", "1/x", "64", "1/", "2/4"] {
        assert!(
            matches!(parse_scale(wrong), Err(RequestError::ScaleText { .. })),
            "{wrong}"
        );
    }
    let nothing_left = parse_scale("1/1000000").unwrap_err().to_string();
    assert!(nothing_left.contains("leaves no work"), "{nothing_left}");
}

#[test]
fn a_bandwidth_is_a_percentage_and_a_bound_a_part() {
    assert_eq!(parse_percent("25%").unwrap(), 25);
    assert_eq!(parse_percent("100").unwrap(), 100);
    assert!(parse_percent("0%").is_err() && parse_percent("a quarter").is_err());
    assert_eq!(permille("sigma", 0.5).unwrap(), 500);
    assert!(permille("mu", 0.0).is_err() && permille("mu", 1.5).is_err());
}

#[test]
fn unknown_names_are_refused_with_those_that_exist() {
    let program = run(&Request {
        program: "sleep".into(),
        ..tiny_request()
    })
    .unwrap_err();
    assert!(
        program.to_string().contains("rrg, quicksort, samplesort"),
        "{program}"
    );
    let scheduler = run(&Request {
        schedulers: vec!["best".into()],
        ..tiny_request()
    })
    .unwrap_err();
    assert!(
        scheduler.to_string().contains("ws, pws, sb, sb-d"),
        "{scheduler}"
    );
    let scale = Scale::new(64).unwrap();
    let scaled_away = run(&Request {
        scale,
        ..tiny_request()
    })
    .unwrap_err();
    assert!(
        scaled_away.to_string().contains("without a set"),
        "{scaled_away}"
    );
}

const TWO_LEVELS: &str = r#"
name = "small"
line_bytes = 64
megahertz = 1000
controllers = 1
service_cycles = 10
miss_cycles = 60
queue_cycles = 30

[[level]]
name = "L1"
under = "L2"
fan_out = 2
size_bytes = 1024
ways = 2
hit_cycles = 2

[[level]]
name = "L2"
under = "memory"
fan_out = 2
size_bytes = 8192
ways = 4
hit_cycles = 10
"#;

fn file_error(from: &str, to: &str) -> String {
    machine_file::parse("m.toml", &TWO_LEVELS.replace(from, to))
        .unwrap_err()
        .to_string()
}

#[test]
fn a_machine_file_is_read_from_the_memory_down() {
    let machine = machine_file::parse("m.toml", TWO_LEVELS).unwrap();
    assert_eq!(machine.levels[0].name, "L2");
    assert_eq!(machine.workers(), 4);
    assert_eq!(machine.streamer.lines_ahead, 0);
    let text = format!("prefetch_lines_ahead = 20\n{TWO_LEVELS}");
    let prefetching = machine_file::parse("m.toml", &text).unwrap();
    assert_eq!(prefetching.streamer, xeon_7560().streamer);
}

#[test]
fn a_machine_file_that_is_no_tree_is_refused_by_the_place() {
    let cycle = file_error("under = \"memory\"", "under = \"L1\"");
    assert!(
        cycle.contains("m.toml") && cycle.contains("L1 is above itself"),
        "{cycle}"
    );
    let nowhere = file_error("under = \"L2\"", "under = \"L9\"");
    assert!(nowhere.contains("L1 is under `L9`"), "{nowhere}");
    let no_fan_out = file_error(
        "fan_out = 2\nsize_bytes = 1024",
        "fan_out = 0\nsize_bytes = 1024",
    );
    assert!(no_fan_out.contains("L1: fan-out 0"), "{no_fan_out}");
    let larger = file_error("size_bytes = 1024", "size_bytes = 16384");
    assert!(larger.contains("L1 is larger than L2"), "{larger}");
    let unknown = file_error("ways = 4", "weighs = 4");
    assert!(unknown.contains("weighs"), "{unknown}");
}

#[test]
fn the_table_fits_80_columns_and_warns_of_understated_tasks() {
    let report = run(&Request {
        program: "quicksort".to_string(),
        machine: xeon_7560(),
        scale: Scale::new(1024).unwrap(),
        ..tiny_request()
    })
    .unwrap();
    let text = table::render(&report);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert!(
        text.contains("warning: ") && text.contains("QuickStrand {"),
        "{text}"
    );
}

#[test]
fn the_json_has_what_scripts_read_and_the_same_bytes_each_time() {
    let json = || serde_json::to_string(&small_report(false)).unwrap();
    let first = json();
    assert_eq!(first, json());
    assert_eq!(first, json());
    for key in [
        "scheduler",
        "l3_misses",
        "active_ms",
        "overhead_ms",
        "empty_queue_ms",
        "steals",
        "makespan_cycles",
    ] {
        assert!(first.contains(&format!("\"{key}\":")), "{key} in {first}");
    }
}

#[test]
fn the_timeline_has_a_row_for_every_worker() {
    let report = small_report(true);
    let svg = timeline::render(&report);
    for worker in [0, 63] {
        assert!(
            report.runs[0]
                .outcome
                .timeline
                .iter()
                .any(|s| s.worker.0 == worker)
        );
    }
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(svg.matches("L3 misses").count(), 2);
    assert!(
        svg.matches("<path").count() > 2 && svg.len() < 600_000,
        "{}",
        svg.len()
    );
}

#[test]
fn the_core_sweep_rises_for_ws_and_stays_flat_for_sb() {
    let base = Request {
        scale: Scale::new(DIVISOR).unwrap(),
        ..tiny_request()
    };
    let swept = sweep(Sweep::Cores, &base).unwrap();
    let of = |scheduler: &str| -> Vec<f64> {
        let own = swept.points.iter().filter(|p| p.scheduler == scheduler);
        own.map(|p| p.ours).collect()
    };
    let (ws, sb) = (of("ws"), of("sb"));
    assert!(ws.windows(2).all(|pair| pair[0] < pair[1]), "{ws:?}");
    assert!(ws[0] < 35.0 && ws[4] > 50.0, "{ws:?}");
    assert!(
        sb.iter().all(|&misses| (26.0..34.0).contains(&misses)),
        "{sb:?}"
    );
    let svg = drawing::render(&chart(&swept));
    assert!(svg.contains("ws, paper") && !svg.contains("NaN"), "{svg}");
}

/// What the model owes the paper at this scale, by program and scheduler, as a fraction.
///
/// Matmul is left out: a row of ten doubles takes two lines here, where ten times 8 bytes at full
/// size would be one and a quarter, and it misses that much more.
#[test]
fn misses_agree_with_the_paper_at_a_64th_of_its_size() {
    let scale = Scale::new(DIVISOR).unwrap();
    for comparison in compare(&PUBLISHED[..5], scale, 1, cores()).unwrap() {
        for (scheduler, gap) in SCHEDULERS.iter().zip(comparison.gaps()) {
            let owed = if scheduler.starts_with("sb") {
                0.12
            } else {
                0.05
            };
            assert!(
                gap.abs() <= owed,
                "{} under {scheduler}: {gap:+.3}",
                comparison.program
            );
        }
        assert_eq!(comparison.same_order, [true, true], "{comparison:?}");
        let [ours, theirs] = comparison.reductions();
        assert!(
            (0.25..=0.65).contains(&ours) || theirs < 0.25,
            "{comparison:?}"
        );
    }
}

#[test]
fn a_comparison_does_not_depend_on_the_number_of_threads() {
    let scale = Scale::new(1024).unwrap();
    let on = |threads| compare(&PUBLISHED[..2], scale, 1, threads).unwrap();
    let alone = on(1);
    assert_eq!(alone, on(3));
    let programs: Vec<&str> = alone.iter().map(|c| c.program).collect();
    assert_eq!(programs, ["rrm", "rrg"]);
    let text = agreement::render(&alone, scale);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert!(text.contains("rrm at 25 %: active WS / SB"), "{text}");
}

#[test]
fn misses_by_level_add_up_and_are_no_more_than_touches() {
    let report = small_report(false);
    let text = levels::render(&report);
    for run in &report.runs {
        let outcome = &run.outcome;
        assert_eq!(outcome.part_misses.iter().sum::<u64>(), run.l3_misses);
        let pairs = outcome.part_misses.iter().zip(&outcome.part_touches);
        assert!(pairs.clone().all(|(missed, touched)| missed <= touched));
        // The whole map is far larger than the caches; only lines that two leaves share are found.
        assert!(
            outcome.part_misses[0] * 2 > outcome.part_touches[0],
            "{text}"
        );
    }
    let rows: Vec<&str> = text.lines().filter(|l| l.contains('.')).collect();
    assert!(
        rows.len() > 5 && rows.last().unwrap().starts_with("quarter"),
        "{text}"
    );
}
