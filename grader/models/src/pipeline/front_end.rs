//! The front end: fetches along the predicted path, from the µop cache or through the decoders.
//!
//! The stream holds the right path only. A branch that the predictor gets wrong stops the front end
//! until the branch has been executed; the wrong path itself is not simulated.

use alloc::collections::VecDeque;

use super::cache::SetTable;
use super::decoders::Decoders;
use super::inst::{BranchKind, Program, Step};
use super::machine::Machine;
use super::predictor::Predictor;
use super::uop::Cycle;
use super::window::{DispatchCause, NEVER, NOBODY, Sequence};

/// Cycles lost when the front end switches from the µop cache to the decoders.
/// Source: Agner Fog, microarchitecture manual, chapter on the µop cache: one cycle.
const SWITCH_CYCLES: Cycle = 1;
/// Cycles to fetch a line of code from the second-level cache.
/// Source: the second-level latencies of the machines, 12 to 15.
const CODE_MISS_CYCLES: Cycle = 14;

/// An instruction on its way to rename.
#[derive(Clone, Copy)]
pub(super) struct Fetched {
    pub step_number: u64,
    pub step: Step,
    pub mispredicted: bool,
    /// Why it did not come earlier, when rename ran out of instructions.
    pub cause: DispatchCause,
}

/// The front end.
pub(super) struct FrontEnd {
    machine: &'static Machine,
    predictor: Predictor,
    uop_cache: SetTable,
    code_cache: SetTable,
    /// What rename takes from.
    pub queue: VecDeque<Fetched>,
    queued_slots: u32,
    /// The front end sleeps until then; [`NEVER`] while a mispredicted branch is on its way.
    pub resume_at: Cycle,
    cause: DispatchCause,
    next: Option<Step>,
    next_number: u64,
    decoding: bool,
    decoders: Decoders,
    last_window: u64,
    /// Branches fetched and mispredicted.
    pub branches: u64,
    /// Mispredicted branches.
    pub mispredicts: u64,
    finished: bool,
    carried_address: Option<u64>,
}

impl FrontEnd {
    pub(super) fn new(machine: &'static Machine) -> Self {
        Self {
            machine,
            predictor: Predictor::new(),
            uop_cache: SetTable::new(u64::from(machine.uop_cache_windows), 8),
            code_cache: SetTable::new(machine.l1i_bytes >> 6, 8),
            queue: VecDeque::new(),
            queued_slots: 0,
            resume_at: 0,
            cause: DispatchCause::CodeMiss,
            next: None,
            next_number: 0,
            decoding: false,
            decoders: Decoders::new(machine),
            last_window: u64::MAX,
            branches: 0,
            mispredicts: 0,
            finished: false,
            carried_address: None,
        }
    }

    /// Whether the stream has ended and rename has taken everything.
    pub(super) fn is_drained(&self) -> bool {
        self.finished && self.queue.is_empty()
    }

    /// The mispredicted branch `branch` was executed `now`.
    pub(super) fn resolve(&mut self, branch: Sequence, now: Cycle) {
        self.resume_at = now + Cycle::from(self.machine.mispredict_cycles);
        self.cause = DispatchCause::Mispredict(branch);
    }

    /// Rename has taken the first of the queue.
    pub(super) fn pop(&mut self, slots: u32) {
        self.queue.pop_front();
        self.queued_slots -= slots;
    }

    /// Fetches one cycle's worth of instructions from `steps`. Returns whether anything moved.
    pub(super) fn tick(
        &mut self,
        now: Cycle,
        program: &Program,
        steps: &mut dyn Iterator<Item = Step>,
    ) -> bool {
        if now < self.resume_at || self.finished {
            return false;
        }
        let before = (self.next_number, self.decoding);
        let moved = if self.decoding {
            self.decode(now, program, steps)
        } else {
            self.fetch(now, program, steps);
            false
        };
        moved || (self.next_number, self.decoding) != before
    }

    /// One cycle from the µop cache.
    fn fetch(&mut self, now: Cycle, program: &Program, steps: &mut dyn Iterator<Item = Step>) {
        let mut window = u64::MAX;
        let mut slots = 0;
        let mut count = 0;
        loop {
            let Some(step) = self.next.take().or_else(|| steps.next()) else {
                self.finished = true;
                return;
            };
            let inst = &program.insts[step.inst as usize];
            let here = self.window_of(inst.address);
            if window == u64::MAX {
                window = here;
                if !self.is_cached(here) {
                    self.next = Some(step);
                    self.start_decoding(now, inst.address);
                    return;
                }
            }
            let inst_slots = u32::from(inst.slots);
            let room = here == window && slots + inst_slots <= self.machine.uop_cache_width;
            // An instruction longer than a cycle's share takes a cycle of its own.
            let fits = room || count == 0;
            if !fits || !self.has_space(inst_slots) {
                self.next = Some(step);
                return;
            }
            slots += inst_slots;
            count += u32::from(inst_slots > 0);
            if self.push(program, step) {
                return;
            }
        }
    }

    /// One cycle of the decoders. Returns whether anything moved that is not in the queue yet.
    fn decode(
        &mut self,
        now: Cycle,
        program: &Program,
        steps: &mut dyn Iterator<Item = Step>,
    ) -> bool {
        let mut decoded = 0;
        while let Some(step) = self.decoders.next(program, decoded) {
            let inst = &program.insts[step.inst as usize];
            if !self.has_space(u32::from(inst.slots)) {
                return false;
            }
            decoded += u32::from(inst.slots > 0);
            self.decoders.taken(program);
            self.keep(self.window_of(inst.address));
            if self.push(program, step) {
                // The target is a new visit, even of the same window.
                self.last_window = u64::MAX;
                return true;
            }
        }
        if self.decoders.is_stopped(now) {
            return true;
        }
        let mut new_line = None;
        let mut cached = false;
        let waiting = self.decoders.predecode(now, program, || {
            let step = self.next.take().or_else(|| steps.next())?;
            let address = program.insts[step.inst as usize].address;
            let here = address / self.machine.uop_cache_window_bytes;
            // What was decoded is read from the µop cache at the next visit, not in the midst.
            cached = here != self.last_window && self.uop_cache.holds(here);
            if cached || self.code_cache.lookup(address >> 6).is_none() {
                new_line = (!cached).then_some(address >> 6);
                self.next = Some(step);
                return None;
            }
            self.last_window = here;
            Some(step)
        });
        if waiting.is_some() {
            self.next = waiting;
        }
        if let Some(line) = new_line {
            self.code_cache.insert(line, 0);
            self.resume_at = now + CODE_MISS_CYCLES;
        }
        if self.decoders.is_empty() {
            self.finished = self.next.is_none() && !self.decoders.is_stopped(now + 1);
            self.decoding = !cached;
        }
        true
    }

    fn window_of(&self, address: u64) -> u64 {
        address / self.machine.uop_cache_window_bytes
    }

    fn has_space(&self, slots: u32) -> bool {
        self.queued_slots + slots <= self.machine.queue_slots
    }

    fn is_cached(&mut self, window: u64) -> bool {
        self.machine.uop_cache_windows > 0 && self.uop_cache.lookup(window).is_some()
    }

    /// Puts a decoded window into the µop cache.
    fn keep(&mut self, window: u64) {
        if self.machine.uop_cache_windows > 0 && !self.uop_cache.holds(window) {
            self.uop_cache.insert(window, 0);
        }
    }

    /// Turns to the decoders for the code at `address`.
    fn start_decoding(&mut self, now: Cycle, address: u64) {
        self.decoding = true;
        self.last_window = self.window_of(address);
        self.decoders.restart();
        self.resume_at = now + SWITCH_CYCLES;
        self.cause = DispatchCause::CodeMiss;
    }

    /// Queues `step`; `true` when the cycle's fetch ends with it.
    fn push(&mut self, program: &Program, mut step: Step) -> bool {
        let inst = &program.insts[step.inst as usize];
        if inst.fused_into_next {
            // The jump after it carries the operands of both.
            self.carried_address = Some(step.memory_address);
            self.next_number += 1;
            return false;
        }
        if let Some(address) = self.carried_address.take() {
            step.memory_address = address;
        }
        let right = self.predict(program, step);
        let fall_through = inst.address + u64::from(inst.length_bytes);
        let jumps = inst.branch != BranchKind::None && step.next_address != fall_through;
        self.queue.push_back(Fetched {
            step_number: self.next_number,
            step,
            mispredicted: !right,
            cause: self.cause,
        });
        self.cause = if self.decoding {
            DispatchCause::CodeMiss
        } else {
            DispatchCause::Fetch
        };
        self.next_number += 1;
        self.queued_slots += u32::from(inst.slots);
        if !right {
            self.mispredicts += 1;
            self.resume_at = NEVER;
            self.cause = DispatchCause::Mispredict(NOBODY);
        }
        jumps || !right
    }

    /// Asks the predictor about `step` and tells it the truth; whether it was right.
    fn predict(&mut self, program: &Program, step: Step) -> bool {
        let inst = &program.insts[step.inst as usize];
        let fall_through = inst.address + u64::from(inst.length_bytes);
        self.branches += u64::from(inst.branch != BranchKind::None);
        match inst.branch {
            BranchKind::None | BranchKind::Jump => true,
            BranchKind::Conditional => self
                .predictor
                .conditional(inst.address, step.next_address != fall_through),
            BranchKind::Indirect => self.predictor.indirect(inst.address, step.next_address),
            BranchKind::Call => {
                self.predictor.call(fall_through);
                true
            }
            BranchKind::IndirectCall => {
                self.predictor.call(fall_through);
                self.predictor.indirect(inst.address, step.next_address)
            }
            BranchKind::Return => self.predictor.ret(step.next_address),
        }
    }
}
