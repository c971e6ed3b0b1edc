//! Measures magpie against its peers on the five programs.
//!
//! `measure` runs everything in turn, each run in a fresh process, and writes the table and the
//! plot of the book's page "Five programs". `run` and `idle` are what it starts.

mod counted;
mod hand_over;
mod ladder_table;
mod peer;
mod plot;
mod program;
mod report;
mod sample;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;

use crate::peer::Peer;
use crate::program::Program;
use crate::report::{Cell, Extras, Results};
use crate::sample::Priority;

/// Measures magpie against its peers.
#[derive(Parser)]
enum Command {
    /// Measure everything; write the table and the plot.
    Measure {
        /// How often each run is repeated.
        #[arg(long, default_value_t = 9)]
        rounds: usize,
        /// The larger number of workers; by default one per available core.
        #[arg(long)]
        workers: Option<usize>,
        /// Run in the real-time class (`chrt -f`), so that other programs wait. Needs the right to it.
        #[arg(long)]
        real_time: bool,
        /// Where `runtimes-table.md` and `runtimes.svg` go.
        #[arg(long, default_value = "book/src/work-stealing")]
        out: PathBuf,
    },
    /// Run every program once at full size on every runtime and check the results.
    Check {
        /// The number of workers; by default one per available core.
        #[arg(long)]
        workers: Option<usize>,
    },
    /// Measure the ladder's steps on one fib; write its table.
    Ladder {
        /// How often each step is repeated.
        #[arg(long, default_value_t = 9)]
        rounds: usize,
        /// The number of workers; by default one per available core.
        #[arg(long)]
        workers: Option<usize>,
        /// The fib that all steps run.
        #[arg(long, default_value_t = 28)]
        size: u64,
        /// Run in the real-time class (`chrt -f`), so that other programs wait. Needs the right to it.
        #[arg(long)]
        real_time: bool,
        /// Where `ladder-table.md` goes.
        #[arg(long, default_value = "book/src/work-stealing")]
        out: PathBuf,
    },
    /// Run one step of the ladder once and print what it cost, as JSON.
    Step {
        /// From 0, at the bottom, to 5, which is magpie.
        #[arg(long)]
        step: usize,
        /// The fib to run.
        #[arg(long)]
        size: u64,
        /// The number of workers.
        #[arg(long)]
        workers: usize,
    },
    /// Run one program once and print what it cost, as JSON.
    Run {
        /// The runtime.
        #[arg(long)]
        peer: Peer,
        /// The program.
        #[arg(long)]
        program: Program,
        /// The program's size; by default the table's.
        #[arg(long)]
        size: Option<usize>,
        /// The number of workers.
        #[arg(long, default_value_t = 1)]
        workers: usize,
        /// Check the result, too.
        #[arg(long)]
        check: bool,
    },
    /// Run fib once with one worker, for Callgrind to count.
    Count {
        /// The runtime.
        #[arg(long)]
        peer: Peer,
        /// The fib to run.
        #[arg(long)]
        size: usize,
    },
    /// Print the nanoseconds that it takes to hand a cache line from one core to another.
    HandOver,
    /// Print the CPU time in µs that a pool uses in a second without work.
    Idle {
        /// The runtime.
        #[arg(long)]
        peer: Peer,
        /// The number of workers.
        #[arg(long, default_value_t = 2)]
        workers: usize,
    },
}

fn available() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

#[expect(clippy::print_stdout, reason = "this is what the command is for")]
fn main() -> anyhow::Result<ExitCode> {
    match Command::parse() {
        Command::Measure {
            rounds,
            workers,
            real_time,
            out,
        } => {
            let results = measure(
                rounds.max(1),
                workers.unwrap_or_else(available),
                priority(real_time),
            )?;
            let table = results.markdown();
            std::fs::create_dir_all(&out).with_context(|| format!("creating {}", out.display()))?;
            for (name, text) in [
                ("runtimes-table.md", &table),
                ("runtimes.svg", &plot::svg(&results)),
            ] {
                let path = out.join(name);
                std::fs::write(&path, text)
                    .with_context(|| format!("writing {}", path.display()))?;
            }
            println!("{table}");
        }
        Command::Check { workers } => {
            for program in Program::ALL {
                let mut sizes = vec![program.full_size()];
                if matches!(program, Program::Lu | Program::Plu) {
                    sizes = vec![1024, 1025];
                }
                for size in sizes {
                    for peer in Peer::ALL.into_iter().filter(|&peer| peer != Peer::Opaque) {
                        let sample = sample::spawn(
                            peer,
                            program,
                            size,
                            workers.unwrap_or_else(available),
                            true,
                            Priority::Normal,
                        )?;
                        let verdict = sample.check.unwrap_or_default();
                        println!("{:9} {size:>8} {:6} {verdict}", program.name(), peer.name());
                    }
                }
            }
        }
        Command::Ladder {
            rounds,
            workers,
            size,
            real_time,
            out,
        } => {
            let table = ladder_table::measure(
                rounds.max(1),
                workers.unwrap_or_else(available),
                size,
                priority(real_time),
            )?;
            std::fs::create_dir_all(&out).with_context(|| format!("creating {}", out.display()))?;
            let path = out.join("ladder-table.md");
            std::fs::write(&path, &table).with_context(|| format!("writing {}", path.display()))?;
            println!("{table}");
        }
        Command::Step {
            step,
            size,
            workers,
        } => {
            println!(
                "{}",
                serde_json::to_string(&ladder_table::run(step, size, workers)?)?
            );
        }
        Command::Run {
            peer,
            program,
            size,
            workers,
            check,
        } => {
            let size = size.unwrap_or_else(|| program.full_size());
            println!(
                "{}",
                serde_json::to_string(&sample::take(peer, program, size, workers, check)?)?
            );
        }
        Command::Count { peer, size } => sample::run_fib_once(peer, size)?,
        Command::HandOver => println!("{:.0}", hand_over::median_ns()?),
        Command::Idle { peer, workers } => {
            println!("{}", sample::idle_cpu(peer, workers)?.as_micros())
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn priority(real_time: bool) -> Priority {
    if real_time {
        Priority::RealTime
    } else {
        Priority::Normal
    }
}

fn measure(rounds: usize, workers: usize, priority: Priority) -> anyhow::Result<Results> {
    let mut cells = Vec::new();
    for program in Program::ALL {
        for peer in Peer::ALL {
            if peer == Peer::Opaque && program != Program::Fib {
                continue;
            }
            let counts = if Peer::RUNTIMES.contains(&peer) && workers > 1 {
                vec![1, workers]
            } else {
                vec![1]
            };
            cells.extend(counts.into_iter().map(|workers| Cell {
                peer,
                program,
                workers,
                samples: Vec::new(),
            }));
        }
    }
    let mut extras = Vec::new();
    for peer in Peer::ALL {
        eprintln!("counting {}", peer.name());
        extras.push(Extras {
            peer,
            instructions_per_join: sample::instructions_per_join(peer)?,
            idle_cpu_us: Peer::RUNTIMES
                .contains(&peer)
                .then(|| idle_us(peer, workers))
                .transpose()?,
        });
    }
    for round in 0..rounds {
        eprintln!("round {} of {rounds}", round + 1);
        for cell in &mut cells {
            let sample = sample::spawn(
                cell.peer,
                cell.program,
                cell.program.full_size(),
                cell.workers,
                round == 0,
                priority,
            )?;
            cell.samples.push(sample);
        }
    }
    let joins = Program::ALL.map(|program| (program, counted::joins(program)));
    Ok(Results {
        workers,
        rounds,
        priority,
        cells,
        extras,
        joins: joins.to_vec(),
    })
}

/// In a process of its own, as the programs.
fn idle_us(peer: Peer, workers: usize) -> anyhow::Result<f64> {
    let output = std::process::Command::new(std::env::current_exe()?)
        .args([
            "idle",
            "--peer",
            peer.name(),
            "--workers",
            &workers.to_string(),
        ])
        .output()
        .context("starting the idle pool")?;
    let text = String::from_utf8(output.stdout)?;
    text.trim()
        .parse()
        .with_context(|| format!("the idle pool printed {text:?}"))
}
