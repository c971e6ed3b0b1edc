//! Flags of integer operations of any width.

#![expect(
    clippy::cast_possible_truncation,
    reason = "registers are cut to an operand's width on purpose"
)]

use iced_x86::{ConditionCode, Instruction, Mnemonic};

/// The flags that conditions look at.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Flags {
    pub(super) carry: bool,
    pub(super) zero: bool,
    pub(super) sign: bool,
    pub(super) overflow: bool,
    pub(super) parity: bool,
}

pub(super) const fn mask(bytes: usize) -> u64 {
    if bytes >= 8 {
        u64::MAX
    } else {
        (1 << (bytes * 8)) - 1
    }
}

pub(super) fn sign_extend(value: u64, bytes: usize) -> u64 {
    let shift = 64 - bytes.min(8) as u32 * 8;
    (value << shift)
        .cast_signed()
        .wrapping_shr(shift)
        .cast_unsigned()
}

pub(super) fn shift(mnemonic: Mnemonic, a: u64, count: u32, bits: u32) -> (u64, bool) {
    use Mnemonic as M;
    if count == 0 {
        return (a, false);
    }
    let signed = sign_extend(a, (bits / 8) as usize).cast_signed();
    match mnemonic {
        M::Shl => (a << count, a >> (bits - count.min(bits)) & 1 == 1),
        M::Shr => (a >> count, a >> (count - 1) & 1 == 1),
        M::Sar => (
            (signed >> count).cast_unsigned(),
            signed >> (count - 1) & 1 == 1,
        ),
        M::Rol | M::Ror => {
            let by = if mnemonic == M::Rol {
                count % bits
            } else {
                (bits - count % bits) % bits
            };
            let value = if by == 0 {
                a
            } else {
                a << by | a >> (bits - by)
            };
            (value, value & 1 == 1)
        }
        _ => (a, false),
    }
}

pub(super) fn logic_flags(value: u64, bytes: usize) -> Flags {
    let value = value & mask(bytes);
    Flags {
        carry: false,
        zero: value == 0,
        sign: value >> (bytes.min(8) * 8 - 1) & 1 == 1,
        overflow: false,
        parity: (value as u8).count_ones().is_multiple_of(2),
    }
}

pub(super) fn add_flags(a: u64, b: u64, carry: bool, bytes: usize) -> Flags {
    let sum = u128::from(a) + u128::from(b) + u128::from(carry);
    let value = sum as u64 & mask(bytes);
    let sign = |x: u64| x >> (bytes.min(8) * 8 - 1) & 1 == 1;
    Flags {
        carry: sum > u128::from(mask(bytes)),
        overflow: sign(a) == sign(b) && sign(a) != sign(value),
        ..logic_flags(value, bytes)
    }
}

pub(super) fn sub_flags(a: u64, b: u64, bytes: usize) -> Flags {
    let value = a.wrapping_sub(b) & mask(bytes);
    let sign = |x: u64| x >> (bytes.min(8) * 8 - 1) & 1 == 1;
    Flags {
        carry: a < b,
        overflow: sign(a) != sign(b) && sign(a) != sign(value),
        ..logic_flags(value, bytes)
    }
}

impl Flags {
    /// Whether the condition holds, `None` for "no condition".
    pub(super) fn hold(self, code: ConditionCode) -> Option<bool> {
        use ConditionCode as C;
        let flags = self;
        let less = flags.sign != flags.overflow;
        Some(match code {
            C::None => return None,
            C::o => flags.overflow,
            C::no => !flags.overflow,
            C::b => flags.carry,
            C::ae => !flags.carry,
            C::e => flags.zero,
            C::ne => !flags.zero,
            C::be => flags.carry || flags.zero,
            C::a => !flags.carry && !flags.zero,
            C::s => flags.sign,
            C::ns => !flags.sign,
            C::p => flags.parity,
            C::np => !flags.parity,
            C::l => less,
            C::ge => !less,
            C::le => less || flags.zero,
            C::g => !less && !flags.zero,
        })
    }
}

/// The condition under which a conditional move moves; `None` for other instructions.
pub(super) fn conditional_move(instruction: &Instruction) -> Option<ConditionCode> {
    let code = instruction.condition_code();
    let moves = instruction.op_count() == 2 && code != ConditionCode::None;
    moves.then_some(code)
}
