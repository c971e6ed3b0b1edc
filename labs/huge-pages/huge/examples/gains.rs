//! What huge pages gain and cost on this machine: `cargo run --release -p huge --example gains`
//!
//! Pages are touched before the clock runs, but for the table of first touches. The ways take turns;
//! what is printed is the median of processor time. Numbers are for this machine and this moment:
//! the ratio in a row is what to read.

#![expect(clippy::print_stdout, reason = "an example that prints tables")]

#[path = "gains/chain.rs"]
mod chain;
#[path = "gains/code.rs"]
mod code;
#[path = "gains/first_touch.rs"]
mod first_touch;

use std::time::Duration;

use huge::{Backing, Error};

/// Measurements of each way, of which the median counts.
const ROUNDS: usize = 5;

fn main() -> Result<(), Error> {
    println!("dependent reads, pages touched beforehand");
    println!(
        "{:>10} {:>12} {:>12} {:>7}",
        "size", "4 KiB pages", "2 MiB pages", "gain"
    );
    for mib in [8, 64, 256, 1024] {
        row(mib, &mut |backing| chain::read(mib << 20, backing))?;
    }
    println!("\ncalls of one function a page, pages touched beforehand");
    println!(
        "{:>10} {:>12} {:>12} {:>7}",
        "size", "4 KiB pages", "2 MiB pages", "gain"
    );
    for mib in [2, 16, 64, 128] {
        row(mib, &mut |backing| code::call(mib << 20, backing))?;
    }
    println!("\nfirst touch of everything: below 1 is a loss");
    println!(
        "{:>10} {:>12} {:>12} {:>7}",
        "", "4 KiB pages", "2 MiB pages", "gain"
    );
    row(512, &mut |backing| first_touch::touch(512 << 20, backing))?;
    println!("\nfirst touch of one byte in every 2 MiB");
    println!(
        "{:>10} {:>12} {:>12} {:>7}",
        "", "4 KiB pages", "2 MiB pages", "gain"
    );
    row(512, &mut |backing| {
        first_touch::touch_little(512 << 20, backing)
    })
}

/// Measures small and huge pages in turn and prints a row.
fn row(
    mib: usize,
    measure: &mut dyn FnMut(Backing) -> Result<Duration, Error>,
) -> Result<(), Error> {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (times, backing) in times.iter_mut().zip([Backing::Small, Backing::Advised]) {
            times.push(measure(backing)?);
        }
    }
    let [small, huge] = times.map(|mut times| {
        times.sort();
        times[ROUNDS / 2]
    });
    let gain = small.as_secs_f64() / huge.as_secs_f64();
    println!(
        "{:>10} {small:>12.1?} {huge:>12.1?} {gain:>6.2}×",
        format!("{mib} MiB")
    );
    Ok(())
}

/// Processor time of this thread so far.
fn processor_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    #[expect(unsafe_code, reason = "std has no clock of processor time")]
    // SAFETY: the kernel fills the structure that it is given.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(result, 0, "every Linux has this clock");
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or(0))
}
