//! From bytes to instructions: what stands before the decoders when code is not in the µop cache.
//!
//! Code comes in aligned blocks, one at a time. In a cycle the predecoder finds the ends of a few
//! instructions of its block; one that runs over the block's end after its opcode counts in both
//! blocks. A prefix that changes the length of the constant stops it for some cycles. What it has
//! found waits in a queue for the decoders; the first decoder alone takes instructions of several
//! micro-operations.
//!
//! Left out: the branch predictor's share of the fetch, and blocks that are fetched ahead.
//!
//! Sources: Abel and Reineke, uiCA, ICS 2022, section on the predecoder; Abel, Sharma and Reineke,
//! Facile, IISWC 2023, for the rule about the opcode; Intel's optimization manual for the prefixes.

use alloc::collections::VecDeque;

use super::inst::{BranchKind, Inst, Program, Step};
use super::machine::Machine;
use super::uop::Cycle;

/// Instructions that can wait for the decoders.
/// Source: Agner Fog, microarchitecture manual: 20 per thread since Skylake.
const QUEUE: usize = 20;

/// The predecoder and the queue behind it.
pub(super) struct Decoders {
    machine: &'static Machine,
    queue: VecDeque<Step>,
    /// The block at hand, in units of the machine's fetch.
    block: u64,
    /// The predecoder stands still until then.
    free_at: Cycle,
    /// A branch waits in the queue, and what comes after it is not known yet.
    branch_waits: bool,
}

impl Decoders {
    pub(super) const fn new(machine: &'static Machine) -> Self {
        Self {
            machine,
            queue: VecDeque::new(),
            block: u64::MAX,
            free_at: 0,
            branch_waits: false,
        }
    }

    /// Code comes from here again, after some from elsewhere.
    pub(super) fn restart(&mut self) {
        self.block = u64::MAX;
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The next instruction that the decoders can take after `decoded` others in this cycle.
    pub(super) fn next(&self, program: &Program, decoded: u32) -> Option<Step> {
        let step = *self.queue.front()?;
        let complex = program.insts[step.inst as usize].slots > 1;
        let taken = decoded < self.machine.decode_width && !(complex && decoded > 0);
        taken.then_some(step)
    }

    /// The decoders have taken it.
    pub(super) fn taken(&mut self, program: &Program) {
        if let Some(step) = self.queue.pop_front()
            && program.insts[step.inst as usize].branch != BranchKind::None
        {
            self.branch_waits = false;
        }
    }

    /// Whether the predecoder stands still for a while.
    pub(super) fn is_stopped(&self, now: Cycle) -> bool {
        now < self.free_at
    }

    /// One cycle of the predecoder, which takes from `source`; returns what it has no room for.
    pub(super) fn predecode(
        &mut self,
        now: Cycle,
        program: &Program,
        mut source: impl FnMut() -> Option<Step>,
    ) -> Option<Step> {
        if self.is_stopped(now) || self.branch_waits {
            return None;
        }
        let mut room = self.machine.predecode_width;
        while self.queue.len() < QUEUE && !self.branch_waits {
            let step = source()?;
            let inst = &program.insts[step.inst as usize];
            let (opcode_block, last_block) = self.blocks(inst);
            if self.block == u64::MAX {
                self.block = opcode_block;
            }
            if last_block != self.block {
                let crosses = opcode_block == self.block;
                if !crosses || room > 0 {
                    self.block = last_block;
                }
                return Some(step);
            }
            if room == 0 {
                return Some(step);
            }
            room -= 1;
            if inst.length_changing_prefix {
                self.free_at = now + Cycle::from(self.machine.length_change_cycles);
            }
            self.branch_waits = inst.branch != BranchKind::None;
            self.queue.push_back(step);
            if self.is_stopped(now + 1) {
                break;
            }
        }
        None
    }

    /// The blocks with the opcode and with the last byte of `inst`.
    fn blocks(&self, inst: &Inst) -> (u64, u64) {
        let block = |offset: u8| (inst.address + u64::from(offset)) / self.machine.fetch_bytes;
        (
            block(inst.opcode_offset),
            block(inst.length_bytes.saturating_sub(1)),
        )
    }
}
