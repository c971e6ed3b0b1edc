//! What a spawn costs on each step of the ladder: the same fib, the same workers.

use std::fmt::Write as _;

use anyhow::{Context, ensure};
use ladder::Step;

use crate::sample::{Priority, Sample, joins, quiet_median, this_command, timed};

/// The top of the ladder.
const TOP: &str = "magpie: a private tail, frames on the stack";

/// Runs one step here and now; the one above the ladder's own is magpie.
pub(crate) fn run(step: usize, size: u64, workers: usize) -> anyhow::Result<Sample> {
    let expected = expected(size);
    let mut result = 0;
    let sample = if let Some(step) = Step::ALL.get(step) {
        // Starts its threads within the measured time, as the others do.
        timed(|| result = step.fib(workers, size))?
    } else {
        let mut started = Ok(());
        let sample = timed(|| match magpie::Pool::new(workers) {
            Ok(pool) => {
                result =
                    pool.run(|mut worker| programs::fib::fib::<programs::Magpie>(&mut worker, size))
            }
            Err(error) => started = Err(error),
        })?;
        started?;
        sample
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
    let mut out = format!(
        "<!-- Written by `cargo make bench-ladder`; edits will be lost. -->\n\n\
         | step | 1 worker: CPU ns per spawn | {workers} workers: wall ns | {workers} workers: CPU ns | times as fast as the step before |\n\
         | --- | ---: | ---: | ---: | ---: |\n"
    );
    let mut before: Option<f64> = None;
    for (title, [one, all]) in titles.iter().zip(&samples) {
        let per_join = |ms: f64| ms * 1e6 / joins;
        let alone = per_join(quiet_median(one, Sample::cpu_ms));
        let wall = per_join(quiet_median(all, Sample::wall_ms));
        let cpu = per_join(quiet_median(all, Sample::cpu_ms));
        // Disturbed by others, the wall clock says little about the step.
        let compared = if priority == Priority::RealTime {
            wall
        } else {
            cpu
        };
        let ratio = before.map_or("–".to_owned(), |before| {
            format!("{:.1}", before / compared)
        });
        let _ = writeln!(
            out,
            "| {title} | {alone:.1} | {wall:.1} | {cpu:.1} | {ratio} |"
        );
        before = Some(compared);
    }
    let clock = match priority {
        Priority::RealTime => "wall clock, in the real-time class, so that other programs wait",
        Priority::Normal => "CPU time, as other programs disturb the wall clock",
    };
    let _ = writeln!(
        out,
        "\nfib({size}) throughout: {joins} spawns, threads started within the time. Medians over the \
         quieter half of {rounds} rounds, all steps in turn in each round. The last column compares \
         {clock}, with {workers} workers."
    );
    Ok(out)
}
