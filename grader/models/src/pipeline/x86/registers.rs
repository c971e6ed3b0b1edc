//! What x86 registers are: their numbers in the rename table, and which part of another they are.

use iced_x86::Register as X86;

use crate::pipeline::uop::{Register, registers};

/// The renamed register that holds `register`, `None` for those that the model does not rename.
pub(super) fn renamed(register: X86) -> Option<Register> {
    let full = register.full_register();
    if full.is_gpr64() {
        Some(registers::GENERAL + u8::try_from(full.number()).ok()?)
    } else if full.is_vector_register() {
        Some(registers::VECTOR + u8::try_from(full.number()).ok()?)
    } else {
        None
    }
}

/// Whether it is the second byte of another register.
pub(super) fn is_high_byte(register: X86) -> bool {
    matches!(register, X86::AH | X86::BH | X86::CH | X86::DH)
}
