//! The worked example of reuse distance: a b e b c d a, with a, b, c in one line and d, e in the next.

use crate::{command::json, programs};
use models::reuse::{Locations, ReuseDistance};
use serde_json::Value;

#[test]
fn command_gives_a_temporal_distance_of_4_and_d_a_spatial_distance_of_2() {
    let program = programs::rust("worked_example");
    let report = json(&[
        "reuse".as_ref(),
        "--json".as_ref(),
        "--list".as_ref(),
        "--distance=locations".as_ref(),
        "--function=worked_example".as_ref(),
        "--".as_ref(),
        program.as_os_str(),
    ]);
    let list = report["list"].as_array().unwrap();
    let bytes: Vec<&Value> = list
        .iter()
        .filter(|access| access["size_bytes"] == 1)
        .collect();
    let places: Vec<u64> = bytes
        .iter()
        .map(|byte| byte["address"].as_u64().unwrap())
        .collect();
    let start = places[0];
    let offsets: Vec<u64> = places.iter().map(|place| place - start).collect();
    // a b e b c d a
    assert_eq!(offsets, [0, 1, 65, 1, 2, 64, 0]);
    assert_eq!(bytes[6]["temporal"], 4, "the second a: b, c, d, e");
    assert_eq!(bytes[5]["spatial"], 2, "d, in the line of e: b, c");
    assert_eq!(bytes[5]["temporal"], Value::Null, "the first d");
}

#[test]
fn model_gives_the_same() {
    let mut model = ReuseDistance::<Locations>::new();
    let distances = [0, 1, 65, 1, 2, 64, 0].map(|offset| model.access(0x1000 + offset));
    assert_eq!(distances[6].temporal, Some(4));
    assert_eq!(distances[5].spatial, Some(2));
}
