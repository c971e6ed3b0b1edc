//! Executes common integer instructions, so that a pasted loop has real addresses and its branches
//! real outcomes.
//!
//! Vector registers have no values. An instruction that is not interpreted leaves its
//! general-purpose destinations as they are and makes the flags unknown; a forward branch on unknown
//! flags is not taken, a backward one is.

#![expect(
    clippy::cast_possible_truncation,
    reason = "registers are cut to the width of an operand on purpose"
)]

use alloc::collections::BTreeMap;

use super::flags::{
    Flags, add_flags, conditional_move, logic_flags, mask, shift, sign_extend, sub_flags,
};
use super::registers::is_high_byte;
use iced_x86::{ConditionCode, Instruction, Mnemonic, OpKind, Register};

/// What memory holds where nothing was stored.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MemoryFill {
    /// Every word holds its own address: a pointer chase stays where it is, in the first-level cache.
    #[default]
    OwnAddress,
    /// Zeros.
    Zero,
    /// Addresses of lines in a region of this many bytes, in random order: a pointer chase misses.
    RandomLines(u64),
    /// Random numbers.
    RandomNumbers,
    /// The same number everywhere.
    Everywhere(u64),
}

/// Where the region of [`MemoryFill::RandomLines`] starts.
const REGION: u64 = 0x1000_0000_0000;

/// The architectural state.
#[derive(Clone, Debug)]
pub struct Interpreter {
    registers: [u64; 16],
    flags: Option<Flags>,
    memory: BTreeMap<u64, u64>,
    fill: MemoryFill,
    /// Address and size of the only memory there is, if every address leads into it.
    ring: Option<(u64, u64)>,
    /// Branches that were decided on unknown flags.
    pub unknown_branches: u64,
}

impl Default for Interpreter {
    fn default() -> Self {
        Self::new(MemoryFill::default())
    }
}

/// A bijective mixer. Source: the finalizer of SplitMix64, Steele, Lea and Flood, OOPSLA 2014.
fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

impl Interpreter {
    /// Registers that point to places far apart, in different sets of every cache.
    #[must_use]
    pub fn new(fill: MemoryFill) -> Self {
        let registers =
            core::array::from_fn(|i| ((i as u64 + 1) << 32) + i as u64 * 0x1_0000 + i as u64 * 256);
        Self {
            registers,
            flags: None,
            memory: BTreeMap::new(),
            fill,
            ring: None,
            unknown_branches: 0,
        }
    }

    /// Makes every address lead into the `bytes` at `start`, modulo their number, a power of two. Some
    /// harnesses map memory so, and a walk through an array stays in the cache.
    pub fn keep_to_ring(&mut self, start: u64, bytes: u64) {
        self.ring = Some((start, bytes.next_power_of_two()));
    }

    fn mapped(&self, address: u64) -> u64 {
        self.ring
            .map_or(address, |(start, bytes)| start + (address & (bytes - 1)))
    }

    /// Sets general-purpose register `register` to `value`.
    pub fn set(&mut self, register: Register, value: u64) {
        if register.is_gpr() {
            self.write_register(register, value);
        }
    }

    fn read_register(&self, register: Register) -> u64 {
        if register == Register::None || !register.is_gpr() {
            return 0;
        }
        let value = self.registers[register.full_register().number()];
        if is_high_byte(register) {
            value >> 8 & 0xff
        } else {
            value & mask(register.size())
        }
    }

    fn write_register(&mut self, register: Register, value: u64) {
        if !register.is_gpr() {
            return;
        }
        let slot = &mut self.registers[register.full_register().number()];
        *slot = match register.size() {
            8 => value,
            4 => value & mask(4),
            2 => *slot & !mask(2) | value & mask(2),
            _ if is_high_byte(register) => *slot & !0xff00 | (value & 0xff) << 8,
            _ => *slot & !0xff | value & 0xff,
        };
    }

    /// The address of the instruction's memory operand, 0 without one.
    #[must_use]
    pub fn memory_address(&self, instruction: &Instruction) -> u64 {
        let explicit =
            (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::Memory);
        if explicit {
            return self.mapped(self.effective_address(instruction));
        }
        let stack = self.registers[4];
        match instruction.mnemonic() {
            Mnemonic::Push | Mnemonic::Call => self.mapped(stack.wrapping_sub(8)),
            Mnemonic::Pop | Mnemonic::Ret => self.mapped(stack),
            Mnemonic::Leave => self.mapped(self.registers[5]),
            _ => 0,
        }
    }

    fn effective_address(&self, instruction: &Instruction) -> u64 {
        if instruction.is_ip_rel_memory_operand() {
            return instruction.ip_rel_memory_address();
        }
        let index = self.read_register(instruction.memory_index());
        self.read_register(instruction.memory_base())
            .wrapping_add(index.wrapping_mul(u64::from(instruction.memory_index_scale())))
            .wrapping_add(instruction.memory_displacement64())
    }

    fn word(&self, number: u64) -> u64 {
        self.memory
            .get(&number)
            .copied()
            .unwrap_or_else(|| match self.fill {
                MemoryFill::OwnAddress => number << 3,
                MemoryFill::Zero => 0,
                MemoryFill::RandomLines(bytes) => REGION + mix(number) % (bytes >> 6).max(1) * 64,
                MemoryFill::RandomNumbers => mix(number),
                MemoryFill::Everywhere(value) => value,
            })
    }

    fn load(&self, address: u64, bytes: usize) -> u64 {
        let address = self.mapped(address);
        let shift = (address & 7) * 8;
        let low = self.word(address >> 3) >> shift;
        let value = if shift == 0 {
            low
        } else {
            low | self.word((address >> 3).wrapping_add(1)) << (64 - shift)
        };
        value & mask(bytes)
    }

    fn store(&mut self, address: u64, bytes: usize, value: u64) {
        for i in 0..bytes.min(8) as u64 {
            let at = self.mapped(address.wrapping_add(i));
            let shift = (at & 7) * 8;
            let word = self.word(at >> 3) & !(0xff << shift) | (value >> (i * 8) & 0xff) << shift;
            self.memory.insert(at >> 3, word);
        }
    }

    fn operand(&self, instruction: &Instruction, i: u32) -> Option<u64> {
        match instruction.op_kind(i) {
            OpKind::Register => {
                let register = instruction.op_register(i);
                register.is_gpr().then(|| self.read_register(register))
            }
            OpKind::Memory => {
                let bytes = instruction.memory_size().size();
                (bytes <= 8).then(|| self.load(self.effective_address(instruction), bytes))
            }
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => None,
            _ => Some(instruction.immediate(i)),
        }
    }

    fn write_operand(&mut self, instruction: &Instruction, value: u64) {
        match instruction.op0_kind() {
            OpKind::Register => self.write_register(instruction.op0_register(), value),
            OpKind::Memory => {
                let bytes = instruction.memory_size().size();
                self.store(self.effective_address(instruction), bytes, value);
            }
            _ => {}
        }
    }

    /// Executes `instruction`; returns the address of the next one.
    pub fn step(&mut self, instruction: &Instruction) -> u64 {
        let next = instruction.next_ip();
        if instruction.is_jcc_short_or_near() {
            let target = instruction.near_branch_target();
            let taken = self
                .condition(instruction.condition_code())
                .unwrap_or_else(|| {
                    self.unknown_branches += 1;
                    target <= instruction.ip()
                });
            return if taken { target } else { next };
        }
        if instruction.is_jmp_short_or_near() {
            return instruction.near_branch_target();
        }
        if self.execute(instruction).is_none() && instruction.rflags_modified() != 0 {
            self.flags = None;
        }
        next
    }

    /// Executes what is neither a jump nor a call; `None` when it is not interpreted.
    fn execute(&mut self, instruction: &Instruction) -> Option<()> {
        use Mnemonic as M;
        let bytes = match instruction.op0_kind() {
            OpKind::Register => instruction.op0_register().size(),
            OpKind::Memory => instruction.memory_size().size(),
            _ => 8,
        };
        let mnemonic = instruction.mnemonic();
        match mnemonic {
            M::Mov | M::Movzx => {
                let value = self.operand(instruction, 1)?;
                self.write_operand(instruction, value);
            }
            M::Movsx | M::Movsxd => {
                let from = match instruction.op1_kind() {
                    OpKind::Register => instruction.op1_register().size(),
                    _ => instruction.memory_size().size(),
                };
                let value = sign_extend(self.operand(instruction, 1)?, from);
                self.write_operand(instruction, value);
            }
            M::Lea => {
                let value = self.effective_address(instruction);
                self.write_operand(instruction, value);
            }
            M::Push => {
                let value = self.operand(instruction, 0)?;
                self.registers[4] = self.registers[4].wrapping_sub(8);
                self.store(self.registers[4], 8, value);
            }
            M::Pop => {
                let value = self.load(self.registers[4], 8);
                self.registers[4] = self.registers[4].wrapping_add(8);
                self.write_operand(instruction, value);
            }
            M::Cdqe => self.registers[0] = sign_extend(self.registers[0] & mask(4), 4),
            M::Cqo => self.registers[2] = (self.registers[0].cast_signed() >> 63).cast_unsigned(),
            M::Bswap if bytes == 8 => {
                let value = self.operand(instruction, 0)?.swap_bytes();
                self.write_operand(instruction, value);
            }
            M::Xchg => {
                let (a, b) = (self.operand(instruction, 0)?, self.operand(instruction, 1)?);
                self.write_operand(instruction, b);
                self.write_register(instruction.op1_register(), a);
            }
            _ => return self.execute_arithmetic(instruction, bytes),
        }
        Some(())
    }

    fn execute_arithmetic(&mut self, instruction: &Instruction, bytes: usize) -> Option<()> {
        use Mnemonic as M;
        let mnemonic = instruction.mnemonic();
        if let Some(code) = conditional_move(instruction) {
            let taken = self.condition(code)?;
            let value = if taken {
                self.operand(instruction, 1)?
            } else {
                self.operand(instruction, 0)?
            };
            self.write_operand(instruction, value);
            return Some(());
        }
        if instruction.op_count() == 1 && instruction.condition_code() != ConditionCode::None {
            let value = u64::from(self.condition(instruction.condition_code())?);
            self.write_operand(instruction, value);
            return Some(());
        }
        let a = self.operand(instruction, 0)? & mask(bytes);
        let b = if instruction.op_count() > 1 {
            self.operand(instruction, 1)? & mask(bytes)
        } else {
            1
        };
        let carry = self.flags.is_some_and(|flags| flags.carry);
        let count = (b & if bytes == 8 { 63 } else { 31 }) as u32;
        let bits = bytes as u32 * 8;
        let (value, flags, keep) = match mnemonic {
            M::Add => (a.wrapping_add(b), add_flags(a, b, false, bytes), true),
            M::Adc => {
                let sum = a.wrapping_add(b).wrapping_add(u64::from(carry));
                (sum, add_flags(a, b, carry, bytes), true)
            }
            M::Sub => (a.wrapping_sub(b), sub_flags(a, b, bytes), true),
            M::Sbb => {
                let b = b.wrapping_add(u64::from(carry));
                (a.wrapping_sub(b), sub_flags(a, b, bytes), true)
            }
            M::Cmp => (a, sub_flags(a, b, bytes), false),
            M::And => (a & b, logic_flags(a & b, bytes), true),
            M::Or => (a | b, logic_flags(a | b, bytes), true),
            M::Xor => (a ^ b, logic_flags(a ^ b, bytes), true),
            M::Test => (a, logic_flags(a & b, bytes), false),
            M::Inc => (
                a.wrapping_add(1),
                Flags {
                    carry,
                    ..add_flags(a, 1, false, bytes)
                },
                true,
            ),
            M::Dec => (
                a.wrapping_sub(1),
                Flags {
                    carry,
                    ..sub_flags(a, 1, bytes)
                },
                true,
            ),
            M::Neg => (a.wrapping_neg(), sub_flags(0, a, bytes), true),
            M::Not => (!a, self.flags.unwrap_or_default(), true),
            M::Shl | M::Shr | M::Sar | M::Rol | M::Ror => {
                let (value, out) = shift(mnemonic, a, count, bits);
                let flags = Flags {
                    carry: out,
                    ..logic_flags(value, bytes)
                };
                (value, flags, true)
            }
            M::Shld => {
                let by = self.operand(instruction, 2)? as u32 & 63;
                let value = if by == 0 { a } else { a << by | b >> (64 - by) };
                (value, logic_flags(value, bytes), bytes == 8)
            }
            M::Imul if instruction.op_count() == 2 => {
                let value = a.wrapping_mul(b);
                (value, logic_flags(value, bytes), true)
            }
            M::Imul if instruction.op_count() == 3 => {
                let value = b.wrapping_mul(self.operand(instruction, 2)?);
                (value, logic_flags(value, bytes), true)
            }
            M::Popcnt => (u64::from(b.count_ones()), logic_flags(b, bytes), true),
            M::Tzcnt => (
                u64::from(b.trailing_zeros().min(bits)),
                logic_flags(b, bytes),
                true,
            ),
            M::Bt => {
                let out = a >> (count % bits) & 1 == 1;
                (
                    a,
                    Flags {
                        carry: out,
                        ..self.flags.unwrap_or_default()
                    },
                    false,
                )
            }
            _ => return None,
        };
        self.flags = Some(flags);
        if keep {
            self.write_operand(instruction, value & mask(bytes));
        }
        Some(())
    }

    fn condition(&self, code: ConditionCode) -> Option<bool> {
        self.flags?.hold(code)
    }
}
