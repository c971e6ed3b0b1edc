//! Loads and stores: the store queue with forwarding, the caches, the TLB, a stream prefetcher.
//!
//! Addresses are known from the stream, so a load knows at dispatch which older store it overlaps:
//! memory disambiguation is perfect.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::cache::SetTable;
use super::machine::Machine;
use super::uop::Cycle;
use super::window::{NEVER, Sequence};

const LINE_BITS: u32 = 6;
const PAGE_BITS: u32 = 12;
/// Streams that the prefetcher follows. Source: 32, Intel's optimization manual, L2 streamer.
const STREAMS: usize = 32;
/// Lines that it runs ahead. Source: up to 20 in the same place; 8 keeps it within a page mostly.
const STREAM_DISTANCE: u64 = 8;

/// A store between dispatch and its write to the cache.
#[derive(Clone, Copy)]
struct PendingStore {
    address: u64,
    bytes: u64,
    data: Sequence,
    /// When its line can be written, [`NEVER`] before the address was computed.
    line_ready: Cycle,
    retired: bool,
}

/// How a load gets its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LoadPath {
    /// From the caches.
    Cache,
    /// From the store whose data this micro-operation delivers.
    Forward(Sequence),
    /// After the store whose data this delivers has been written: it holds a part only.
    Blocked(Sequence),
}

#[derive(Clone, Copy, Default)]
struct Stream {
    page: u64,
    last_line: u64,
    ahead_line: u64,
    run: u32,
    used: u64,
}

/// The memory side of the core.
pub(super) struct Memory {
    machine: &'static Machine,
    levels: [SetTable; 3],
    tlb: SetTable,
    fills: Vec<Cycle>,
    next_line_slot: Cycle,
    streams: [Stream; STREAMS],
    clock: u64,
    stores: VecDeque<PendingStore>,
    /// Stores in the queue per hashed 8-byte word: most loads are cleared by one look.
    words: [u16; 256],
    committed_this_cycle: u32,
    committed_line: u64,
    /// Whether the store written last had waited for its line.
    pub commit_waited_for_line: bool,
    head_waits: bool,
    /// Loads dispatched and not retired.
    pub loads_in_flight: u32,
}

impl Memory {
    pub(super) fn new(machine: &'static Machine) -> Self {
        let level = |i: usize| {
            let cache = machine.caches[i];
            SetTable::new(cache.size_bytes >> LINE_BITS, cache.ways)
        };
        Self {
            machine,
            levels: [level(0), level(1), level(2)],
            tlb: SetTable::new(u64::from(machine.tlb_entries), 8),
            fills: alloc::vec![0; machine.fill_buffers as usize],
            next_line_slot: 0,
            streams: [Stream::default(); STREAMS],
            clock: 0,
            stores: VecDeque::new(),
            words: [0; 256],
            committed_this_cycle: 0,
            committed_line: u64::MAX,
            commit_waited_for_line: false,
            head_waits: false,
            loads_in_flight: 0,
        }
    }

    /// Stores in the queue.
    pub(super) fn store_count(&self) -> usize {
        self.stores.len()
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "a hash: the low bits are meant"
    )]
    fn word_range(address: u64, bytes: u64) -> impl Iterator<Item = usize> {
        let first = address >> 3;
        let last = (address.wrapping_add(bytes.max(1)) - 1) >> 3;
        (first..=last).map(|word| usize::from((word as u8) ^ (word >> 8) as u8))
    }

    /// Takes a store into the queue; `data` delivers its value.
    pub(super) fn dispatch_store(&mut self, address: u64, bytes: u64, data: Sequence) {
        for word in Self::word_range(address, bytes) {
            self.words[word] += 1;
        }
        self.stores.push_back(PendingStore {
            address,
            bytes,
            data,
            line_ready: NEVER,
            retired: false,
        });
    }

    /// Where a load that is dispatched now will find its value.
    pub(super) fn dispatch_load(&mut self, address: u64, bytes: u64) -> LoadPath {
        self.loads_in_flight += 1;
        if Self::word_range(address, bytes).all(|word| self.words[word] == 0) {
            return LoadPath::Cache;
        }
        let end = address + bytes;
        for store in self.stores.iter().rev() {
            let store_end = store.address + store.bytes;
            if store.address < end && address < store_end {
                return if store.address <= address && end <= store_end {
                    LoadPath::Forward(store.data)
                } else {
                    LoadPath::Blocked(store.data)
                };
            }
        }
        LoadPath::Cache
    }

    /// Cycles beyond a first-level hit that a load issued `now` takes.
    pub(super) fn load(&mut self, now: Cycle, address: u64, bytes: u64) -> u32 {
        let mut extra = self.touch(now, address);
        let last = address + bytes.max(1) - 1;
        if last >> LINE_BITS != address >> LINE_BITS {
            // A split load reads both lines, one after the other.
            extra = extra.max(self.touch(now, last)) + 1;
        }
        extra
    }

    /// The address of the store whose data `data` delivers is computed: its line is asked for.
    pub(super) fn store_address_known(&mut self, now: Cycle, data: Sequence) {
        let Some(at) = self.stores.iter().rposition(|store| store.data == data) else {
            return;
        };
        let address = self.stores[at].address;
        let extra = self.touch(now, address);
        self.stores[at].line_ready = now + Cycle::from(extra);
    }

    /// The store whose data `data` delivers has retired: from now on it may be written.
    pub(super) fn retire_store(&mut self, data: Sequence) {
        if let Some(store) = self.stores.iter_mut().find(|store| store.data == data) {
            store.retired = true;
        }
    }

    /// Writes retired stores to the cache, in order.
    pub(super) fn tick(&mut self, now: Cycle) {
        self.committed_this_cycle = 0;
        while let Some(store) = self.stores.front().copied() {
            if !store.retired || store.line_ready > now {
                self.head_waits |= store.retired;
                return;
            }
            let line = store.address >> LINE_BITS;
            let full = self.committed_this_cycle >= self.machine.commit_width;
            let other_line = self.committed_this_cycle > 0 && line != self.committed_line;
            if full || other_line {
                return;
            }
            self.commit_waited_for_line = core::mem::take(&mut self.head_waits);
            self.committed_this_cycle += 1;
            self.committed_line = line;
            for word in Self::word_range(store.address, store.bytes) {
                self.words[word] -= 1;
            }
            self.stores.pop_front();
        }
    }

    /// The next cycle at which [`Self::tick`] has something to do.
    pub(super) fn next_event(&self) -> Cycle {
        match self.stores.front() {
            Some(store) if store.retired => store.line_ready,
            _ => NEVER,
        }
    }

    fn touch(&mut self, now: Cycle, address: u64) -> u32 {
        let line = address >> LINE_BITS;
        let page = address >> PAGE_BITS;
        let mut start = now;
        if self.tlb.lookup(page).is_none() {
            start += Cycle::from(self.machine.page_walk_cycles);
            self.tlb.insert(page, 0);
        }
        let ready = match self.levels[0].lookup(line) {
            Some(ready) => ready.max(start),
            None => self.fill(start, line),
        };
        self.prefetch(now, line);
        u32::try_from(ready.saturating_sub(now)).unwrap_or(u32::MAX)
    }

    /// Brings `line` into the first level; returns when it is there.
    fn fill(&mut self, start: Cycle, line: u64) -> Cycle {
        let buffer = self.fills.iter_mut().min();
        let mut start = start.max(buffer.as_ref().map_or(0, |free| **free));
        let first_level = self.machine.caches[0].latency_cycles;
        let beyond = |cycles: u32| Cycle::from(cycles - first_level);
        let ready = if let Some(ready) = self.levels[1].lookup(line) {
            ready.max(start + beyond(self.machine.caches[1].latency_cycles))
        } else {
            start = start.max(self.next_line_slot);
            self.next_line_slot = start + Cycle::from(self.machine.line_interval_cycles);
            let cycles = match self.levels[2].lookup(line) {
                Some(_) => self.machine.caches[2].latency_cycles,
                None => {
                    self.levels[2].insert(line, 0);
                    self.machine.memory_cycles
                }
            };
            let ready = start + beyond(cycles);
            self.levels[1].insert(line, ready);
            ready
        };
        if let Some(free) = buffer {
            *free = ready;
        }
        self.levels[0].insert(line, ready);
        ready
    }

    /// Follows ascending and descending runs within a page and runs ahead of them into level two.
    fn prefetch(&mut self, now: Cycle, line: u64) {
        self.clock += 1;
        let page = line >> (PAGE_BITS - LINE_BITS);
        let clock = self.clock;
        let found = self
            .streams
            .iter()
            .position(|stream| stream.page == page && stream.used > 0);
        let Some(at) = found else {
            if let Some(oldest) = self.streams.iter_mut().min_by_key(|stream| stream.used) {
                *oldest = Stream {
                    page,
                    last_line: line,
                    ahead_line: line,
                    run: 0,
                    used: clock,
                };
            }
            return;
        };
        let stream = &mut self.streams[at];
        stream.used = clock;
        if line == stream.last_line {
            return;
        }
        stream.run = if line == stream.last_line + 1 {
            stream.run + 1
        } else {
            0
        };
        stream.last_line = line;
        if stream.run < 2 {
            stream.ahead_line = line;
            return;
        }
        let from = stream.ahead_line.max(line) + 1;
        let to = line + STREAM_DISTANCE;
        stream.ahead_line = to.max(stream.ahead_line);
        for ahead in from..=to {
            self.prefetch_line(now, ahead);
        }
    }

    fn prefetch_line(&mut self, now: Cycle, line: u64) {
        if self.levels[1].holds(line) || self.levels[0].holds(line) {
            return;
        }
        let start = now.max(self.next_line_slot);
        self.next_line_slot = start + Cycle::from(self.machine.line_interval_cycles);
        let cycles = match self.levels[2].lookup(line) {
            Some(_) => self.machine.caches[2].latency_cycles,
            None => {
                self.levels[2].insert(line, 0);
                self.machine.memory_cycles
            }
        };
        self.levels[1].insert(line, start + Cycle::from(cycles));
    }
}
