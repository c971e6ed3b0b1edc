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

#[cfg(all(test, feature = "x86"))]
mod tests {
    use super::*;
    use crate::pipeline::machines::SKYLAKE;
    use crate::pipeline::simulate_loop;
    use crate::pipeline::x86::{Interpreter, TextLoop};
    use alloc::vec::Vec;
    use proptest::prelude::*;

    /// Skylake without a µop cache.
    static DECODERS_ONLY: Machine = Machine {
        uop_cache_windows: 0,
        ..SKYLAKE
    };

    /// `nop` of one to nine bytes. Source: Intel's manual, volume 2, table of recommended sequences.
    const NOPS: [&[u8]; 9] = [
        &[0x90],
        &[0x66, 0x90],
        &[0x0f, 0x1f, 0x00],
        &[0x0f, 0x1f, 0x40, 0x00],
        &[0x0f, 0x1f, 0x44, 0x00, 0x00],
        &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
        &[0x0f, 0x1f, 0x80, 0, 0, 0, 0],
        &[0x0f, 0x1f, 0x84, 0x00, 0, 0, 0, 0],
        &[0x66, 0x0f, 0x1f, 0x84, 0x00, 0, 0, 0, 0],
    ];

    fn cycles(code: &[u8], copies: usize) -> f64 {
        let text = TextLoop::unrolled(code, copies, Interpreter::default()).expect("it is code");
        let built = text.build(&DECODERS_ONLY);
        let (steps, _) = text.steps(6).expect("it ends");
        simulate_loop(
            &DECODERS_ONLY,
            &built.program,
            3,
            3,
            0..0,
            steps.into_iter(),
        )
        .cycles_per_iteration
    }

    /// The obvious twin: every block costs as many cycles as five go into its instructions, those that
    /// end there and those whose opcode is there and whose end is not.
    fn twin(lengths: &[usize], copies: usize) -> f64 {
        let mut instructions = Vec::new();
        let mut at = 0;
        for _ in 0..copies {
            for &length in lengths {
                let opcode = at + usize::from(NOPS[length - 1][0] == 0x66);
                instructions.push((opcode / 16, (at + length - 1) / 16));
                at += length;
            }
        }
        let cost = |block| {
            let counts = |&&(opcode, last): &&(usize, usize)| last == block || opcode == block;
            let count = instructions.iter().filter(counts).count();
            count.div_ceil(5).max(1)
        };
        (0..at.div_ceil(16)).map(cost).sum::<usize>() as f64
    }

    #[test]
    fn sixteen_bytes_come_in_a_cycle_however_few_instructions_they_are() {
        let per_block = cycles(&[NOPS[7], NOPS[7]].concat(), 100) / 100.0;
        assert!((0.98..1.05).contains(&per_block), "{per_block}");
    }

    #[test]
    fn a_prefix_that_changes_the_length_of_a_constant_costs_three_cycles() {
        // mov ax, 0x1234
        let each = cycles(&[0x66, 0xb8, 0x34, 0x12], 100) / 100.0;
        assert!((2.9..3.4).contains(&each), "{each}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn blocks_cost_what_the_rule_of_the_opcode_says(
            lengths in proptest::collection::vec(1_usize..=9, 1..6)
        ) {
            const COPIES: usize = 80;
            let code: Vec<u8> = lengths.iter().flat_map(|&n| NOPS[n - 1]).copied().collect();
            let slots = (lengths.len() * COPIES) as f64 / 4.0;
            let rule = twin(&lengths, COPIES);
            let answer = cycles(&code, COPIES);
            // The jump at the end costs a few cycles, and a full queue hides some of the rule's.
            let expected = rule.max(slots);
            prop_assert!(answer >= 0.97 * expected - 2.0, "{answer} {rule} {slots}");
            prop_assert!(answer <= 1.12 * expected + 8.0, "{answer} {rule} {slots}");
        }
    }
}
