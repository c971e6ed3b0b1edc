//! The words of the instruction table that hold for an instruction.

use alloc::vec::Vec;

use iced_x86::{EncodingKind, Instruction, Mnemonic, OpKind, Register as X86};

use super::operands::Operands;

/// The words that hold for an instruction, as the table's head explains them.
pub(super) fn form_words(instruction: &Instruction, operands: &Operands) -> Vec<&'static str> {
    let mut words = Vec::new();
    let mut vector_bytes = 0;
    let (mut general, mut vector) = (false, false);
    for i in 0..instruction.op_count() {
        match instruction.op_kind(i) {
            OpKind::Register => {
                let register = instruction.op_register(i);
                if register.is_vector_register() {
                    vector = true;
                    vector_bytes = vector_bytes.max(register.size());
                } else if register.is_gpr() {
                    general = true;
                    if i == 1 && register == X86::CL {
                        words.push("cl");
                    }
                }
            }
            OpKind::Memory => {}
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => {
                if instruction.near_branch_target() <= instruction.ip() {
                    words.push("back");
                }
            }
            _ => words.push("imm"),
        }
    }
    let bits = if instruction.op_count() == 0 {
        0
    } else if instruction.op0_kind() == OpKind::Register {
        instruction.op0_register().size() * 8
    } else {
        usize::from(operands.memory_bytes) * 8
    };
    // A conversion is named after the wider of its general-purpose operands.
    let bits = if vector && general && instruction.op0_register().is_vector_register() {
        instruction.op_register(instruction.op_count() - 1).size() * 8
    } else {
        bits
    };
    match bits {
        8 => words.push("8"),
        16 => words.push("16"),
        32 => words.push("32"),
        64 => words.push("64"),
        _ => {}
    }
    match vector_bytes {
        16 => words.push("x"),
        32 => words.push("y"),
        _ => {}
    }
    if instruction.op_count() == 1 {
        words.push("one");
    }
    match (operands.reads_memory, operands.writes_memory) {
        (true, _) => words.push("m"),
        (false, true) => words.push("st"),
        (false, false) => words.push("r"),
    }
    if operands.same {
        words.push("same");
    }
    if vector && general {
        words.push(if instruction.op0_register().is_vector_register() {
            "gx"
        } else {
            "xg"
        });
    }
    if instruction.has_lock_prefix() {
        words.push("lock");
    }
    if instruction.code().op_code().encoding() == EncodingKind::VEX {
        words.push("vex");
    }
    if instruction.mnemonic() == Mnemonic::Lea {
        let base = instruction.memory_base() != X86::None;
        let index = instruction.memory_index() != X86::None;
        if base && index && instruction.memory_displ_size() != 0 {
            words.push("lea3");
        }
        if index && instruction.memory_index_scale() > 1 {
            words.push("scaled");
        }
    }
    words
}
