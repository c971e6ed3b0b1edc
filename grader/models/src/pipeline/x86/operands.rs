//! What an instruction reads and writes.

use alloc::vec::Vec;

use iced_x86::{
    EncodingKind, Instruction, InstructionInfo, Mnemonic, OpAccess, OpKind, Register as X86,
};

use super::describe::mnemonic_name;
use super::registers::renamed;
use crate::pipeline::uop::{Register, registers};

/// What an instruction reads and writes, in renamed registers.
#[derive(Default)]
pub(super) struct Operands {
    pub(super) data_reads: Vec<Register>,
    pub(super) address_reads: Vec<Register>,
    pub(super) writes: Vec<Register>,
    pub(super) flag_writes: Vec<Register>,
    pub(super) reads_memory: bool,
    pub(super) writes_memory: bool,
    pub(super) memory_bytes: u8,
    pub(super) same: bool,
}

/// SSE operations on one lane that leave the rest of the destination as it was.
fn merges_destination(mnemonic: Mnemonic) -> bool {
    use Mnemonic as M;
    matches!(
        mnemonic,
        M::Sqrtss
            | M::Sqrtsd
            | M::Rcpss
            | M::Rsqrtss
            | M::Cvtsi2ss
            | M::Cvtsi2sd
            | M::Cvtss2sd
            | M::Cvtsd2ss
            | M::Roundss
            | M::Roundsd
    )
}

pub(super) fn operands_of(instruction: &Instruction, info: &InstructionInfo) -> Operands {
    let mut operands = Operands::default();
    for memory in info.used_memory() {
        let (reads, writes) = direction(memory.access());
        operands.reads_memory |= reads;
        operands.writes_memory |= writes;
        if reads || writes {
            let bytes = memory.memory_size().size().clamp(1, 64);
            operands.memory_bytes = u8::try_from(bytes).unwrap_or(8);
        }
        for register in [memory.base(), memory.index()] {
            if let Some(register) = renamed(register)
                && !operands.address_reads.contains(&register)
            {
                operands.address_reads.push(register);
            }
        }
    }
    let prefetch = mnemonic_name(instruction.mnemonic()).starts_with("prefetch");
    if prefetch {
        operands.reads_memory = true;
        operands.memory_bytes = 1;
    }
    let stack = instruction.is_stack_instruction();
    let explicit = |register: X86| {
        (0..instruction.op_count()).any(|i| {
            instruction.op_kind(i) == OpKind::Register
                && instruction.op_register(i).full_register() == register.full_register()
        })
    };
    for used in info.used_registers() {
        let register = used.register();
        let Some(number) = renamed(register) else {
            continue;
        };
        if stack && register.full_register() == X86::RSP {
            // The stack engine in front of rename keeps the pointer; it costs no micro-operation.
            continue;
        }
        let (mut reads, writes) = direction(used.access());
        let partial = writes && register.is_gpr() && register.size() < 4;
        reads |= partial;
        let only_address = operands.address_reads.contains(&number)
            && !explicit(register)
            && !(writes || is_implicit_accumulator(instruction, register));
        if reads && !only_address && !operands.data_reads.contains(&number) {
            operands.data_reads.push(number);
        }
        if writes && !operands.writes.contains(&number) {
            operands.writes.push(number);
        }
    }
    let legacy = instruction.code().op_code().encoding() == EncodingKind::Legacy;
    if legacy
        && merges_destination(instruction.mnemonic())
        && let Some(number) = renamed(instruction.op0_register())
        && !operands.data_reads.contains(&number)
    {
        operands.data_reads.push(number);
    }
    operands.writes.sort_unstable();
    for (mask, list) in [
        (instruction.rflags_read(), &mut operands.data_reads),
        (instruction.rflags_modified(), &mut operands.flag_writes),
    ] {
        if mask & iced_x86::RflagsBits::CF != 0 {
            list.push(registers::CARRY);
        }
        if mask & !iced_x86::RflagsBits::CF & ARITHMETIC_FLAGS != 0 {
            list.push(registers::FLAGS);
        }
    }
    let (first, second) = sources_of_idiom(instruction);
    operands.same = first != X86::None && first == second;
    operands
}

const ARITHMETIC_FLAGS: u32 = iced_x86::RflagsBits::OF
    | iced_x86::RflagsBits::SF
    | iced_x86::RflagsBits::ZF
    | iced_x86::RflagsBits::AF
    | iced_x86::RflagsBits::PF;

fn is_implicit_accumulator(instruction: &Instruction, register: X86) -> bool {
    use Mnemonic as M;
    let accumulator = matches!(register.full_register(), X86::RAX | X86::RDX);
    let uses = matches!(
        instruction.mnemonic(),
        M::Mul | M::Imul | M::Div | M::Idiv | M::Cmpxchg
    );
    accumulator && uses && instruction.op_count() == 1
}

/// The two source registers, where an operation on equal ones has a meaning of its own.
fn sources_of_idiom(instruction: &Instruction) -> (X86, X86) {
    let register = |i: u32| {
        if i < instruction.op_count() && instruction.op_kind(i) == OpKind::Register {
            instruction.op_register(i)
        } else {
            X86::None
        }
    };
    if instruction.op_count() == 3
        && instruction.op_kind(2) == OpKind::Register
        && instruction.op1_register().is_vector_register()
    {
        (register(1), register(2))
    } else {
        (register(0), register(1))
    }
}

const fn direction(access: OpAccess) -> (bool, bool) {
    match access {
        OpAccess::Read | OpAccess::CondRead => (true, false),
        OpAccess::Write => (false, true),
        OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        OpAccess::None | OpAccess::NoMemAccess => (false, false),
    }
}
