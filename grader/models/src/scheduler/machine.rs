//! The machine: a tree of caches over workers, with one memory behind it.
//!
//! Modelled: the shape of the tree, the capacity, line and ways of each cache, what a hit in each
//! level and a miss costs, how many lines per cycle the memory controllers deliver, and what a
//! prefetcher fetches past the end of a row. Left out: TLBs, remote against local memory, what a
//! prefetcher does before that (its effect is in the cost of a streamed miss), and the traffic of
//! locks: a policy that has them brings them (`Locks`).

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::cache::Replacement;
use super::error::MachineError;
use super::streamer::Streamer;

/// One level of caches. All caches of a level are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// What the level is called in tables: `L3`.
    pub name: String,
    /// Caches of this level under each node of the level above (under the memory, for the first).
    pub fan_out: usize,
    /// Capacity of one cache.
    pub size_bytes: u64,
    /// Ways of one set.
    pub ways: usize,
    /// Cycles to take one line from this level, as a stream pays it.
    pub hit_cycles: u64,
    /// Whether hits and misses of this level are simulated. A level that is not still has a size,
    /// and schedulers that reserve space reserve it there too.
    pub simulated: bool,
}

/// A machine. Every number of a named machine has its source where it is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The name on the command line.
    pub name: String,
    /// From the memory towards the workers. Empty for a machine without caches.
    pub levels: Vec<Level>,
    /// Workers under each cache of the last level (under the memory, if there is no level).
    pub workers_per_leaf: usize,
    /// Bytes of a cache line, the same in all levels.
    pub line_bytes: u64,
    /// Memory controllers; lines are dealt out to them page by page.
    pub controllers: usize,
    /// Cycles that a controller is busy with one line, writing back included.
    pub service_cycles: u64,
    /// Cycles a worker waits for one streamed line when no controller is busy.
    pub miss_cycles: u64,
    /// Cycles of one operation on a queue of jobs; what schedulers cost is a multiple of it.
    pub queue_cycles: u64,
    /// Whether writing a line takes it away from the other caches of the same level.
    pub coherent: bool,
    /// Whether the set of a line is taken from a hash of its number and not from its low bits.
    pub hashed_sets: bool,
    /// Which line of a full set has to go.
    pub replacement: Replacement,
    /// How far a prefetcher runs past the end of a row.
    pub streamer: Streamer,
    /// Cycles per microsecond, to turn virtual cycles into the paper's milliseconds.
    pub megahertz: u64,
}

impl Machine {
    /// Workers and no caches: time is what strands compute plus what scheduling costs.
    ///
    /// ```
    /// use models::scheduler::Machine;
    /// assert_eq!(Machine::flat(16).workers(), 16);
    /// ```
    pub fn flat(workers: usize) -> Self {
        Self {
            name: String::from("flat"),
            levels: Vec::new(),
            workers_per_leaf: workers,
            line_bytes: 64,
            controllers: 1,
            service_cycles: 0,
            miss_cycles: 0,
            queue_cycles: 100,
            coherent: false,
            hashed_sets: false,
            replacement: Replacement::Lru,
            streamer: Streamer::NONE,
            megahertz: 1000,
        }
    }

    /// The same machine with queue operations that cost this much.
    #[must_use]
    pub fn with_queue_cycles(mut self, queue_cycles: u64) -> Self {
        self.queue_cycles = queue_cycles;
        self
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.caches_at(self.levels.len()) * self.workers_per_leaf
    }

    /// Caches of the level with this index; 1 for index 0 stands for the memory when it is asked
    /// as `caches_at(0)`, and `caches_at(i)` counts the caches of `levels[i - 1]`.
    pub fn caches_at(&self, depth: usize) -> usize {
        self.levels[..depth].iter().map(|l| l.fan_out).product()
    }

    /// Workers that share one cache of `levels[index]`.
    pub fn workers_under(&self, index: usize) -> usize {
        self.workers() / self.caches_at(index + 1)
    }

    /// The same machine with capacities divided by `divisor`, to run a program scaled alike.
    ///
    /// Ways and latencies stay; the number of sets shrinks, and queue operations get cheaper, since
    /// strands get shorter.
    ///
    /// # Errors
    /// If a cache would have less than one set.
    pub fn scaled(&self, divisor: u64) -> Result<Self, MachineError> {
        let mut small = self.clone();
        small.queue_cycles = self.queue_cycles.div_ceil(divisor.max(1));
        small.streamer = self.streamer.scaled(divisor.max(1));
        for level in &mut small.levels {
            level.size_bytes /= divisor.max(1);
            let set_bytes = level.ways as u64 * self.line_bytes;
            if level.size_bytes < set_bytes {
                if level.simulated {
                    return Err(MachineError::ScaledAway {
                        level: level.name.clone(),
                        divisor,
                    });
                }
                level.ways = usize::try_from((level.size_bytes / self.line_bytes).max(1))
                    .expect("fewer ways than before");
                level.size_bytes = level.size_bytes.max(self.line_bytes);
            }
        }
        Ok(small)
    }

    /// Scales the bandwidth of the memory to `percent` of what it is.
    ///
    /// # Errors
    /// If `percent` is 0: nothing would ever arrive.
    pub fn with_bandwidth_percent(mut self, percent: u64) -> Result<Self, MachineError> {
        if percent == 0 {
            return Err(MachineError::NoBandwidth);
        }
        self.service_cycles = (self.service_cycles * 100).div_ceil(percent);
        Ok(self)
    }

    /// Checks that the description is a tree that can exist.
    ///
    /// # Errors
    /// Names the first level that cannot be, and why.
    pub fn check(&self) -> Result<(), MachineError> {
        if self.workers_per_leaf == 0 {
            return Err(MachineError::NoFanOut {
                level: "workers".to_string(),
            });
        }
        if self.line_bytes == 0 || !self.line_bytes.is_power_of_two() {
            return Err(MachineError::Line {
                bytes: self.line_bytes,
            });
        }
        if self.controllers == 0 {
            return Err(MachineError::NoBandwidth);
        }
        let mut parent: Option<&Level> = None;
        for (index, level) in self.levels.iter().enumerate() {
            if level.fan_out == 0 {
                return Err(MachineError::NoFanOut {
                    level: level.name.clone(),
                });
            }
            if self.levels[..index]
                .iter()
                .any(|other| other.name == level.name)
            {
                return Err(MachineError::Cycle {
                    level: level.name.clone(),
                });
            }
            if let Some(parent) = parent
                && level.size_bytes > parent.size_bytes
            {
                return Err(MachineError::ChildLarger {
                    level: level.name.clone(),
                    parent: parent.name.clone(),
                });
            }
            let set_bytes = level.ways as u64 * self.line_bytes;
            let whole_sets = set_bytes > 0
                && level.size_bytes % set_bytes == 0
                && (level.size_bytes / set_bytes).is_power_of_two();
            if level.simulated && !whole_sets {
                return Err(MachineError::Sets {
                    level: level.name.clone(),
                    set_bytes,
                });
            }
            parent = Some(level);
        }
        if self.workers() > super::MAX_WORKERS {
            return Err(MachineError::TooManyWorkers {
                workers: self.workers(),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Machine;
    use crate::scheduler::error::MachineError;
    use crate::scheduler::machines::{MACHINES, tiny, xeon_7560};

    fn broken(breaking: impl Fn(&mut Machine)) -> MachineError {
        let mut machine = tiny();
        breaking(&mut machine);
        machine.check().unwrap_err()
    }

    #[test]
    fn every_named_machine_can_exist_and_is_named_once() {
        for (index, (name, build)) in MACHINES.iter().enumerate() {
            let machine = build();
            assert_eq!(machine.check(), Ok(()), "{name}");
            assert_eq!(machine.name, *name);
            assert!(
                MACHINES[..index].iter().all(|(other, _)| other != name),
                "{name} twice"
            );
        }
    }

    #[test]
    fn the_paper_machine_has_64_workers_16_to_a_socket() {
        let machine = xeon_7560();
        assert_eq!(
            (
                machine.workers(),
                machine.workers_under(0),
                machine.caches_at(1)
            ),
            (64, 16, 4)
        );
    }

    #[test]
    fn a_machine_that_cannot_exist_is_refused_by_name_of_the_level() {
        let level = || alloc::string::String::from("L1");
        assert_eq!(
            broken(|m| m.levels[1].fan_out = 0),
            MachineError::NoFanOut { level: level() }
        );
        assert!(matches!(
            broken(|m| m.levels[1].size_bytes = 1 << 20),
            MachineError::ChildLarger { .. }
        ));
        assert!(matches!(
            broken(|m| m.levels[1].ways = 3),
            MachineError::Sets { .. }
        ));
        assert!(matches!(
            broken(|m| m.line_bytes = 48),
            MachineError::Line { bytes: 48 }
        ));
        assert!(matches!(
            broken(|m| m.levels[1].name = m.levels[0].name.clone()),
            MachineError::Cycle { .. }
        ));
        assert!(matches!(
            broken(|m| m.controllers = 0),
            MachineError::NoBandwidth
        ));
        assert!(matches!(
            broken(|m| m.workers_per_leaf = 1000),
            MachineError::TooManyWorkers { workers: 4000 }
        ));
    }

    #[test]
    fn scaling_away_a_cache_is_refused() {
        assert!(xeon_7560().scaled(64).is_ok());
        assert!(matches!(
            tiny().scaled(64),
            Err(MachineError::ScaledAway { .. })
        ));
    }
}
