//! The instruction window: every micro-operation in flight, and those that just left.
//!
//! Micro-operations are numbered from 0 in program order and live in a ring. Retired ones stay there
//! for a while, because the critical path is walked backwards over them.

use alloc::vec::Vec;

use super::uop::{Cycle, MAX_SOURCES};

/// Number of a micro-operation in program order.
pub(super) type Sequence = u64;
/// Stands for "none" where a sequence number is expected.
pub(super) const NOBODY: Sequence = Sequence::MAX;
/// Stands for "not yet" where a cycle is expected.
pub(super) const NEVER: Cycle = Cycle::MAX;

/// What a micro-operation can wait for: its registers, and one store that is forwarded to it.
pub(super) const MAX_WAITS: usize = MAX_SOURCES + 1;
/// The wait for a store.
pub(super) const STORE_WAIT: usize = MAX_SOURCES;
/// Ends a list of waiters.
pub(super) const NO_WAITER: u32 = u32::MAX;

/// Micro-operations whose times are kept; a power of two, larger than twice the largest window.
const RING: usize = 1 << 13;
/// Retired micro-operations after which the critical path is walked: the ring keeps this many and
/// all those in flight.
pub(super) const HISTORY: u64 = 1 << 11;

/// Why a micro-operation was dispatched no earlier.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum DispatchCause {
    /// The slots of the cycle before were full.
    #[default]
    Width,
    /// The front end had nothing: µop cache or decoders deliver this many at most.
    Fetch,
    /// The front end had nothing: the code was not in the µop cache or the instruction cache.
    CodeMiss,
    /// The front end waited for this mispredicted branch.
    Mispredict(Sequence),
    /// The reorder buffer was full until this one retired.
    ReorderFull(Sequence),
    /// This group of the scheduler was full until this one was issued.
    SchedulerFull(u8, Sequence),
    /// The load queue was full until this one retired.
    LoadsFull(Sequence),
    /// The store queue was full; this one had retired last, and whether the store that left then had
    /// waited for its line.
    StoresFull(Sequence, bool),
}

/// One micro-operation and its times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    /// Number of the executed instruction in the stream.
    pub step: u64,
    /// Which instruction of the program.
    pub inst: u32,
    /// Which micro-operation of the program.
    pub uop: u32,
    /// Address of the memory operand.
    pub memory_address: u64,
    /// The port it is bound to.
    pub port: u8,
    /// Whether it is the last of its instruction.
    pub last_of_inst: bool,
    /// Whether it opens a slot.
    pub opens_slot: bool,
    /// Whether it is a branch that the front end predicted wrongly.
    pub mispredicted: bool,
    /// Values that it still waits for.
    pub pending: u8,
    /// Cycles saved or added to the latency of its values: a chased load, a cache miss.
    pub latency_shift: i32,
    /// Cycles that a load took longer than a hit in the first level.
    pub miss_cycles: u32,
    /// When it entered the window.
    pub dispatched: Cycle,
    /// Why not earlier.
    pub cause: DispatchCause,
    /// When it could have been issued, had its port been free.
    pub ready: Cycle,
    /// The one whose value came last, [`NOBODY`] when all were there at dispatch.
    pub producer: Sequence,
    /// When it was issued to its port.
    pub issued: Cycle,
    /// The one that was issued to the same port before.
    pub port_before: Sequence,
    /// When its last value was there.
    pub completed: Cycle,
    /// When it retired.
    pub retired: Cycle,
    /// First of those that wait for its values.
    pub waiters: u32,
    /// Next in the list that this one stands in, per wait.
    pub next_waiter: [u32; MAX_WAITS],
    /// Which of the producer's values is meant, per wait.
    pub wanted: [u8; MAX_WAITS],
    /// Cycles after issue at which the value is needed, per wait.
    pub late: [u8; MAX_WAITS],
    /// The store whose data this load takes, [`NOBODY`] when it reads the cache.
    pub forwarded_from: Sequence,
    /// Whether the forwarding fails because the store holds only a part.
    pub forward_blocked: bool,
}

impl Flight {
    /// A micro-operation that has just been dispatched and waits for nothing.
    pub(super) const fn new(step: u64, inst: u32, uop: u32, now: Cycle) -> Self {
        Self {
            step,
            inst,
            uop,
            memory_address: 0,
            port: 0,
            last_of_inst: false,
            opens_slot: true,
            mispredicted: false,
            pending: 0,
            latency_shift: 0,
            miss_cycles: 0,
            dispatched: now,
            cause: DispatchCause::Width,
            ready: now + 1,
            producer: NOBODY,
            issued: NEVER,
            port_before: NOBODY,
            completed: NEVER,
            retired: NEVER,
            waiters: NO_WAITER,
            next_waiter: [NO_WAITER; MAX_WAITS],
            wanted: [0; MAX_WAITS],
            late: [0; MAX_WAITS],
            forwarded_from: NOBODY,
            forward_blocked: false,
        }
    }
}

/// The ring.
pub(super) struct Window {
    ring: Vec<Flight>,
    /// The oldest that has not retired.
    pub head: Sequence,
    /// The number that the next one gets.
    pub tail: Sequence,
}

impl Window {
    pub(super) fn new() -> Self {
        Self {
            ring: alloc::vec![Flight::new(0, 0, 0, 0); RING],
            head: 0,
            tail: 0,
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "smaller than the ring")]
    const fn slot(sequence: Sequence) -> usize {
        (sequence & (RING as u64 - 1)) as usize
    }

    pub(super) fn get(&self, sequence: Sequence) -> &Flight {
        &self.ring[Self::slot(sequence)]
    }

    pub(super) fn get_mut(&mut self, sequence: Sequence) -> &mut Flight {
        &mut self.ring[Self::slot(sequence)]
    }

    pub(super) fn push(&mut self, flight: Flight) -> Sequence {
        let sequence = self.tail;
        self.ring[Self::slot(sequence)] = flight;
        self.tail += 1;
        sequence
    }

    /// Puts `sequence` into `producer`'s list; it waits for the producer's value `wanted`.
    pub(super) fn wait_for(&mut self, sequence: Sequence, wait: usize, producer: Sequence) {
        let head = self.get(producer).waiters;
        self.get_mut(sequence).next_waiter[wait] = head;
        self.get_mut(sequence).pending += 1;
        let node = Self::slot(sequence) * MAX_WAITS + wait;
        self.get_mut(producer).waiters =
            u32::try_from(node).expect("the ring times the waits fits 32 bits");
    }

    /// Splits a list node into the waiting micro-operation and which of its waits it is.
    ///
    /// Waiters are in flight, so their number follows from their place in the ring.
    pub(super) fn waiter(&self, node: u32) -> (Sequence, usize) {
        let (slot, wait) = (node as usize / MAX_WAITS, node as usize % MAX_WAITS);
        let head_slot = Self::slot(self.head);
        let ahead = (slot + RING - head_slot) % RING;
        (self.head + ahead as u64, wait)
    }
}
