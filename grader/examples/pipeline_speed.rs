//! How fast the model runs: instructions per second of this process's own processor time.
//!
//! `cargo run --release -p grader --example pipeline_speed`

use std::fs;
use std::path::Path;

use models::pipeline::x86::TextLoop;
use models::pipeline::{Core, Limits, machines};
use rustix::time::{ClockId, clock_gettime};

/// Instructions per run.
const INSTRUCTIONS: usize = 3_000_000;
/// Runs, of which the median counts.
const RUNS: usize = 5;

fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[expect(clippy::print_stdout, reason = "an example prints its result")]
fn main() {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
    println!(
        "| kernel | machine | M instructions/s | cycles per instruction |\n|---|---|---:|---:|"
    );
    for name in [
        "double-shift",
        "code-coin",
        "throughput-width",
        "data-scatter",
        "latency-hash",
    ] {
        let text = fs::read_to_string(kernels.join(name).with_extension("s"));
        let text = TextLoop::parse(&text.expect("the kernel is committed")).expect("it is a loop");
        let (steps, _) = text
            .steps((INSTRUCTIONS / text.body.len()) as u64)
            .expect("it ends");
        for machine in machines::MACHINES {
            let built = text.build(machine);
            let mut rates = [0.0; RUNS];
            let mut cycles = 0;
            for rate in &mut rates {
                let core = Core::new(machine, &built.program, Limits::default());
                let before = processor_seconds();
                cycles = core.run(steps.iter().copied()).cycles;
                *rate = steps.len() as f64 / (processor_seconds() - before) / 1e6;
            }
            rates.sort_by(f64::total_cmp);
            let each = cycles as f64 / steps.len() as f64;
            println!(
                "| {name} | {} | {:.1} | {each:.2} |",
                machine.name,
                rates[RUNS / 2]
            );
        }
    }
}
