//! `grader pages` on a process with four kinds of mapping: this test itself.

use std::fs::File;
use std::process::{Command, Output};
use std::ptr;

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, mmap_anonymous};
use serde_json::Value;

const MIB: usize = 1 << 20;
const HUGE: usize = 2 * MIB;

fn grader(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_grader"))
        .arg("pages")
        .args(arguments)
        .env("COLUMNS", "80")
        .output()
        .expect("grader was built for this test")
}

/// Anonymous memory from an address that is `offset` beyond a multiple of 2 MiB, between guards, so
/// that the kernel does not join it with a neighbour. It stays until the test ends.
#[expect(unsafe_code, reason = "mappings of certain shapes are made")]
fn anonymous(bytes: usize, offset: usize) -> *mut u8 {
    let held = bytes + 3 * HUGE;
    // SAFETY: a new mapping touches no other.
    let start =
        unsafe { mmap_anonymous(ptr::null_mut(), held, ProtFlags::empty(), MapFlags::PRIVATE) };
    let start = start.expect("address space is to be had").cast::<u8>();
    let aligned = start.wrapping_add(start.align_offset(HUGE) + HUGE);
    let start = aligned.wrapping_add(offset);
    let rights = rustix::mm::MprotectFlags::READ | rustix::mm::MprotectFlags::WRITE;
    // SAFETY: the range is within the mapping just made, which nothing else uses.
    unsafe { rustix::mm::mprotect(start.cast(), bytes, rights) }.expect("its own memory");
    start
}

#[expect(unsafe_code, reason = "raw memory is written")]
fn touch(start: *mut u8, bytes: usize) {
    for offset in (0..bytes).step_by(4096) {
        // SAFETY: callers pass memory that `anonymous` made writable.
        unsafe { start.wrapping_add(offset).write_volatile(1) };
    }
}

#[expect(unsafe_code, reason = "advice about raw memory")]
fn advise(start: *mut u8, bytes: usize) {
    // SAFETY: callers pass memory of their own; the advice changes no byte.
    let advised = unsafe { madvise(start.cast(), bytes, Advice::LinuxHugepage) };
    if let Err(error) = advised {
        eprintln!("no transparent huge pages here: {error}");
    }
}

/// The mapping that holds an address.
fn at(report: &Value, address: *mut u8) -> &Value {
    let address = address.addr() as u64;
    let number =
        |mapping: &Value, name: &str| mapping[name].as_u64().expect("an address is a number");
    let mappings = report["mappings"].as_array().expect("a list");
    let mut mappings = mappings.iter();
    let found = mappings.find(|m| (number(m, "start")..number(m, "end")).contains(&address));
    found.expect("a mapping that was made is listed")
}

#[test]
#[expect(unsafe_code, reason = "a file is mapped")]
fn four_kinds_of_mapping_get_four_reasons() {
    let small = anonymous(64 << 10, 0);
    touch(small, 64 << 10);
    // From 1 MiB to 3.5 MiB: more than a huge page, and none whole.
    let unaligned = anonymous(5 * MIB / 2, MIB);
    advise(unaligned, 5 * MIB / 2);
    touch(unaligned, 5 * MIB / 2);
    let advised = anonymous(8 * MIB, 0);
    advise(advised, 8 * MIB);
    touch(advised, 8 * MIB);
    let plain = anonymous(8 * MIB, 0);
    touch(plain, 8 * MIB);
    let path = std::env::temp_dir().join(format!("grader-pages-{}", std::process::id()));
    std::fs::write(&path, vec![1; 8 * MIB]).unwrap();
    let file = File::open(&path).unwrap();
    let flags = MapFlags::SHARED | MapFlags::POPULATE;
    // SAFETY: a new mapping touches no other.
    let mapped = unsafe { mmap(ptr::null_mut(), 8 * MIB, ProtFlags::READ, flags, file, 0) };
    std::fs::remove_file(&path).unwrap();
    let mapped = mapped.unwrap().cast::<u8>();

    let process = std::process::id().to_string();
    let output = grader(&["--pid", &process, "--json"]);
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();

    assert_eq!(at(&report, small)["why"], "too-small");
    assert_eq!(at(&report, unaligned)["why"], "unaligned");
    let setting = report["settings"]["transparent"].as_str().unwrap();
    let (of_advised, of_plain) = match setting {
        "always" => (Value::Null, Value::Null),
        "advised" => (Value::Null, "not-advised".into()),
        "never" => ("off".into(), "off".into()),
        _ => ("absent".into(), "absent".into()),
    };
    assert_eq!(at(&report, advised)["why"], of_advised, "{setting}");
    assert_eq!(at(&report, plain)["why"], of_plain, "{setting}");
    if of_advised.is_null() {
        assert_eq!(at(&report, advised)["huge_bytes"], 8 * MIB);
    }
    // Where temporary files lie in a tmpfs or on a file system with large folios, there are others.
    let why = &at(&report, mapped)["why"];
    let expected = ["file-system", "unaligned", "shared-off", "absent"];
    assert!(
        why.is_null() || expected.contains(&why.as_str().unwrap()),
        "{why}"
    );

    let text = grader(&["--pid", &process]);
    let text = String::from_utf8(text.stdout).unwrap();
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for reason in ["smaller than 2 MiB", "no aligned 2 MiB", "next: "] {
        assert!(text.contains(reason), "{reason} is not in:\n{text}");
    }
}

#[test]
fn a_program_is_looked_at_when_it_has_most_memory() {
    let copy = [
        "--json",
        "--",
        "dd",
        "if=/dev/zero",
        "of=/dev/null",
        "bs=64M",
        "count=6",
    ];
    let output = grader(&copy);
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["looked"]["moment"], "peak");
    let bytes = report["in_memory_bytes"].as_u64().unwrap();
    assert!(
        bytes > 60 << 20,
        "the buffer of 64 MiB is not seen: {bytes}"
    );
}

#[test]
fn without_the_right_to_see_frames_smaps_has_to_do_and_that_is_told() {
    let process = std::process::id().to_string();
    let output = grader(&["--pid", &process]);
    let text = String::from_utf8(output.stdout).unwrap();
    let told = text.replace('\n', " ");
    assert!(
        told.contains("by smaps, pagemap and kpageflags")
            || told.contains("page frames are for root to see"),
        "{text}"
    );
}

#[test]
fn what_is_not_there_is_told_with_the_next_step() {
    let output = grader(&["--pid", "4194305"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("none of this number") && said.contains("ps"),
        "{said}"
    );
    let output = grader(&["--", "there-is-no-such-program"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    // The kernel's own threads have no memory.
    let output = grader(&["--pid", "2"]);
    assert_ne!(output.status.code(), Some(0), "{output:?}");
}
