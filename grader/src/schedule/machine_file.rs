//! A machine described in a TOML file.
//!
//! ```toml
//! name = "two-by-two"
//! line_bytes = 64
//! megahertz = 3000
//! controllers = 1
//! service_cycles = 10      # a controller is busy with one line for so long
//! miss_cycles = 60         # a streamed line costs at least this
//! queue_cycles = 300       # one operation on a queue of jobs
//! workers_per_leaf = 1
//! prefetch_lines_ahead = 0 # past the end of a short row, within 4 KB
//!
//! [[level]]
//! name = "L3"
//! under = "memory"         # or the name of another level
//! fan_out = 2
//! size_bytes = 8388608
//! ways = 16
//! hit_cycles = 12
//! ```

use models::scheduler::{Level, Machine, MachineError, Replacement, Streamer};
use serde::Deserialize;

use super::RequestError;

/// What stands above the first level.
const MEMORY: &str = "memory";

/// The page that a prefetcher does not leave.
const PAGE_BYTES: u64 = 4096;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MachineText {
    name: String,
    line_bytes: u64,
    megahertz: u64,
    controllers: usize,
    service_cycles: u64,
    miss_cycles: u64,
    queue_cycles: u64,
    #[serde(default = "one")]
    workers_per_leaf: usize,
    #[serde(default = "yes")]
    coherent: bool,
    #[serde(default)]
    hashed_sets: bool,
    #[serde(default)]
    prefetch_lines_ahead: u64,
    #[serde(default)]
    level: Vec<LevelText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelText {
    name: String,
    under: String,
    fan_out: usize,
    size_bytes: u64,
    ways: usize,
    hit_cycles: u64,
    #[serde(default = "yes")]
    simulated: bool,
}

fn one() -> usize {
    1
}

fn yes() -> bool {
    true
}

/// Reads a machine from the text of a file.
///
/// # Errors
/// If the text is no description, or describes no tree; says where.
pub fn parse(path: &str, text: &str) -> Result<Machine, RequestError> {
    let wrong = |why: String| RequestError::MachineFile {
        path: path.to_string(),
        why,
    };
    let read: MachineText = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let machine = Machine {
        name: read.name,
        levels: in_order(read.level).map_err(|error| wrong(error.to_string()))?,
        workers_per_leaf: read.workers_per_leaf,
        line_bytes: read.line_bytes,
        controllers: read.controllers,
        service_cycles: read.service_cycles,
        miss_cycles: read.miss_cycles,
        queue_cycles: read.queue_cycles,
        coherent: read.coherent,
        hashed_sets: read.hashed_sets,
        replacement: Replacement::Lru,
        streamer: Streamer {
            lines_ahead: read.prefetch_lines_ahead,
            page_lines: (PAGE_BYTES / read.line_bytes.max(1)).max(1),
        },
        megahertz: read.megahertz.max(1),
    };
    machine.check().map_err(|error| wrong(error.to_string()))?;
    Ok(machine)
}

/// Follows `under` from the memory down. A level that is not reached is on a cycle or on nothing.
fn in_order(mut left: Vec<LevelText>) -> Result<Vec<Level>, MachineError> {
    let mut levels: Vec<Level> = Vec::new();
    let mut above = MEMORY.to_string();
    while let Some(index) = left.iter().position(|level| level.under == above) {
        let level = left.remove(index);
        above.clone_from(&level.name);
        levels.push(Level {
            name: level.name,
            fan_out: level.fan_out,
            size_bytes: level.size_bytes,
            ways: level.ways,
            hit_cycles: level.hit_cycles,
            simulated: level.simulated,
        });
    }
    match left.first() {
        None => Ok(levels),
        Some(level) => {
            let known = left.iter().any(|other| other.name == level.under);
            if known {
                Err(MachineError::Cycle {
                    level: level.name.clone(),
                })
            } else {
                Err(MachineError::Unknown {
                    what: format!(
                        "{} is under `{}`, which no other level leads to; put it under `{MEMORY}` \
                         or under the level above it, one level under each",
                        level.name, level.under
                    ),
                })
            }
        }
    }
}
