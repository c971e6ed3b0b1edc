//! One run of one program on one runtime, in a process of its own.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use crate::peer::{Peer, Pool, Visitor};
use crate::program::{Program, Work};

/// What one run cost.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Sample {
    /// Wall clock of the program alone.
    pub(crate) wall_ns: u64,
    /// CPU time of the whole process meanwhile.
    pub(crate) cpu_ns: u64,
    /// CPU time that others took on this machine meanwhile, as a share of one core.
    pub(crate) foreign_cores: f64,
    /// The most memory that the process ever had, input and pool included.
    pub(crate) peak_rss_kib: u64,
    /// What the check said, if it was asked for.
    pub(crate) check: Option<String>,
}

/// Runs here and now.
pub(crate) fn take(
    peer: Peer,
    program: Program,
    size: usize,
    workers: usize,
    check: bool,
) -> anyhow::Result<Sample> {
    let work = program.input(size);
    peer.with_pool(workers, Timed { work, check })?
}

struct Timed {
    work: Work,
    check: bool,
}

impl Visitor for Timed {
    type Output = anyhow::Result<Sample>;

    fn visit<P: Pool>(mut self, pool: &P) -> Self::Output {
        // Threads are up and have run something; the input is warm as far as it fits.
        pool.enter(|token| Program::Fib.input(20).run::<P::Runtime>(token));
        let mut sample = timed(|| pool.enter(|token| self.work.run::<P::Runtime>(token)))?;
        sample.check = self.check.then(|| self.work.check()).transpose()?;
        Ok(sample)
    }
}

/// Runs `work` and says what it cost.
pub(crate) fn timed(work: impl FnOnce()) -> anyhow::Result<Sample> {
    let watch = Stopwatch::start();
    work();
    watch.stop()
}

/// The clocks as they stood when it was started.
pub(crate) struct Stopwatch {
    machine: Option<Duration>,
    cpu: Duration,
    start: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self {
            machine: machine_busy(),
            cpu: process_cpu(),
            start: Instant::now(),
        }
    }

    pub(crate) fn stop(self) -> anyhow::Result<Sample> {
        let wall = self.start.elapsed();
        let cpu = process_cpu().saturating_sub(self.cpu);
        let foreign = machine_busy()
            .zip(self.machine)
            .map_or(0.0, |(after, before)| {
                (after - before).saturating_sub(cpu).as_secs_f64() / wall.as_secs_f64()
            });
        Ok(Sample {
            wall_ns: u64::try_from(wall.as_nanos())?,
            cpu_ns: u64::try_from(cpu.as_nanos())?,
            foreign_cores: foreign,
            peak_rss_kib: peak_rss_kib()?,
            check: None,
        })
    }
}

/// Runs in a fresh process, so that no runtime inherits another's threads or memory.
pub(crate) fn spawn(
    peer: Peer,
    program: Program,
    size: usize,
    workers: usize,
    check: bool,
    priority: Priority,
) -> anyhow::Result<Sample> {
    let (size, workers) = (size.to_string(), workers.to_string());
    let mut arguments = vec!["run", "--peer", peer.name(), "--program", program.name()];
    arguments.extend(["--size", &size, "--workers", &workers]);
    if check {
        arguments.push("--check");
    }
    this_command(&arguments, priority)
}

/// Whether other programs may interrupt a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// As any program.
    Normal,
    /// The real-time class, by `chrt`: others wait while a run lasts. Needs the right to it.
    RealTime,
}

/// Starts this very program with `arguments` and reads the sample that it prints.
pub(crate) fn this_command(arguments: &[&str], priority: Priority) -> anyhow::Result<Sample> {
    let this = std::env::current_exe()?;
    let mut command = match priority {
        Priority::Normal => Command::new(this),
        Priority::RealTime => {
            let mut command = Command::new("chrt");
            command.args(["-f", "10"]).arg(this);
            command
        }
    };
    let output = command.args(arguments).output().with_context(|| {
        format!("starting {arguments:?} ({priority:?}); `chrt` is in util-linux")
    })?;
    if !output.status.success() {
        bail!(
            "{arguments:?} failed:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    serde_json::from_slice(&output.stdout)
        .with_context(|| format!("reading what {arguments:?} printed"))
}

/// The median of one figure over the half of the samples during which others disturbed least.
pub(crate) fn quiet_median(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    let mut samples: Vec<_> = samples.iter().collect();
    samples.sort_by(|a, b| a.foreign_cores.total_cmp(&b.foreign_cores));
    samples.truncate(samples.len().div_ceil(2));
    let mut values: Vec<f64> = samples.into_iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[expect(clippy::cast_precision_loss, reason = "nanoseconds of a few seconds")]
impl Sample {
    /// Wall clock in milliseconds.
    pub(crate) fn wall_ms(&self) -> f64 {
        self.wall_ns as f64 / 1e6
    }

    /// CPU time in milliseconds.
    pub(crate) fn cpu_ms(&self) -> f64 {
        self.cpu_ns as f64 / 1e6
    }

    /// Peak memory in MiB.
    pub(crate) fn peak_rss_mib(&self) -> f64 {
        self.peak_rss_kib as f64 / 1024.0
    }
}

/// CPU time that a pool of `workers` uses in one second after its work is done.
pub(crate) fn idle_cpu(peer: Peer, workers: usize) -> anyhow::Result<Duration> {
    struct Idle;
    impl Visitor for Idle {
        type Output = Duration;
        fn visit<P: Pool>(self, pool: &P) -> Duration {
            pool.enter(|token| Program::Fib.input(24).run::<P::Runtime>(token));
            // Whatever still spins may do so for a tenth of a second.
            std::thread::sleep(Duration::from_millis(100));
            let before = process_cpu();
            std::thread::sleep(Duration::from_secs(1));
            process_cpu() - before
        }
    }
    peer.with_pool(workers, Idle)
}

/// CPU time of this process, to the nanosecond, all threads together.
fn process_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// CPU time that all processes of the machine have used since it started; ticks of 10 ms.
fn machine_busy() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/stat").ok()?;
    let ticks: Vec<u64> = stat
        .lines()
        .next()?
        .split_whitespace()
        .skip(1)
        .filter_map(|n| n.parse().ok())
        .collect();
    // user, nice, system; then idle and waiting; then interrupts, and what a hypervisor gave others.
    let busy = ticks.get(..3)?.iter().sum::<u64>() + ticks.get(5..8)?.iter().sum::<u64>();
    Some(Duration::from_millis(busy * 10))
}

fn peak_rss_kib() -> anyhow::Result<u64> {
    let status =
        std::fs::read_to_string("/proc/self/status").context("reading /proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line
        .and_then(|line| line.split_whitespace().next())
        .context("no VmHWM in /proc/self/status")?;
    number.parse().context("VmHWM is no number")
}

/// Instructions per join at one worker: the difference of two runs under Callgrind, so that what
/// starting costs cancels. `None` where Valgrind is missing.
pub(crate) fn instructions_per_join(peer: Peer) -> anyhow::Result<Option<f64>> {
    const SIZES: [usize; 2] = [16, 26];
    let mut counts = [0.0, 0.0];
    for (count, size) in counts.iter_mut().zip(SIZES) {
        let log =
            std::env::temp_dir().join(format!("bench-runtimes-{}.callgrind", std::process::id()));
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--quiet"])
            .arg(format!("--callgrind-out-file={}", log.display()))
            .arg(std::env::current_exe()?)
            .args(["count", "--peer", peer.name(), "--size", &size.to_string()])
            .output();
        let Ok(output) = output else { return Ok(None) };
        if !output.status.success() {
            bail!(
                "counting {}: {}",
                peer.name(),
                String::from_utf8_lossy(&output.stderr)
            );
        }
        let text =
            std::fs::read_to_string(&log).with_context(|| format!("reading {}", log.display()))?;
        std::fs::remove_file(&log).with_context(|| format!("removing {}", log.display()))?;
        let total = text.lines().find_map(|line| {
            line.strip_prefix("totals: ")
                .or(line.strip_prefix("summary: "))
        });
        *count = total
            .and_then(|n| n.trim().parse().ok())
            .context("no total in Callgrind's output")?;
    }
    Ok(Some(
        (counts[1] - counts[0]) / (joins(SIZES[1]) - joins(SIZES[0])),
    ))
}

/// Runs fib once with one worker and looks at no clock: what runs under Callgrind.
pub(crate) fn run_fib_once(peer: Peer, size: usize) -> anyhow::Result<()> {
    struct Once(usize);
    impl Visitor for Once {
        type Output = ();
        fn visit<P: Pool>(self, pool: &P) {
            pool.enter(|token| Program::Fib.input(self.0).run::<P::Runtime>(token));
        }
    }
    peer.with_pool(1, Once(size))
}

/// How often `fib(n)` joins: once for each call with n ≥ 2, which is fib(n + 1) − 1.
pub(crate) fn joins(n: usize) -> f64 {
    let (mut a, mut b) = (0.0, 1.0);
    for _ in 0..=n {
        (a, b) = (b, a + b);
    }
    a - 1.0
}
