//! Instructions as one machine sees them, and the stream of their executions.

use alloc::vec::Vec;

use super::uop::{Register, Uop};

/// How an instruction can change the flow of control.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BranchKind {
    /// It cannot.
    #[default]
    None,
    /// A conditional jump.
    Conditional,
    /// A jump with a fixed target.
    Jump,
    /// A jump whose target is computed.
    Indirect,
    /// A call with a fixed target.
    Call,
    /// A call whose target is computed.
    IndirectCall,
    /// A return.
    Return,
}

/// An instruction at a fixed address, split for one machine.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Inst {
    /// Where it stands.
    pub address: u64,
    /// Encoded length, in bytes.
    pub length_bytes: u8,
    /// Bytes of prefixes before the opcode.
    pub opcode_offset: u8,
    /// Whether a prefix changes the length of its constant, which the predecoder is slow about.
    pub length_changing_prefix: bool,
    /// Its micro-operations, as a range of [`Program::uops`].
    pub first_uop: u32,
    /// How many there are; none when the instruction is fused into the next one.
    pub uop_count: u8,
    /// Slots of the fused domain.
    pub slots: u8,
    /// Flow of control.
    pub branch: BranchKind,
    /// `(to, from)`: a register that rename only renames (move elimination, immediate addition).
    pub alias: Option<(Register, Register)>,
    /// Registers that rename sets to a known value (zero idioms), at no cost but the slot.
    pub cleared: Vec<Register>,
    /// Bytes that its memory operand spans, 0 without one.
    pub memory_bytes: u8,
    /// Base register and displacement of an eight-byte operand without an index: what memory
    /// renaming goes by.
    pub plain_address: Option<(Register, i64)>,
    /// Latency to use instead of the load's own when the address comes straight from a load.
    pub chased_latency_cycles: Option<u8>,
    /// Whether the instruction is fused into the next one (`cmp` before `jcc`).
    pub fused_into_next: bool,
    /// Whether it stands for the instruction before as well.
    pub fused_with_previous: bool,
    /// Whether the instruction table had no figures for it.
    pub unknown: bool,
}

/// The instructions that a stream refers to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Program {
    /// In the order in which the front end was given them.
    pub insts: Vec<Inst>,
    /// The micro-operations of all of them.
    pub uops: Vec<Uop>,
}

impl Program {
    /// The micro-operations of instruction `index`.
    #[must_use]
    pub fn uops_of(&self, index: usize) -> &[Uop] {
        let inst = &self.insts[index];
        let first = inst.first_uop as usize;
        &self.uops[first..first + usize::from(inst.uop_count)]
    }
}

/// One execution of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Step {
    /// Which instruction of the [`Program`].
    pub inst: u32,
    /// Address of its memory operand, 0 without one.
    pub memory_address: u64,
    /// Address of the instruction executed next; for a branch this says which way it went.
    pub next_address: u64,
}
