//! Instructions that rename handles alone, or in a way of its own.

use iced_x86::{Instruction, Mnemonic, OpKind, Register as X86};

/// Source: Intel, Optimization Reference Manual, dependency-breaking idioms; AMD's guide lists the
/// same ones.
pub(super) fn is_zero_idiom(mnemonic: Mnemonic) -> bool {
    use Mnemonic as M;
    matches!(
        mnemonic,
        M::Xor
            | M::Sub
            | M::Pxor
            | M::Xorps
            | M::Xorpd
            | M::Vpxor
            | M::Vxorps
            | M::Vxorpd
            | M::Psubb
            | M::Psubw
            | M::Psubd
            | M::Psubq
            | M::Vpsubb
            | M::Vpsubw
            | M::Vpsubd
            | M::Vpsubq
            | M::Pcmpgtb
            | M::Pcmpgtw
            | M::Pcmpgtd
            | M::Vpcmpgtb
            | M::Vpcmpgtw
            | M::Vpcmpgtd
    )
}

/// Whether rename can do a move between registers; `extensions`: from a byte as well.
pub(super) fn is_plain_move(instruction: &Instruction, extensions: bool) -> bool {
    use Mnemonic as M;
    if (0..instruction.op_count()).any(|i| instruction.op_kind(i) != OpKind::Register) {
        return false;
    }
    match instruction.mnemonic() {
        M::Mov => instruction.op0_register().size() >= 4,
        // Only the low byte: what `ah` and the like name would have to be shifted.
        M::Movzx => {
            extensions
                && instruction.op0_register().size() >= 4
                && instruction.op1_register().size() == 1
                && !matches!(
                    instruction.op1_register(),
                    X86::AH | X86::BH | X86::CH | X86::DH
                )
        }
        M::Movaps | M::Movups | M::Movapd | M::Movupd | M::Movdqa | M::Movdqu => true,
        M::Vmovaps | M::Vmovups | M::Vmovapd | M::Vmovupd | M::Vmovdqa | M::Vmovdqu => true,
        _ => false,
    }
}

/// Whether Golden Cove's rename adds the constant. Source: measured (the table's head says how): a
/// chain of `add rax, 5` takes no time, one of `add rax, 0x12345` a cycle each.
pub(super) fn is_small_addition(instruction: &Instruction) -> bool {
    use Mnemonic as M;
    if instruction.op0_kind() != OpKind::Register || instruction.op0_register().size() < 4 {
        return false;
    }
    match instruction.mnemonic() {
        M::Inc | M::Dec => true,
        M::Add | M::Sub => {
            instruction.op1_kind() != OpKind::Register
                && instruction.op1_kind() != OpKind::Memory
                && (-1024..1024).contains(&instruction.immediate(1).cast_signed())
        }
        _ => false,
    }
}
