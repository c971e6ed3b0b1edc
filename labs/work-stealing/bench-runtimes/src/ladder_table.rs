//! What a spawn costs on each step of the ladder: the same fib, the same workers.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Context, ensure};
use ladder::Step;

use crate::sample::{Priority, Sample, Stopwatch, joins, quiet_median, this_command, timed};

/// The top of the ladder.
const TOP: &str = "magpie: a private tail, frames on the stack";

/// Runs one step here and now; the one above the ladder's own is magpie.
pub(crate) fn run(step: usize, size: u64, workers: usize) -> anyhow::Result<Sample> {
    let expected = expected(size);
    let mut result = 0;
    let sample = if let Some(step) = Step::ALL.get(step) {
        let mut watch = None;
        result = step.fib_once_ready(workers, size, || watch = Some(Stopwatch::start()));
        watch.context("the threads were never ready")?.stop()?
    } else {
        let pool = magpie::Pool::new(workers)?;
        // Until all threads have looked for work and found none.
        std::thread::sleep(Duration::from_millis(10));
        timed(|| {
            result =
                pool.run(|mut worker| programs::fib::fib::<programs::Magpie>(&mut worker, size));
        })?
    };
    ensure!(
        result == expected,
        "step {step}: fib({size}) gave {result} instead of {expected}"
    );
    Ok(sample)
}

/// What fib gives, from the serial elision.
fn expected(size: u64) -> u64 {
    programs::fib::fib::<programs::Serial>(&mut (), size)
}

/// Measures all steps in turn and writes the table.
pub(crate) fn measure(
    rounds: usize,
    workers: usize,
    size: u64,
    priority: Priority,
) -> anyhow::Result<String> {
    let titles: Vec<&str> = Step::ALL
        .iter()
        .map(|step| step.title())
        .chain([TOP])
        .collect();
    let counts = [1, workers];
    let mut samples = vec![[Vec::new(), Vec::new()]; titles.len()];
    for round in 0..rounds {
        eprintln!("round {} of {rounds}", round + 1);
        for (step, samples) in samples.iter_mut().enumerate() {
            for (workers, samples) in counts.iter().zip(samples) {
                let (step, size, workers) =
                    (step.to_string(), size.to_string(), workers.to_string());
                let arguments = [
                    "step",
                    "--step",
                    &step,
                    "--size",
                    &size,
                    "--workers",
                    &workers,
                ];
                samples.push(this_command(&arguments, priority)?);
            }
        }
    }
    let joins = joins(usize::try_from(size).context("a fib that small machines can run")?);
    let (clock, cost): (_, fn(&Sample) -> f64) = match priority {
        Priority::RealTime => (
            "Wall clock, in the real-time class, so that other programs wait",
            Sample::wall_ms,
        ),
        // Disturbed by others, the wall clock says little about the step.
        Priority::Normal => (
            "CPU time of all workers together, as other programs disturb the wall clock",
            Sample::cpu_ms,
        ),
    };
    let mut out = format!(
        "<!-- Written by `cargo make bench-ladder`; edits will be lost. -->\n\n\
         | step | 1 worker: ns per spawn | {workers} workers: ns per spawn | times as fast as the step before |\n\
         | --- | ---: | ---: | ---: |\n"
    );
    let mut before: Option<f64> = None;
    for (title, samples) in titles.iter().zip(&samples) {
        let [one, all] = samples
            .each_ref()
            .map(|samples| quiet_median(samples, cost) * 1e6 / joins);
        let ratio = before.map_or("–".to_owned(), |before| format!("{:.1}", before / all));
        let _ = writeln!(out, "| {title} | {one:.1} | {all:.1} | {ratio} |");
        before = Some(all);
    }
    let _ = writeln!(
        out,
        "\nfib({size}) throughout: {joins} spawns, threads started before the time. {clock}; medians \
         over the quieter half of {rounds} rounds, all steps in turn in each round. The last column \
         compares {workers} workers."
    );
    Ok(out)
}
