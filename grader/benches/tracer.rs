//! What measuring costs: the tracer against the program itself and against Callgrind.
//!
//! ```text
//! cargo bench -p grader --bench tracer -- [ROUNDS]
//! ```
//!
//! The program is the tracer's example `mixed`. All run in turn, several times over; what counts is
//! the processor time spent in user mode, of which the median is shown, so that other work on the
//! machine matters little. The targets stand beside the ratios; a missed one is printed as missed.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use grader::tracer::{
    Program, Request, Tool,
    request::{Analysis, PageSource},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    thread,
    time::Duration,
};

/// Rounds if no number is given.
const ROUNDS: usize = 3;
/// Instructions per interval of the footprint.
const INTERVAL: u64 = 10_000_000;
/// An L1 and an L2, in lines.
const CACHES: [u32; 2] = [512, 16_384];
/// Of `/proc/self/stat`, in hundredths of a second on every Linux that Rust runs on.
const TICKS_PER_SECOND: f64 = 100.0;
const MIB: f64 = 1024.0 * 1024.0;

/// Something that runs the program.
struct Contender {
    name: &'static str,
    run: Box<dyn Fn()>,
    /// How many times the program's own time it may take.
    at_most: Option<f64>,
}

fn main() {
    let tool = Tool::prepare().expect("the tracer can be built");
    let program = Program::find(compiled().as_os_str(), Vec::new()).expect("it was just compiled");
    let touched = touched_bytes(&tool, &program);
    let contenders = contenders(&tool, &program);
    let mut seconds = vec![Vec::new(); contenders.len()];
    let mut peaks = vec![0u64; contenders.len()];
    // Cargo adds options of its own.
    let asked = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let rounds: usize = asked.filter(|&rounds| rounds > 0).unwrap_or(ROUNDS);
    for round in 1..=rounds {
        for (index, contender) in contenders.iter().enumerate() {
            println!("round {round} of {rounds}: {}", contender.name);
            let (user, peak) = measured(&contender.run);
            seconds[index].push(user);
            peaks[index] = peaks[index].max(peak);
        }
    }
    let medians: Vec<f64> = seconds.into_iter().map(median).collect();
    let (native, callgrind) = (medians[0], medians[1]);
    println!(
        "\n{:<28} {:>8} {:>9} {:>12} {:>9}",
        "", "seconds", "× native", "× callgrind", "MiB"
    );
    for ((contender, median), peak) in contenders.iter().zip(&medians).zip(&peaks) {
        let verdict = match contender.at_most {
            Some(at_most) if median / native <= at_most => format!("at most {at_most}: reached"),
            Some(at_most) => format!("at most {at_most}: MISSED"),
            None => String::new(),
        };
        println!(
            "{:<28} {median:>8.2} {:>9.1} {:>12.2} {:>9.0}  {verdict}",
            contender.name,
            median / native,
            median / callgrind,
            mebibytes(*peak),
        );
    }
    println!(
        "\nThe program touches {:.0} MiB; the tool may take",
        mebibytes(touched)
    );
    println!(
        "{:.0} MiB: four times that and 256 MiB.",
        mebibytes(4 * touched) + 256.0
    );
    println!("Footprint at most half of Callgrind's time: see its × callgrind. Where it is more,");
    println!("Valgrind's own translation (`none`) is what is left: no tool can be faster.");
}

fn contenders(tool: &Tool, program: &Program) -> Vec<Contender> {
    let plain = program.path.clone();
    let native = Box::new(move || {
        let status = Command::new(&plain).status();
        assert!(status.is_ok_and(|status| status.success()));
    });
    let valgrind = |options: &'static [&'static str]| -> Box<dyn Fn()> {
        let path = program.path.clone();
        Box::new(move || {
            let status = Command::new("valgrind")
                .args(options)
                .arg(&path)
                .stderr(Stdio::null())
                .status();
            assert!(status.is_ok_and(|status| status.success()));
        })
    };
    let traced = |analysis: Analysis| -> Box<dyn Fn()> {
        let (tool, program) = (tool.clone(), program.clone());
        Box::new(move || {
            let outcome = tool.run(&program, &Request::new(analysis.clone()));
            assert!(outcome.is_ok_and(|outcome| outcome.ending.is_complete()));
        })
    };
    let footprint = Analysis::Footprint {
        interval: Some(INTERVAL),
        unit_shift: 6,
        per_thread: false,
    };
    let reuse = |sites| Analysis::Reuse {
        in_locations: false,
        list: 0,
        sites,
        caches_lines: CACHES.to_vec(),
    };
    let tlb = Analysis::Tlb {
        machine: "zen4",
        pages: PageSource::Process,
        interval: None,
        sites: 0,
    };
    let contender = |name, run, at_most| Contender { name, run, at_most };
    vec![
        contender("native", native, None),
        contender(
            "Callgrind",
            valgrind(&["--tool=callgrind", CALLGRIND_OUT]),
            None,
        ),
        contender(
            "Callgrind, cache simulation",
            valgrind(&["--tool=callgrind", "--cache-sim=yes", CALLGRIND_OUT]),
            None,
        ),
        contender("Valgrind's none", valgrind(&["--tool=none"]), None),
        contender("instruction count", traced(Analysis::Count), None),
        contender("footprint", traced(footprint), Some(10.0)),
        contender("reuse", traced(reuse(0)), Some(60.0)),
        contender("reuse, load by load", traced(reuse(10)), Some(80.0)),
        contender("page walks", traced(tlb), Some(60.0)),
    ]
}

const CALLGRIND_OUT: &str = "--callgrind-out-file=/dev/null";

/// The example, compiled as a release build compiles it.
fn compiled() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tracer/examples/mixed.rs");
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mixed");
    let status = Command::new("rustc")
        .args(["--edition=2024", "-Copt-level=3", "-o"])
        .arg(&output)
        .arg(source)
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "rustc compiles the example"
    );
    output
}

fn touched_bytes(tool: &Tool, program: &Program) -> u64 {
    let whole_run = Analysis::Footprint {
        interval: None,
        unit_shift: 12,
        per_thread: false,
    };
    let outcome = tool
        .run(program, &Request::new(whole_run))
        .expect("the example runs");
    let total = outcome.main().end.as_ref().and_then(|end| end.total);
    total.map_or(0, |total| total.new << 12)
}

/// Seconds in user mode that `run` and its processes took, and the most memory one of them held.
fn measured(run: &dyn Fn()) -> (f64, u64) {
    let over = AtomicBool::new(false);
    let peak = AtomicU64::new(0);
    let before = childrens_user_ticks();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Relaxed) {
                peak.fetch_max(largest_childs_peak_bytes(), Relaxed);
                thread::sleep(Duration::from_millis(20));
            }
        });
        run();
        over.store(true, Relaxed);
    });
    let user = (childrens_user_ticks() - before) / TICKS_PER_SECOND;
    (user, peak.load(Relaxed))
}

/// Field 16 of `/proc/self/stat`. Source: proc_pid_stat(5).
fn childrens_user_ticks() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux has /proc");
    // The second field may hold anything, in parentheses.
    let (_, fields) = stat
        .rsplit_once(')')
        .expect("the command is in parentheses");
    let field = fields.split_whitespace().nth(13);
    field
        .and_then(|ticks| ticks.parse().ok())
        .expect("field 16 is a number")
}

/// `VmHWM` of this process's children.
fn largest_childs_peak_bytes() -> u64 {
    let me = format!("PPid:\t{}", std::process::id());
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let peaks = processes.filter_map(|process| {
        let status = fs::read_to_string(process.path().join("status")).ok()?;
        if !status.lines().any(|line| line == me) {
            return None;
        }
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes << 10)
    });
    peaks.max().unwrap_or(0)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[expect(clippy::cast_precision_loss, reason = "shown without decimals")]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / MIB
}
