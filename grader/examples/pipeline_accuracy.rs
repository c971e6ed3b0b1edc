//! Prints how far the model is off on the accuracy set, and llvm-mca beside it where it is installed.
//!
//! `cargo run --release -p grader --example pipeline_accuracy -- golden-cove`
//! `cargo run --release -p grader --example pipeline_accuracy -- skylake independent`
//!
//! The second prints the loops and blocks that others measured as wholes.

use std::io::Write as _;
use std::process::{Command, Stdio};

use grader::pipeline::accuracy::{
    Comparison, against_model, blocks, compare, independent_loops, listing, loops, mean_error,
    measure,
};
use models::pipeline::{Machine, machines};

/// Iterations that llvm-mca simulates; the difference of two runs is the steady state.
const MCA_ITERATIONS: [u32; 2] = [200, 600];

#[expect(clippy::print_stdout, reason = "an example prints its result")]
fn main() {
    let name = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "golden-cove".to_string());
    let Some(machine) = machines::by_name(&name) else {
        println!("usage: pipeline_accuracy MACHINE [independent]");
        return;
    };
    let cpu = match machine.name {
        "skylake" => "skylake",
        "zen4" => "znver4",
        _ => "sapphirerapids",
    };
    let tool = ["llvm-mca-19", "llvm-mca"].into_iter().find(|tool| {
        let quiet = Command::new(tool)
            .arg("--version")
            .stdout(Stdio::null())
            .status();
        quiet.is_ok_and(|status| status.success())
    });
    if std::env::args().nth(2).as_deref() == Some("independent") {
        independent(machine, tool, cpu);
        return;
    }
    println!(
        "| loop | expected | source | model | off | {} | off |",
        tool.unwrap_or("llvm-mca")
    );
    println!("|---|---:|---|---:|---:|---:|---:|");
    let comparisons = compare(machine);
    let mut theirs = Vec::new();
    for one in &comparisons {
        let text = loops()
            .into_iter()
            .find(|l| l.name == one.expected.name)
            .map(|l| l.text);
        let mca = tool
            .zip(text)
            .and_then(|(tool, text)| llvm_mca(tool, cpu, &text));
        let (mca_cycles, mca_off) = mca.map_or((String::new(), String::new()), |cycles| {
            let other = Comparison {
                expected: one.expected,
                modelled: cycles,
            };
            let columns = (
                format!("{cycles:.2}"),
                format!("{:.1} %", 100.0 * other.error()),
            );
            theirs.push(other);
            columns
        });
        println!(
            "| {} | {:.2} | {} | {:.2} | {:.1} % | {mca_cycles} | {mca_off} |",
            one.expected.name,
            one.expected.cycles,
            one.expected.source,
            one.modelled,
            100.0 * one.error(),
        );
    }
    let mean = |all: &[Comparison]| format!("{:.1} %", 100.0 * mean_error(all));
    let last = if theirs.is_empty() {
        String::new()
    } else {
        mean(&theirs)
    };
    println!(
        "| **mean of {} loops on {}** | | | | **{}** | | **{last}** |",
        comparisons.len(),
        machine.title,
        mean(&comparisons)
    );
}

/// The mean and the median of `errors`, in percent.
#[expect(clippy::cast_precision_loss, reason = "there are about a hundred")]
fn mean_and_median(errors: &[f64]) -> String {
    let mut sorted = errors.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
    format!("{:.1} % (median {:.1} %)", 100.0 * mean, 100.0 * median)
}

/// Prints what others measured as wholes beside the model, and llvm-mca where it is installed.
#[expect(clippy::print_stdout, reason = "an example prints its result")]
fn independent(machine: &'static Machine, tool: Option<&str>, cpu: &str) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    println!("| loop | measured | kind | source | model | off | llvm-mca | off |");
    println!("|---|---:|---|---|---:|---:|---:|---:|");
    let set = independent_loops(machine);
    for one in &set {
        let (error, model) = against_model(one, machine);
        ours.push(error);
        let start = one.text.find(":\n").map_or(0, |at| {
            one.text[..at].rfind('\n').map_or(0, |line| line + 1)
        });
        let mca = tool.and_then(|tool| mca_of(tool, cpu, &one.text[start..]));
        let columns = mca.map_or(" | ".to_string(), |cycles| {
            let error = (cycles - one.cycles).abs() / one.cycles;
            theirs.push(error);
            format!("{cycles:.2} | {:.1} %", 100.0 * error)
        });
        println!(
            "| {} | {:.2} | {} | {} | {model:.2} | {:.1} % | {columns} |",
            one.name,
            one.cycles,
            one.kind,
            one.source,
            100.0 * error,
        );
    }
    println!(
        "| **mean of {} loops on {}** | | | | | **{}** | | **{}** |",
        set.len(),
        machine.title,
        mean_and_median(&ours),
        mean_and_median(&theirs)
    );
    if machine.name != "skylake" {
        return;
    }
    let (mut ours, mut theirs, mut far) = (Vec::new(), Vec::new(), 0);
    println!("\n| block | measured | model | off | llvm-mca | off |");
    println!("|---|---:|---:|---:|---:|---:|");
    for block in blocks() {
        let text = listing(&block);
        let mca = tool.and_then(|tool| mca_of(tool, cpu, &text.replace("; ", "\n")));
        let one = measure(block);
        let (Some(model), Some(error)) = (one.modelled, one.error()) else {
            println!(
                "| `{text}` | {:.2} | no figures for {:?} | | | |",
                one.block.cycles, one.unknown
            );
            continue;
        };
        ours.push(error);
        far += u32::from(error > 0.15);
        let columns = mca.map_or(" | ".to_string(), |cycles| {
            let error = (cycles - one.block.cycles).abs() / one.block.cycles;
            theirs.push(error);
            format!("{cycles:.2} | {:.1} %", 100.0 * error)
        });
        println!(
            "| `{text}` | {:.2} | {model:.2} | {:.1} % | {columns} |",
            one.block.cycles,
            100.0 * error
        );
    }
    println!(
        "| **mean of {} blocks, {far} of them more than 15 % off** | | | **{}** | | **{}** |",
        ours.len(),
        mean_and_median(&ours),
        mean_and_median(&theirs)
    );
}

/// llvm-mca's cycles per iteration for the loop's body, closing jump included.
fn llvm_mca(tool: &str, cpu: &str, text: &str) -> Option<f64> {
    mca_of(tool, cpu, &text[text.find("loop:")?..])
}

/// The same for a `body` alone.
fn mca_of(tool: &str, cpu: &str, body: &str) -> Option<f64> {
    let cycles = |iterations: u32| -> Option<f64> {
        let mut child = Command::new(tool)
            .args([
                &format!("-mcpu={cpu}"),
                "-mtriple=x86_64",
                "-x86-asm-syntax=intel",
            ])
            .args([&format!("-iterations={iterations}"), "-instruction-info=0"])
            .args(["-resource-pressure=0", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        child.stdin.take()?.write_all(body.as_bytes()).ok()?;
        let output = child.wait_with_output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let line = text
            .lines()
            .find(|line| line.starts_with("Total Cycles:"))?;
        line.split_whitespace().last()?.parse().ok()
    };
    let [short, long] = MCA_ITERATIONS;
    Some((cycles(long)? - cycles(short)?) / f64::from(long - short))
}
