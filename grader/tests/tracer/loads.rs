//! Which loads are named.

use crate::{command::json, programs};
use serde_json::Value;
use std::{ffi::OsStr, fs, path::Path, process::Command};

fn loads(program: &Path, arguments: &[&str]) -> Value {
    let mut all: Vec<&OsStr> = ["reuse", "--json", "--loads=3", "--caches=32K,1M", "--"]
        .map(OsStr::new)
        .to_vec();
    all.push(program.as_os_str());
    all.extend(arguments.iter().map(OsStr::new));
    json(&all)
}

/// Line of the source that holds a remark.
fn line_of(source: &str, remark: &str) -> usize {
    1 + source
        .lines()
        .position(|line| line.contains(remark))
        .expect("the remark is there")
}

#[test]
fn column_access_of_the_textbook_product_comes_first_with_nearly_all_misses() {
    let report = loads(&programs::rust("product"), &[]);
    let first = &report["loads"][0];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/product.rs");
    let line = line_of(&fs::read_to_string(source).unwrap(), "// the column access");
    let named = first["line"].as_str().unwrap();
    assert!(named.ends_with(&format!("product.rs:{line}")), "{named}");
    assert!(
        first["function"].as_str().unwrap().ends_with("multiply"),
        "{first}"
    );
    let misses = first["misses"][0].as_u64().unwrap();
    let all = report["caches"][0]["misses"].as_u64().unwrap();
    assert!(misses * 10 > all * 9, "{misses} of {all} misses");
    // Its own histograms hold its own accesses, once each.
    let accesses = first["accesses"].as_u64().unwrap();
    for kind in ["temporal", "spatial"] {
        let bins = first[kind]["bins"].as_array().unwrap();
        let counted: u64 = bins
            .iter()
            .map(|bin| bin["accesses"].as_u64().unwrap())
            .sum();
        assert_eq!(
            counted + first[kind]["first_use"].as_u64().unwrap(),
            accesses,
            "{kind}"
        );
    }
}

#[test]
fn program_of_the_distribution_is_named_by_symbol_or_address_without_debug_information() {
    let gzip = Path::new("/usr/bin/gzip");
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tracer/loads.rs");
    let report = loads(gzip, &["-c", text.to_str().unwrap()]);
    let loads = report["loads"].as_array().unwrap();
    assert_eq!(loads.len(), 3);
    for load in loads {
        let function = load["function"].as_str().unwrap();
        assert!(!function.is_empty() && function != "???", "{load}");
        let place = load["line"].as_str().or(load["object"].as_str());
        assert!(place.is_some_and(|place| !place.is_empty()), "{load}");
    }
}

#[test]
fn stripped_program_is_named_by_addresses_of_its_own_file() {
    let program = programs::rust("random");
    let stripped = program.with_file_name("random-stripped");
    let strip = Command::new("strip")
        .arg("-o")
        .arg(&stripped)
        .arg(&program)
        .status();
    assert!(strip.is_ok_and(|status| status.success()));
    let report = loads(&stripped, &[]);
    let functions: Vec<&str> = report["loads"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|load| load["function"].as_str())
        .collect();
    let own = functions
        .iter()
        .find_map(|name| name.strip_suffix(" in random-stripped"));
    let address = own.unwrap_or_else(|| panic!("no address among {functions:?}"));
    let address = u64::from_str_radix(address.trim_start_matches("0x"), 16).unwrap();
    // As objdump numbers it, not as it was mapped.
    assert!(
        address < fs::metadata(&stripped).unwrap().len() + 0x10_0000,
        "{address:#x}"
    );
}
