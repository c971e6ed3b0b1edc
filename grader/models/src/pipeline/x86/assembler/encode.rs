//! From statements to instructions: the shortest encoding whose operands fit.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use iced_x86::{
    BlockEncoder, BlockEncoderOptions, Code, Decoder, DecoderOptions, Encoder, EncodingKind,
    Instruction, InstructionBlock, OpCodeOperandKind as K, OpKind, Register,
};

use super::AsmError;
use super::operand::{MemoryOperand, Operand};
use super::parse::Statement;

/// Distance between the provisional addresses of two statements: longer than any instruction.
const STRIDE: u64 = 16;

/// The encodings of every mnemonic.
pub(super) struct Encodings {
    codes: BTreeMap<String, Vec<Code>>,
}

impl Encodings {
    pub(super) fn new() -> Self {
        let mut codes: BTreeMap<String, Vec<Code>> = BTreeMap::new();
        for code in Code::values() {
            let op_code = code.op_code();
            let plain = matches!(op_code.encoding(), EncodingKind::Legacy | EncodingKind::VEX);
            if plain && op_code.is_instruction() && op_code.mode64() {
                let name = format!("{:?}", code.mnemonic()).to_ascii_lowercase();
                codes.entry(name).or_default().push(code);
            }
        }
        Self { codes }
    }

    /// The mnemonic as the tables spell it, and the operand size that its suffix gives.
    fn resolve(&self, statement: &Statement) -> Option<(String, Option<usize>)> {
        let name = alias(&statement.mnemonic);
        if self.codes.contains_key(name) {
            return Some((name.to_string(), None));
        }
        if !statement.att {
            return None;
        }
        // `movzbl` and the like name both sizes.
        for (prefix, base) in [("movz", "movzx"), ("movs", "movsx")] {
            if let Some([from, _to]) = name.strip_prefix(prefix).map(str::as_bytes) {
                let size = suffix_size(*from)?;
                let base = if base == "movsx" && size == 4 {
                    "movsxd"
                } else {
                    base
                };
                return Some((base.to_string(), Some(size)));
            }
        }
        let (stem, suffix) = name.split_at_checked(name.len().checked_sub(1)?)?;
        let size = suffix_size(*suffix.as_bytes().first()?)?;
        let stem = alias(stem);
        self.codes
            .contains_key(stem)
            .then(|| (stem.to_string(), Some(size)))
    }

    /// The shortest encoding of `statement`, at the provisional address of its number `at`.
    pub(super) fn encode(
        &self,
        statement: &Statement,
        at: usize,
        target: impl Fn(&str) -> Option<usize>,
    ) -> Result<Instruction, AsmError> {
        let fail = |column, what: String, hint: &str| {
            Err(AsmError::new(statement.line, column, what, hint))
        };
        let Some((name, suffix)) = self.resolve(statement) else {
            let what = format!("`{}` is not an instruction", statement.mnemonic);
            return fail(statement.column, what, "check its spelling");
        };
        let mut targets = [0_u64; 5];
        for (i, operand) in statement.operands.iter().enumerate() {
            if let Operand::Label(label) = operand {
                let Some(to) = target(label) else {
                    let what = format!("there is no label `{label}`");
                    let hint = "add the line `label:` before the jump's target";
                    return fail(statement.columns[i], what, hint);
                };
                targets[i] = to as u64 * STRIDE;
            }
        }
        let mut best: Option<(usize, Instruction)> = None;
        let mut sizes = Vec::new();
        for &code in &self.codes[&name] {
            let Some(mut instruction) = build(code, statement, &targets) else {
                continue;
            };
            let memory = statement.operands.iter().find_map(|operand| match operand {
                Operand::Memory(memory) => Some(memory),
                _ => None,
            });
            if let Some(memory) = memory {
                let bytes = instruction.memory_size().size();
                let wanted = memory.size_bytes.or(suffix);
                if wanted.is_some_and(|wanted| bytes != 0 && wanted != bytes) {
                    continue;
                }
                if wanted.is_none() && !sizes.contains(&bytes) {
                    sizes.push(bytes);
                }
            } else if let (Some(suffix), Some(Operand::Register(register))) =
                (suffix, statement.operands.last())
                && register.is_gpr()
                && register.size() != suffix
                && *register != Register::CL
            {
                continue;
            }
            instruction.set_ip(at as u64 * STRIDE);
            instruction.set_has_lock_prefix(statement.lock);
            let mut encoder = Encoder::new(64);
            let Ok(length) = encoder.encode(&instruction, instruction.ip()) else {
                continue;
            };
            if best.as_ref().is_none_or(|(shortest, _)| length < *shortest) {
                best = Some((length, instruction));
            }
        }
        if sizes.len() > 1 {
            let what = "the size of the memory operand is not clear".to_string();
            return fail(
                statement.column,
                what,
                "write `dword ptr` or the like before the bracket",
            );
        }
        match best {
            Some((_, instruction)) => Ok(instruction),
            None => {
                let what = format!("`{name}` does not take these operands");
                fail(
                    statement.column,
                    what,
                    "check their number, order and sizes",
                )
            }
        }
    }
}

fn suffix_size(letter: u8) -> Option<usize> {
    match letter {
        b'b' => Some(1),
        b'w' => Some(2),
        b'l' => Some(4),
        b'q' => Some(8),
        _ => None,
    }
}

/// Names that assemblers accept and the tables do not have.
fn alias(name: &str) -> &str {
    match name {
        "jz" => "je",
        "jnz" => "jne",
        "jc" | "jnae" => "jb",
        "jnc" | "jnb" => "jae",
        "jna" => "jbe",
        "jnbe" => "ja",
        "jnge" => "jl",
        "jnl" => "jge",
        "jng" => "jle",
        "jnle" => "jg",
        "jpe" => "jp",
        "jpo" => "jnp",
        "setz" => "sete",
        "setnz" => "setne",
        "setc" | "setnae" => "setb",
        "setnc" | "setnb" => "setae",
        "setna" => "setbe",
        "setnbe" => "seta",
        "setnge" => "setl",
        "setnl" => "setge",
        "setng" => "setle",
        "setnle" => "setg",
        "cmovz" => "cmove",
        "cmovnz" => "cmovne",
        "cmovc" | "cmovnae" => "cmovb",
        "cmovnc" | "cmovnb" => "cmovae",
        "cmovna" => "cmovbe",
        "cmovnbe" => "cmova",
        "cmovnge" => "cmovl",
        "cmovnl" => "cmovge",
        "cmovng" => "cmovle",
        "cmovnle" => "cmovg",
        "sal" => "shl",
        "movabs" | "movabsq" => "mov",
        "cltq" => "cdqe",
        "cqto" => "cqo",
        "cltd" => "cdq",
        "retq" => "ret",
        "callq" => "call",
        "movslq" => "movsxd",
        other => other,
    }
}

/// An instruction of `code` with the operands of `statement`, `None` where they do not fit.
fn build(code: Code, statement: &Statement, targets: &[u64; 5]) -> Option<Instruction> {
    let op_code = code.op_code();
    let operands = &statement.operands;
    if op_code.op_count() as usize != operands.len() {
        return None;
    }
    let mut instruction = Instruction::default();
    instruction.set_code(code);
    for (i, operand) in operands.iter().enumerate() {
        let index = u32::try_from(i).ok()?;
        let kind = op_code.op_kind(index);
        match operand {
            Operand::Register(register) => {
                if !takes_register(kind, *register) {
                    return None;
                }
                instruction.set_op_kind(index, OpKind::Register);
                instruction.set_op_register(index, *register);
            }
            Operand::Memory(memory) => {
                if !takes_memory(kind) {
                    return None;
                }
                instruction.set_op_kind(index, OpKind::Memory);
                set_memory(&mut instruction, memory);
            }
            Operand::Immediate(value) => set_immediate(&mut instruction, index, kind, *value)?,
            Operand::Label(_) => {
                if !matches!(kind, K::br64_1 | K::br64_4) {
                    return None;
                }
                instruction.set_op_kind(index, OpKind::NearBranch64);
                instruction.set_near_branch64(targets[i]);
            }
        }
    }
    Some(instruction)
}

fn set_memory(instruction: &mut Instruction, memory: &MemoryOperand) {
    let (mut base, mut index) = (memory.base, memory.index);
    if index == Register::RSP && memory.scale == 1 {
        // The stack pointer cannot be an index; unscaled, the two are interchangeable.
        core::mem::swap(&mut base, &mut index);
    }
    instruction.set_memory_base(base);
    instruction.set_memory_index(index);
    instruction.set_memory_index_scale(memory.scale);
    instruction.set_memory_displacement64(memory.displacement.cast_unsigned());
    let size = match memory.displacement {
        0 => 0,
        -128..=127 => 1,
        _ => 8,
    };
    instruction.set_memory_displ_size(size);
}

fn set_immediate(instruction: &mut Instruction, index: u32, kind: K, value: i64) -> Option<()> {
    let in_bits = |bits: u32| {
        let top = 1_i64 << (bits - 1);
        (-top..top * 2).contains(&value)
    };
    let signed = |bits: u32| {
        let top = 1_i64 << (bits - 1);
        (-top..top).contains(&value)
    };
    let (op_kind, fits) = match kind {
        K::imm8 => (OpKind::Immediate8, in_bits(8)),
        K::imm8sex16 => (OpKind::Immediate8to16, signed(8)),
        K::imm8sex32 => (OpKind::Immediate8to32, signed(8)),
        K::imm8sex64 => (OpKind::Immediate8to64, signed(8)),
        K::imm16 => (OpKind::Immediate16, in_bits(16)),
        K::imm32 => (OpKind::Immediate32, in_bits(32)),
        K::imm32sex64 => (OpKind::Immediate32to64, signed(32)),
        K::imm64 => (OpKind::Immediate64, true),
        K::imm8_const_1 => (OpKind::Immediate8, value == 1),
        _ => return None,
    };
    if !fits {
        return None;
    }
    instruction.set_op_kind(index, op_kind);
    match op_kind {
        OpKind::Immediate8 => instruction.set_immediate8((value & 0xff) as u8),
        OpKind::Immediate16 => instruction.set_immediate16((value & 0xffff) as u16),
        OpKind::Immediate32 => instruction.set_immediate32((value & 0xffff_ffff) as u32),
        OpKind::Immediate64 => instruction.set_immediate64(value.cast_unsigned()),
        OpKind::Immediate8to16 => instruction.set_immediate8to16(i16::try_from(value).ok()?),
        OpKind::Immediate8to32 => instruction.set_immediate8to32(i32::try_from(value).ok()?),
        OpKind::Immediate8to64 => instruction.set_immediate8to64(value),
        _ => instruction.set_immediate32to64(value),
    }
    Some(())
}

fn takes_memory(kind: K) -> bool {
    matches!(
        kind,
        K::mem
            | K::mem_mpx
            | K::mem_offs
            | K::r8_or_mem
            | K::r16_or_mem
            | K::r32_or_mem
            | K::r64_or_mem
            | K::r32_or_mem_mpx
            | K::r64_or_mem_mpx
            | K::mm_or_mem
            | K::xmm_or_mem
            | K::ymm_or_mem
    )
}

fn takes_register(kind: K, register: Register) -> bool {
    match kind {
        K::r8_or_mem | K::r8_reg | K::r8_opcode => register.is_gpr8(),
        K::r16_or_mem | K::r16_reg | K::r16_rm | K::r16_opcode => register.is_gpr16(),
        K::r32_or_mem | K::r32_reg | K::r32_rm | K::r32_opcode | K::r32_vvvv => register.is_gpr32(),
        K::r64_or_mem | K::r64_reg | K::r64_rm | K::r64_opcode | K::r64_vvvv => register.is_gpr64(),
        K::xmm_or_mem | K::xmm_reg | K::xmm_rm | K::xmm_vvvv | K::xmm_is4 => register.is_xmm(),
        K::ymm_or_mem | K::ymm_reg | K::ymm_rm | K::ymm_vvvv | K::ymm_is4 => register.is_ymm(),
        K::al => register == Register::AL,
        K::cl => register == Register::CL,
        K::ax => register == Register::AX,
        K::dx => register == Register::DX,
        K::eax => register == Register::EAX,
        K::rax => register == Register::RAX,
        _ => false,
    }
}

/// Puts the instructions one after the other from `base` on and resolves the jumps.
pub(super) fn lay_out(placed: &[Instruction], base: u64) -> Result<Vec<Instruction>, String> {
    let block = InstructionBlock::new(placed, base);
    let encoded = BlockEncoder::encode(64, block, BlockEncoderOptions::NONE)
        .map_err(|error| error.to_string())?;
    let mut decoder = Decoder::with_ip(64, &encoded.code_buffer, base, DecoderOptions::NONE);
    Ok(decoder.iter().collect())
}
