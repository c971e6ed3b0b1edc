//! The simulated caches of a machine and the memory behind them.
//!
//! Caches are inclusive: what leaves a cache leaves those below it. If the machine is coherent, a
//! write takes the line from the other caches of each level. Every worker has one path of caches
//! from its own to the memory.

use alloc::vec;
use alloc::vec::Vec;

use super::cache::Cache;
use super::machine::Machine;
use super::presence::Presence;
use super::program::{Access, Range};
use super::streamer::Streamer;

/// A simulated level.
#[derive(Clone, Debug)]
struct Tier {
    caches: Vec<Cache>,
    presence: Presence,
    workers_per_cache: usize,
    hit_cycles: u64,
    misses: u64,
    hits: u64,
}

/// Counts of one level at the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelCount {
    /// Lines found.
    pub hits: u64,
    /// Lines not found.
    pub misses: u64,
}

/// All simulated caches.
#[derive(Clone, Debug)]
pub(crate) struct Hierarchy {
    /// Memory side first.
    tiers: Vec<Tier>,
    coherent: bool,
    line_shift: u32,
    /// Lines of the address space.
    lines: u64,
    controllers: Vec<u64>,
    service_cycles: u64,
    miss_cycles: u64,
    /// Lines that came from memory in the current burst, per controller.
    burst: Vec<u64>,
    streamer: Streamer,
    /// As `burst`, for lines that were prefetched and that nobody waits for.
    prefetched_in_burst: Vec<u64>,
    prefetched: u64,
    touches: u64,
    invalidations: u64,
}

/// Lines of one page go to one controller, as interleaved memory does.
const LINES_PER_INTERLEAVE: u32 = 64;

impl Hierarchy {
    pub(crate) fn new(machine: &Machine, address_space_bytes: u64) -> Self {
        let lines = usize::try_from(address_space_bytes.div_ceil(machine.line_bytes) + 1)
            .expect("an address space that fits the host");
        let tiers = machine
            .levels
            .iter()
            .enumerate()
            .filter(|(_, level)| level.simulated)
            .map(|(index, level)| {
                let count = machine.caches_at(index + 1);
                let sets = level.size_bytes / (level.ways as u64 * machine.line_bytes);
                Tier {
                    caches: vec![
                        Cache::new(
                            sets,
                            level.ways,
                            machine.hashed_sets,
                            machine.replacement
                        );
                        count
                    ],
                    presence: Presence::new(lines, count),
                    workers_per_cache: machine.workers_under(index),
                    hit_cycles: level.hit_cycles,
                    misses: 0,
                    hits: 0,
                }
            })
            .collect();
        Self {
            tiers,
            coherent: machine.coherent,
            line_shift: machine.line_bytes.trailing_zeros(),
            lines: lines as u64,
            controllers: vec![0; machine.controllers],
            service_cycles: machine.service_cycles,
            miss_cycles: machine.miss_cycles,
            burst: vec![0; machine.controllers],
            streamer: machine.streamer,
            prefetched_in_burst: vec![0; machine.controllers],
            prefetched: 0,
            touches: 0,
            invalidations: 0,
        }
    }

    /// Hits and misses of the simulated levels, memory side first.
    pub(crate) fn counts(&self) -> Vec<LevelCount> {
        self.tiers
            .iter()
            .map(|t| LevelCount {
                hits: t.hits,
                misses: t.misses,
            })
            .collect()
    }

    pub(crate) fn invalidations(&self) -> u64 {
        self.invalidations
    }

    /// Lines that a prefetcher brought from memory past the end of a row; misses count them.
    pub(crate) fn prefetched(&self) -> u64 {
        self.prefetched
    }

    /// Lines that strands touched so far, as often as they did.
    pub(crate) fn touches(&self) -> u64 {
        self.touches
    }

    /// Misses so far of the level nearest to the memory.
    pub(crate) fn outer_misses(&self) -> u64 {
        self.tiers.first().map_or(0, |tier| tier.misses)
    }

    pub(crate) fn is_simulated(&self) -> bool {
        !self.tiers.is_empty()
    }

    /// How many lines a range spans.
    pub(crate) fn lines_of(&self, range: &Range) -> u64 {
        if range.bytes == 0 {
            return 0;
        }
        let first = range.start >> self.line_shift;
        let last = (range.start + range.bytes - 1) >> self.line_shift;
        (last - first + 1) * range.rows
    }

    /// Touches the part `from..to` of the range, in lines for a single row and in rows for several,
    /// and returns the cycles that the hits cost. Misses collect in the burst.
    pub(crate) fn touch(&mut self, worker: usize, range: &Range, from: u64, to: u64) -> u64 {
        if range.rows == 1 {
            let first = (range.start >> self.line_shift) + from;
            return self.touch_lines(worker, first, to - from, range.access);
        }
        let mut cycles = 0;
        for row in from..to {
            let start = range.start + row * range.stride_bytes;
            let first = start >> self.line_shift;
            let last = (start + range.bytes - 1) >> self.line_shift;
            cycles += self.touch_lines(worker, first, last - first + 1, range.access);
            let end = (last + 1 + self.streamer.beyond(last)).min(self.lines);
            for line in last + 1..end {
                let line = u32::try_from(line).expect("lines are numbered in 32 bits");
                self.prefetch_line(worker, line);
            }
        }
        cycles
    }

    /// Brings a line into the cache nearest to the memory, unless it is there already. Caches below
    /// get it when they ask.
    fn prefetch_line(&mut self, worker: usize, line: u32) {
        let Some(tier) = self.tiers.first_mut() else {
            return;
        };
        let own = worker / tier.workers_per_cache;
        if tier.presence.mask(line) >> own & 1 == 1 {
            tier.caches[own].hit(line);
            return;
        }
        tier.misses += 1;
        self.prefetched += 1;
        let evicted = tier.caches[own].fill(line);
        tier.presence.insert(line, own);
        if let Some(evicted) = evicted {
            self.gone(evicted, 0, own);
        }
        let controller = (line / LINES_PER_INTERLEAVE) as usize % self.burst.len();
        self.prefetched_in_burst[controller] += 1;
    }

    fn touch_lines(&mut self, worker: usize, first: u64, count: u64, access: Access) -> u64 {
        self.touches += count;
        let mut cycles = 0;
        for line in first..first + count {
            let line = u32::try_from(line).expect("lines are numbered in 32 bits");
            cycles += self.touch_line(worker, line, access);
        }
        cycles
    }

    fn touch_line(&mut self, worker: usize, line: u32, access: Access) -> u64 {
        // From the worker towards the memory, until a cache has the line.
        let mut found = self.tiers.len();
        for (depth, tier) in self.tiers.iter_mut().enumerate().rev() {
            let own = worker / tier.workers_per_cache;
            if tier.presence.mask(line) >> own & 1 == 1 {
                tier.caches[own].hit(line);
                tier.hits += 1;
                found = depth;
                break;
            }
            tier.misses += 1;
        }
        let cycles = if found < self.tiers.len() {
            let cycles = self.tiers[found].hit_cycles;
            self.fill_below(worker, line, found + 1);
            cycles
        } else {
            let controller = (line / LINES_PER_INTERLEAVE) as usize % self.burst.len();
            self.burst[controller] += 1;
            self.fill_below(worker, line, 0);
            self.tiers.first().map_or(0, |tier| tier.hit_cycles)
        };
        if access == Access::Write && self.coherent {
            self.take_from_others(worker, line);
        }
        cycles
    }

    fn fill_below(&mut self, worker: usize, line: u32, from_depth: usize) {
        for depth in from_depth..self.tiers.len() {
            let tier = &mut self.tiers[depth];
            let own = worker / tier.workers_per_cache;
            let evicted = tier.caches[own].fill(line);
            tier.presence.insert(line, own);
            if let Some(evicted) = evicted {
                self.gone(evicted, depth, own);
            }
        }
    }

    /// Inclusion: what a cache lost, those below it lose.
    fn gone(&mut self, line: u32, depth: usize, cache: usize) {
        let tier = &mut self.tiers[depth];
        tier.presence.remove(line, cache);
        let workers = tier.workers_per_cache;
        self.drop_below(line, depth + 1, cache * workers, workers);
    }

    /// Takes `line` from every cache of the deeper levels that serves these workers.
    fn drop_below(&mut self, line: u32, from_depth: usize, first_worker: usize, workers: usize) {
        for tier in &mut self.tiers[from_depth..] {
            let first = first_worker / tier.workers_per_cache;
            let count = (workers / tier.workers_per_cache).max(1);
            for cache in first..first + count {
                if tier.presence.mask(line) >> cache & 1 == 1 {
                    tier.caches[cache].invalidate(line);
                    tier.presence.remove(line, cache);
                }
            }
        }
    }

    fn take_from_others(&mut self, worker: usize, line: u32) {
        for tier in &mut self.tiers {
            let own = worker / tier.workers_per_cache;
            let mut others = tier.presence.mask(line) & !(1 << own);
            while others != 0 {
                let cache = others.trailing_zeros() as usize;
                others &= others - 1;
                tier.caches[cache].invalidate(line);
                tier.presence.remove(line, cache);
                self.invalidations += 1;
            }
        }
    }

    /// Ends a burst that began at `now` and had `cycles` of hits and computation: the time when its
    /// last line has arrived and its work is done.
    pub(crate) fn settle(&mut self, now: u64, cycles: u64) -> u64 {
        let mut missed = 0;
        let mut arrived = now;
        for (lines, busy_until) in self.burst.iter_mut().zip(&mut self.controllers) {
            if *lines > 0 {
                *busy_until = (*busy_until).max(now) + *lines * self.service_cycles;
                arrived = arrived.max(*busy_until);
                missed += *lines;
                *lines = 0;
            }
        }
        // Nobody waits for what was prefetched, but what comes next waits behind it.
        for (lines, busy_until) in self
            .prefetched_in_burst
            .iter_mut()
            .zip(&mut self.controllers)
        {
            if *lines > 0 {
                *busy_until = (*busy_until).max(now) + *lines * self.service_cycles;
                *lines = 0;
            }
        }
        // Hits and computation overlap with waiting for the controllers, not with the latency.
        arrived.max(now + cycles + missed * self.miss_cycles)
    }
}

#[cfg(test)]
mod tests;
