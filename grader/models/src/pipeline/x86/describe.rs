//! What can be told of an instruction without the table: its name, length, registers and jumps.

use alloc::format;
use alloc::string::String;

use iced_x86::{FlowControl, Instruction, Mnemonic, OpKind};

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
