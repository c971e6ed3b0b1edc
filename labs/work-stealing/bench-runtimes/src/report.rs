//! From samples to the table and the plot.

use std::fmt::Write as _;

use crate::peer::Peer;
use crate::program::Program;
use crate::sample::{Priority, Sample, joins, quiet_median};

/// All samples of one program on one runtime with one number of workers.
pub(crate) struct Cell {
    pub(crate) peer: Peer,
    pub(crate) program: Program,
    pub(crate) workers: usize,
    pub(crate) samples: Vec<Sample>,
}

/// What was measured beside the programs.
pub(crate) struct Extras {
    pub(crate) peer: Peer,
    pub(crate) instructions_per_join: Option<f64>,
    pub(crate) idle_cpu_us: Option<f64>,
}

/// Everything that a measurement gave.
pub(crate) struct Results {
    pub(crate) workers: usize,
    pub(crate) rounds: usize,
    pub(crate) priority: Priority,
    pub(crate) cells: Vec<Cell>,
    pub(crate) extras: Vec<Extras>,
    /// Joins of one run of each program.
    pub(crate) joins: Vec<(Program, u64)>,
}

impl Cell {
    fn median(&self, of: impl Fn(&Sample) -> f64) -> f64 {
        quiet_median(&self.samples, of)
    }
}

impl Results {
    fn cell(&self, peer: Peer, program: Program, workers: usize) -> Option<&Cell> {
        self.cells
            .iter()
            .find(|c| (c.peer, c.program, c.workers) == (peer, program, workers))
    }

    pub(crate) fn ms(&self, peer: Peer, program: Program, workers: usize) -> Option<f64> {
        self.cell(peer, program, workers)
            .map(|cell| match self.priority {
                // Undisturbed by others: what the reader waits for.
                Priority::RealTime => cell.median(Sample::wall_ms),
                // One worker's CPU time is its wall clock on a quiet machine, and stays so on a busy one.
                Priority::Normal if workers == 1 => cell.median(Sample::cpu_ms),
                Priority::Normal => cell.median(Sample::wall_ms),
            })
    }

    /// The tables, as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut out = String::new();
        let (p, n) = (self.workers, Program::Fib.full_size());
        let _ = writeln!(
            out,
            "<!-- Written by `cargo make bench-runtimes`; edits will be lost. -->\n"
        );
        let _ = writeln!(
            out,
            "| fib({n}) | ns per join, 1 worker | instructions per join | speed-up on {p} | peak RSS, MiB | CPU of an idle second, µs |"
        );
        let _ = writeln!(out, "| --- | ---: | ---: | ---: | ---: | ---: |");
        for extras in &self.extras {
            let peer = extras.peer;
            let one = self.ms(peer, Program::Fib, 1);
            let speed_up = one
                .zip(self.ms(peer, Program::Fib, p))
                .map(|(one, all)| one / all);
            let rss = self
                .cell(peer, Program::Fib, p)
                .or(self.cell(peer, Program::Fib, 1))
                .map(|c| c.median(Sample::peak_rss_mib));
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} |",
                peer.name(),
                number(one.map(|ms| ms * 1e6 / joins(n)), 2),
                number(extras.instructions_per_join, 1),
                number(speed_up.filter(|_| Peer::RUNTIMES.contains(&peer)), 2),
                number(rss, 1),
                number(extras.idle_cpu_us, 0),
            );
        }
        for workers in [1, p] {
            let plural = if workers == 1 { "worker" } else { "workers" };
            let _ = write!(out, "\n| ms, {workers} {plural} |");
            for peer in Peer::ALL.iter().filter(|&&peer| peer != Peer::Opaque) {
                let _ = write!(out, " {} |", peer.name());
            }
            let _ = write!(
                out,
                " magpie ÷ rayon |\n| --- |{}\n",
                " ---: |".repeat(Peer::ALL.len())
            );
            for program in Program::ALL {
                let _ = write!(out, "| {} {} |", program.name(), program.full_size());
                for peer in Peer::ALL.iter().filter(|&&peer| peer != Peer::Opaque) {
                    let at = if *peer == Peer::Serial { 1 } else { workers };
                    let _ = write!(out, " {} |", number(self.ms(*peer, program, at), 1));
                }
                let ratio = self
                    .ms(Peer::Magpie, program, workers)
                    .zip(self.ms(Peer::Rayon, program, workers))
                    .map(|(ours, theirs)| ours / theirs);
                let _ = writeln!(out, " {} |", number(ratio, 2));
            }
        }
        self.write_joins(&mut out);
        let foreign = self
            .cells
            .iter()
            .filter(|cell| cell.workers == p)
            .map(|cell| cell.median(|sample| sample.foreign_cores))
            .fold(0.0, f64::max);
        let clock = match self.priority {
            Priority::RealTime => {
                "Wall clock, in the real-time class, so that other programs wait."
            }
            Priority::Normal => "CPU time with one worker, wall clock with more.",
        };
        let _ = writeln!(
            out,
            "\nMedians over the quieter half of {} rounds, all runtimes in turn in each round, every \
             run in a process of its own. {clock} Other programs used at most {foreign:.2} of a core \
             during the median run of any cell with {p} workers. The serial column is the same in \
             both tables.",
            self.rounds
        );
        out
    }
}

impl Results {
    /// What the programs' own joins are worth: what a runtime could gain by making them free.
    #[expect(clippy::cast_precision_loss, reason = "counts of some millions")]
    fn write_joins(&self, out: &mut String) {
        let per_join = |peer| {
            self.ms(peer, Program::Fib, 1)
                .map(|ms| ms * 1e6 / joins(Program::Fib.full_size()))
        };
        let rayons_ns = per_join(Peer::Rayon)
            .zip(per_join(Peer::Serial))
            .map(|(rayon, serial)| rayon - serial);
        let _ = writeln!(
            out,
            "\n| | joins | serial work per join, ns | rayon's joins, % of its time, 1 worker | serial ÷ {0} ÷ rayon, {0} workers |\n\
             | --- | ---: | ---: | ---: | ---: |",
            self.workers
        );
        for &(program, joins) in &self.joins {
            let joins = joins as f64;
            let serial = self.ms(Peer::Serial, program, 1);
            let share = rayons_ns
                .zip(self.ms(Peer::Rayon, program, 1))
                .map(|(ns, ms)| 100.0 * ns * joins / (ms * 1e6));
            let best = serial
                .zip(self.ms(Peer::Rayon, program, self.workers))
                .map(|(serial, rayon)| serial / self.workers as f64 / rayon);
            let _ = writeln!(
                out,
                "| {} {} | {joins} | {} | {} | {} |",
                program.name(),
                program.full_size(),
                number(serial.map(|ms| ms * 1e6 / joins), 0),
                number(share, 1),
                number(best, 2),
            );
        }
    }
}

/// A number for a table, or a dash.
fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.decimals$}"))
}
