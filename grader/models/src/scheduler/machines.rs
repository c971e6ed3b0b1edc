//! The named machines.

use alloc::string::{String, ToString};
use alloc::vec;

use super::cache::Replacement;
use super::error::MachineError;
use super::machine::{Level, Machine};
use super::streamer::Streamer;

/// A named machine and how to build it.
pub type NamedMachine = (&'static str, fn() -> Machine);

/// All machines that have a name.
pub const MACHINES: &[NamedMachine] = &[
    ("xeon-7560", xeon_7560),
    ("desktop-8", desktop_8),
    ("two-chiplets", two_chiplets),
    ("tiny", tiny),
];

/// The machine with this name.
///
/// # Errors
/// If there is none; the message lists those that are.
pub fn machine_named(name: &str) -> Result<Machine, MachineError> {
    match MACHINES.iter().find(|(known, _)| *known == name) {
        Some((_, build)) => Ok(build()),
        None => {
            let known: alloc::vec::Vec<&str> = MACHINES.iter().map(|(known, _)| *known).collect();
            Err(MachineError::Unknown {
                what: alloc::format!(
                    "no machine is called `{name}`; there are {}",
                    known.join(", ")
                ),
            })
        }
    }
}

/// The paper's machine: 4 sockets of 8 cores, two hyperthreads each.
///
/// Source of the tree: Simhadri et al., TOPC 2016, section 5 (24 MB L3 per socket, 256 KB L2,
/// 64-byte lines), as their harness hands it to the schedulers: three levels with 16 hardware
/// threads under an L3, and no L1. 24 ways: Intel's Xeon 7500 datasheet.
///
/// The L2 is not simulated: strands stream, so it holds nothing that the L3 does not serve as well.
///
/// `service_cycles` is derived from the paper: RRM under work stealing, which waits for memory all
/// the time, takes 166 + 12 ms for 55.28 M lines through four controllers: 12.9 ns or 29 cycles a
/// line and controller. `queue_cycles` too: 12 ms of overhead for the 1650 strands of each of 64
/// workers, at three queue operations a strand. `miss_cycles` and the hit cost are set so that RRM
/// under SB, which does not always wait for the controllers, is about as active as published.
///
/// The streamer: Intel's 64 and IA-32 Architectures Optimization Reference Manual says that the L2
/// streamer runs up to 20 lines ahead and stays within a page of 4 KB. It says so of Sandy Bridge,
/// the next core after this one, and gives no distance for this one. The published misses were
/// counted at the L3 itself, so they include what prefetchers fetched.
pub fn xeon_7560() -> Machine {
    Machine {
        name: "xeon-7560".to_string(),
        levels: vec![
            Level {
                name: "L3".to_string(),
                fan_out: 4,
                size_bytes: 24 << 20,
                ways: 24,
                hit_cycles: 20,
                simulated: true,
            },
            Level {
                name: "L2".to_string(),
                fan_out: 16,
                size_bytes: 256 << 10,
                ways: 8,
                hit_cycles: 10,
                simulated: false,
            },
        ],
        workers_per_leaf: 1,
        line_bytes: 64,
        controllers: 4,
        service_cycles: 29,
        miss_cycles: 250,
        queue_cycles: 5000,
        coherent: true,
        hashed_sets: false,
        replacement: Replacement::Lru,
        streamer: Streamer {
            lines_ahead: 20,
            page_lines: 64,
        },
        megahertz: 2270,
    }
}

/// A desktop of today: 8 cores under one 32 MB L3, 1 MB of L2 each.
///
/// Source: the cache sizes AMD publishes for the Ryzen 7 7700 (32 MB L3, 8 × 1 MB L2); bandwidth
/// of two DDR5-5200 channels, 83 GB/s, is 64 bytes in 4 cycles at 5 GHz for both together.
pub fn desktop_8() -> Machine {
    Machine {
        name: "desktop-8".to_string(),
        levels: vec![
            Level {
                name: "L3".to_string(),
                fan_out: 1,
                size_bytes: 32 << 20,
                ways: 16,
                hit_cycles: 12,
                simulated: true,
            },
            Level {
                name: "L2".to_string(),
                fan_out: 8,
                size_bytes: 1 << 20,
                ways: 8,
                hit_cycles: 6,
                simulated: false,
            },
        ],
        workers_per_leaf: 1,
        line_bytes: 64,
        controllers: 2,
        service_cycles: 8,
        miss_cycles: 60,
        queue_cycles: 300,
        coherent: true,
        hashed_sets: true,
        replacement: Replacement::Lru,
        streamer: Streamer::NONE,
        megahertz: 5000,
    }
}

/// Sixteen cores on two chiplets with an L3 each.
///
/// Source: the cache sizes AMD publishes for the Ryzen 9 7950X (2 × 32 MB L3, 16 × 1 MB L2);
/// memory as for the desktop.
pub fn two_chiplets() -> Machine {
    let mut machine = desktop_8();
    machine.name = String::from("two-chiplets");
    machine.levels[0].fan_out = 2;
    machine
}

/// Four workers, two to an L2 of 4 KB, each with an L1 of 1 KB: small enough to draw.
///
/// Not a real machine; all levels are simulated.
pub fn tiny() -> Machine {
    Machine {
        name: "tiny".to_string(),
        levels: vec![
            Level {
                name: "L2".to_string(),
                fan_out: 2,
                size_bytes: 4 << 10,
                ways: 4,
                hit_cycles: 10,
                simulated: true,
            },
            Level {
                name: "L1".to_string(),
                fan_out: 2,
                size_bytes: 1 << 10,
                ways: 2,
                hit_cycles: 2,
                simulated: true,
            },
        ],
        workers_per_leaf: 1,
        line_bytes: 64,
        controllers: 1,
        service_cycles: 10,
        miss_cycles: 50,
        queue_cycles: 20,
        coherent: true,
        hashed_sets: false,
        replacement: Replacement::Lru,
        streamer: Streamer::NONE,
        megahertz: 1000,
    }
}
