use super::*;
use crate::{
    profile::{Cache, reuse_report::ReuseSettings},
    tracer::{
        Ending, Outcome,
        result_file::{Distances, End, ProcessResult, Reuse, Site},
    },
};

fn distances(cold: u64, bins: &[(u64, u64, u64)]) -> Distances {
    Distances {
        cold,
        bins: bins.to_vec(),
    }
}

fn report() -> ReuseReport {
    let temporal = distances(100, &[(0, 0, 300), (1, 1, 0), (2, 3, 600)]);
    let spatial = distances(20, &[(0, 0, 980)]);
    let site = |address, touches, misses| Site {
        address,
        store: false,
        object: None,
        object_address: None,
        frames: vec!["multiply (/home/me/src/main.rs:12)".to_owned()],
        touches,
        misses: vec![misses],
        temporal: distances(100, &[(0, 0, 300)]),
        spatial: distances(20, &[(0, 0, 80), (1, 1, 300)]),
    };
    let process = ProcessResult {
        pid: 1,
        reuse: Some(Reuse {
            touches: 1000,
            misses: vec![100],
            temporal,
            spatial,
            units: 20,
            curve: vec![(0, 1000), (1, 700), (2, 640), (768, 100), (1024, 20)],
        }),
        // Two copies of one load, as an unrolled loop has them.
        sites: vec![site(0x4005, 400, 60), site(0x4009, 400, 35)],
        end: Some(End {
            exec: false,
            instructions: 2500,
            threads: vec![2500],
            entries: None,
            total: None,
        }),
        ..ProcessResult::default()
    };
    let outcome = Outcome {
        command: "./multiply".to_owned(),
        ending: Ending::Exited(0),
        processes: vec![process],
    };
    let l1 = Cache {
        name: "L1".to_owned(),
        size_bytes: 48 << 10,
    };
    let settings = ReuseSettings {
        function: None,
        caches: vec![l1],
        in_locations: false,
        loads: 3,
        by_line: true,
        here: "/home/me".into(),
    };
    ReuseReport::new(&outcome, &settings)
}

#[test]
fn tables_show_both_histograms_the_curve_and_the_loads() {
    insta::assert_snapshot!(tables(&report()));
}

#[test]
fn no_line_is_wider_than_a_terminal() {
    let text = tables(&report());
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn json_has_the_promised_members() {
    let json = serde_json::to_value(report()).unwrap();
    assert_eq!(json["temporal"]["bins"][2]["accesses"], 600);
    assert_eq!(json["spatial"]["first_use"], 20);
    assert_eq!(json["loads"][0]["line"], "src/main.rs:12");
    assert_eq!(json["loads"][0]["function"], "multiply");
    assert_eq!(json["loads"][0]["misses"][0], 95);
    assert_eq!(json["loads"].as_array().unwrap().len(), 1);
    assert_eq!(json["caches"][0]["name"], "L1");
}
