//! Prints how far the model is off on the accuracy set, and llvm-mca beside it where it is installed.
//!
//! `cargo run --release -p grader --example pipeline_accuracy -- golden-cove`

use std::io::Write as _;
use std::process::{Command, Stdio};

use grader::pipeline::accuracy::{Comparison, compare, loops, mean_error};
use models::pipeline::machines;

/// Iterations that llvm-mca simulates; the difference of two runs is the steady state.
const MCA_ITERATIONS: [u32; 2] = [200, 600];

#[expect(clippy::print_stdout, reason = "an example prints its result")]
fn main() {
    let name = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "golden-cove".to_string());
    let Some(machine) = machines::by_name(&name) else {
        println!("usage: pipeline_accuracy MACHINE");
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

/// llvm-mca's cycles per iteration for the loop's body, closing jump included.
fn llvm_mca(tool: &str, cpu: &str, text: &str) -> Option<f64> {
    let start = text.find("loop:")?;
    let body = &text[start..];
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
