//! Eight loops, two per limit: the split names the limit that each was written for.

use std::fs;
use std::path::Path;

use grader::pipeline::{self, Analysis, Request, analyze};
use models::pipeline::Limit;
use models::pipeline::machines::MACHINES;

fn on_every_machine(name: &str) -> Vec<Analysis> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("kernels")
        .join(name);
    let text = fs::read_to_string(path).expect("the kernel is committed");
    let analyze_on = |machine| {
        let request = Request {
            name,
            text: &text,
            machine,
            iterations: 720,
            followed: 0..0,
        };
        analyze(&request).expect("a kernel is a loop")
    };
    MACHINES.iter().map(|machine| analyze_on(machine)).collect()
}

fn expect_limit(name: &str, limit: Limit) {
    for analysis in on_every_machine(name) {
        assert_eq!(
            analysis.limit,
            limit.name(),
            "{name} on {}: {:?}",
            analysis.machine,
            analysis.split
        );
        assert!(
            analysis.unknown.is_empty() && analysis.unknown_branches == 0,
            "{name}"
        );
        let sum: f64 = Limit::ALL
            .iter()
            .map(|&limit| analysis.split.of(limit))
            .sum();
        assert!(
            (sum - 100.0).abs() < 1e-9,
            "{name} on {}: {sum}",
            analysis.machine
        );
    }
}

#[test]
fn random_branches_are_limited_by_the_predictability_of_code() {
    expect_limit("code-coin.s", Limit::Code);
    expect_limit("code-threshold.s", Limit::Code);
}

#[test]
fn full_ports_and_full_slots_are_limited_by_throughput() {
    expect_limit("throughput-ports.s", Limit::Throughput);
    expect_limit("throughput-width.s", Limit::Throughput);
}

#[test]
fn far_and_scattered_data_is_limited_by_the_predictability_of_data() {
    expect_limit("data-chase.s", Limit::Data);
    expect_limit("data-scatter.s", Limit::Data);
}

#[test]
fn chains_are_limited_by_latency() {
    expect_limit("latency-sum.s", Limit::Latency);
    expect_limit("latency-hash.s", Limit::Latency);
}

#[test]
fn the_double_shift_takes_four_cycles_and_its_chain_is_the_shifts() {
    for analysis in on_every_machine("double-shift.s") {
        assert!(
            (analysis.cycles_per_iteration - 4.0).abs() < 0.01,
            "{}",
            analysis.machine
        );
        let critical: Vec<&str> = analysis
            .instructions
            .iter()
            .filter(|line| line.critical)
            .map(|line| line.text.as_str())
            .collect();
        assert_eq!(
            critical,
            ["shld rcx, rcx, 1", "shld rcx, rdx, 2"],
            "{}",
            analysis.machine
        );
    }
}

#[test]
fn the_er_rule_agrees_with_the_path_on_a_latency_bound_loop() {
    for analysis in on_every_machine("double-shift.s") {
        for line in &analysis.instructions {
            assert_eq!(
                line.short_er, line.critical,
                "{} on {}",
                line.text, analysis.machine
            );
        }
    }
}

#[test]
fn reports_and_diagrams_fit_eighty_columns() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
    for entry in fs::read_dir(path).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for machine in MACHINES {
            let request = Request {
                name: "kernel.s",
                text: &text,
                machine,
                iterations: 72,
                followed: 0..3,
            };
            let analysis = analyze(&request).unwrap();
            let shown = pipeline::text::render(&analysis) + &pipeline::diagram::render(&analysis);
            for line in anstream::adapter::strip_str(&shown).to_string().lines() {
                assert!(line.chars().count() <= 80, "{}: {line}", machine.name);
            }
        }
    }
}

#[test]
fn the_json_document_has_the_promised_fields() {
    for analysis in on_every_machine("double-shift.s") {
        let json = serde_json::to_value(&analysis).unwrap();
        assert_eq!(json["limit"], "latency");
        assert!((json["cycles_per_iteration"].as_f64().unwrap() - 4.0).abs() < 0.01);
        assert!(json["ports"][0]["uops_per_iteration"].is_number());
        assert_eq!(json["instructions"][2]["critical"], true);
        assert_eq!(json["instructions"][2]["er_distance"], 0.0);
    }
}
