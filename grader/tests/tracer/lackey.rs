//! The footprint of a text trace: Valgrind's Lackey, read line by line into sets.
//!
//! Nothing is shared with the tool but Valgrind's translation to IR: neither filters nor chunks nor
//! the way in which intervals are found. Lackey shows no accesses of the kernel, so the tool leaves
//! them out here; `regions` checks them.

use crate::programs;
use grader::tracer::scratch::Scratch;
use grader::tracer::{Program, Request, Tool, request::Analysis, result_file::Interval};
use models::{
    footprint::{Touched, naive::NaiveFootprint},
    trace::{Access, AccessKind},
};
use std::{
    io::{BufRead as _, BufReader},
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Stdio},
};

/// Instructions per interval where nothing else is said; prime, so that loops do not fall in step.
const INTERVAL: u64 = 10_007;

/// What happens in a program, in order.
pub(crate) enum Event {
    /// An access to so many bytes from an address on.
    Access(AccessKind, u64, u32),
    /// A system call as Valgrind prints it: `(10) sys_mprotect ( 0x20b000, 28672, 1 ) …`.
    SystemCall(String),
}

/// Calls `each` with everything that the program does, as Lackey prints it.
pub(crate) fn trace(tool: &Tool, program: &Path, mut each: impl FnMut(Event)) {
    // At a path as long as the tool's: it is in the program's environment.
    let scratch = Scratch::new().unwrap();
    let library = scratch.path().join("lib");
    symlink(&tool.folder, &library).unwrap();
    // Whoever came first has linked it.
    let _ = symlink(
        tool.valgrind.parts.join("lackey-amd64-linux"),
        tool.folder.join("lackey-amd64-linux"),
    );
    let mut child = Command::new("valgrind")
        .args([
            "--command-line-only=yes",
            "--vgdb=no",
            "--tool=lackey",
            "--trace-mem=yes",
            "--trace-syscalls=yes",
        ])
        .args(["--vex-guest-chase=no", "--log-fd=1"])
        .arg(program)
        .env("VALGRIND_LIB", library)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("valgrind starts");
    let trace = BufReader::new(child.stdout.take().expect("stdout is piped"));
    for line in trace.lines() {
        let line = line.expect("the trace is text");
        if let Some((_, call)) = line.split_once("SYSCALL[") {
            let call = call.split_once(']').map_or(call, |(_, call)| call);
            each(Event::SystemCall(call.to_owned()));
        }
        let Some((letter, address, size_bytes)) = access(&line) else {
            continue;
        };
        // A modify is a load and a store of one instruction.
        let kinds: &[AccessKind] = match letter {
            "I" => &[AccessKind::Fetch],
            "L" => &[AccessKind::Load],
            "S" => &[AccessKind::Store],
            "M" => &[AccessKind::Load, AccessKind::Store],
            _ => continue,
        };
        for &kind in kinds {
            each(Event::Access(kind, address, size_bytes));
        }
    }
    assert!(child.wait().expect("valgrind ends").success());
}

/// The rows of the program's footprint, from Lackey's trace.
fn from_text(tool: &Tool, program: &Path, unit_shift: u32, interval: u64) -> Vec<Touched> {
    let mut footprint = NaiveFootprint::new(unit_shift);
    let mut rows = Vec::new();
    let mut instructions = 0;
    trace(tool, program, |event| {
        let Event::Access(kind, address, size_bytes) = event else {
            return;
        };
        if kind == AccessKind::Fetch {
            if instructions > 0 && instructions % interval == 0 {
                rows.push(footprint.end_interval());
            }
            instructions += 1;
        }
        footprint.access(&Access {
            address,
            size_bytes,
            kind,
            instruction: 0,
        });
    });
    rows.push(footprint.end_interval());
    rows
}

/// Parses `I  04001000,3` and ` L 1ffeffe7e,1`.
fn access(line: &str) -> Option<(&str, u64, u32)> {
    let mut words = line.split_whitespace();
    let letter = words.next()?;
    let (address, bytes) = words.next()?.split_once(',')?;
    Some((
        letter,
        u64::from_str_radix(address, 16).ok()?,
        bytes.parse().ok()?,
    ))
}

fn from_tool(tool: &Tool, program: &Path, unit_shift: u32, interval: u64) -> Vec<Interval> {
    let program = Program::find(program.as_os_str(), Vec::new()).unwrap();
    let request = Request {
        kernel: false,
        ..Request::new(Analysis::Footprint {
            interval: Some(interval),
            unit_shift,
            per_thread: false,
        })
    };
    let outcome = tool.run(&program, &request).unwrap();
    outcome.main().intervals.clone()
}

/// All columns, so that a failure shows the whole row.
fn of_touched(row: &Touched) -> [u64; 8] {
    [
        row.load_only(),
        row.store_only(),
        row.load_store(),
        row.code_only(),
        row.code_load(),
        row.code_store(),
        row.code_load_store(),
        row.new,
    ]
}

fn of_interval(row: &Interval) -> [u64; 8] {
    let touched = &row.touched;
    [
        touched.load_only,
        touched.store_only,
        touched.load_store,
        touched.code_only,
        touched.code_load,
        touched.code_store,
        touched.code_load_store,
        touched.new,
    ]
}

#[track_caller]
fn agree(name: &str, unit_shift: u32, interval: u64) {
    let tool = Tool::prepare().unwrap();
    let program = programs::static_rust(name);
    let ours = from_tool(&tool, &program, unit_shift, interval);
    let theirs = from_text(&tool, &program, unit_shift, interval);
    assert_eq!(ours.len(), theirs.len(), "{name}: number of intervals");
    for (row, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(ours.start, row as u64 * interval, "{name}");
        assert_eq!(
            of_interval(ours),
            of_touched(theirs),
            "{name}, interval {row}"
        );
    }
}

#[test]
fn footprints_equal_those_of_a_text_trace_row_by_row() {
    for name in programs::SMALL {
        agree(name, 6, INTERVAL);
    }
}

#[test]
fn footprints_in_pages_and_in_words_equal_those_of_a_text_trace() {
    agree("unaligned", 12, INTERVAL);
    agree("copying", 3, INTERVAL);
}

#[test]
fn intervals_that_begin_and_end_within_a_block_equal_those_of_a_text_trace() {
    agree("strings", 6, 7);
}
