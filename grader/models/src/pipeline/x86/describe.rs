//! What can be told of an instruction without the table: its name, length, registers and jumps.

use alloc::format;
use alloc::string::String;

use iced_x86::{Encoder, FlowControl, Instruction, Mnemonic, OpKind};

use crate::pipeline::inst::BranchKind;

/// Whether a register operand is a vector.
pub(super) fn uses_vectors(instruction: &Instruction) -> bool {
    (0..instruction.op_count()).any(|i| {
        instruction.op_kind(i) == OpKind::Register
            && instruction.op_register(i).is_vector_register()
    })
}

/// Bytes, at most 15.
pub(super) fn length(instruction: &Instruction) -> u8 {
    u8::try_from(instruction.len()).unwrap_or(15)
}

/// The mnemonic as the table spells it.
pub(super) fn mnemonic_name(mnemonic: Mnemonic) -> String {
    let mut name = format!("{mnemonic:?}");
    name.make_ascii_lowercase();
    name
}

/// How the instruction may leave the straight line.
pub(super) fn branch_kind(instruction: &Instruction) -> BranchKind {
    match instruction.flow_control() {
        FlowControl::ConditionalBranch => BranchKind::Conditional,
        FlowControl::UnconditionalBranch => BranchKind::Jump,
        FlowControl::IndirectBranch => BranchKind::Indirect,
        FlowControl::Call => BranchKind::Call,
        FlowControl::IndirectCall => BranchKind::IndirectCall,
        FlowControl::Return => BranchKind::Return,
        _ => BranchKind::None,
    }
}

/// Bytes of prefixes before the opcode, REX and the first bytes of VEX included.
pub(super) fn opcode_offset(instruction: &Instruction) -> u8 {
    let mut encoder = Encoder::new(64);
    if encoder.encode(instruction, instruction.ip()).is_err() {
        return 0;
    }
    let bytes = encoder.take_buffer();
    let legacy = bytes
        .iter()
        .take_while(|byte| {
            matches!(
                byte,
                0x66 | 0x67 | 0xf0 | 0xf2 | 0xf3 | 0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65
            )
        })
        .count();
    let then = match bytes.get(legacy) {
        Some(0x40..=0x4f) => 1,
        Some(0xc5) => 2,
        Some(0xc4) => 3,
        _ => 0,
    };
    u8::try_from(legacy + then).unwrap_or(0)
}

/// Whether a prefix halves a constant to 16 bits.
pub(super) fn has_length_changing_prefix(instruction: &Instruction) -> bool {
    let short = (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::Immediate16);
    short
        && instruction.flow_control() == FlowControl::Next
        && instruction.mnemonic() != Mnemonic::Enter
}
