//! Measures the accuracy set on the machine at hand and prints lines for `accuracy/expected.txt`.
//!
//! `cargo run --release -p grader --example pipeline_reference -- golden-cove`
//!
//! The time-stamp counter does not count core cycles, so each loop is timed in turn with a chain of
//! multiplications, which take three cycles each on every x86 core of the last ten years (uops.info),
//! and the ratio of the shortest times is taken. Other load on the machine makes times longer, never
//! shorter, so the shortest of many short runs is the one to believe.

#[cfg(target_arch = "x86_64")]
mod native;

use grader::pipeline::accuracy::{loops, modelled};
use models::pipeline::machines;

/// Loops timed per round: one round lasts some ten microseconds.
#[cfg(target_arch = "x86_64")]
const ITERATIONS: u64 = 4_000;
/// Rounds, of which the shortest counts.
#[cfg(target_arch = "x86_64")]
const ROUNDS: u32 = 1_500;

#[cfg(target_arch = "x86_64")]
#[expect(clippy::print_stdout, reason = "an example prints its result")]
fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(machine) = machines::by_name(&name) else {
        println!(
            "usage: pipeline_reference MACHINE [START OF A LOOP'S NAME], the machine that this one is like"
        );
        return;
    };
    let only = std::env::args().nth(2);
    for one in loops().iter().filter(|one| {
        only.as_ref()
            .is_none_or(|start| one.name.starts_with(start.as_str()))
    }) {
        let (cycles, median) = native::cycles_per_iteration(&one.text, ITERATIONS, ROUNDS);
        println!(
            "{:34} | {} | {cycles:6.2} | measured    # median {median:.2}, model {:.2}",
            one.name,
            machine.name,
            modelled(&one.text, machine)
        );
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[expect(clippy::print_stdout, reason = "an example prints its result")]
fn main() {
    let _ = (
        loops(),
        machines::MACHINES,
        modelled as fn(&str, &'static _) -> f64,
    );
    println!("the loops are x86-64 code: run this on such a machine");
}
