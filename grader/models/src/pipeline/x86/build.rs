//! From decoded x86 instructions to micro-operations of one machine.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, OpKind, Register as X86};

use super::describe::{
    branch_kind, has_length_changing_prefix, length, mnemonic_name, opcode_offset, uses_vectors,
};
use super::form::form_words;
use super::fusion;
use super::idioms::{is_plain_move, is_small_addition, is_zero_idiom};
use super::operands::{Operands, operands_of};
use super::registers::renamed;
use super::table::{Cell, CellUop, Destination, InstructionTable};
use crate::pipeline::inst::{BranchKind, Inst, Program};
use crate::pipeline::machine::Machine;
use crate::pipeline::uop::{PortSet, Register, Uop, Work, registers};

/// An instruction that the table has no figures for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// Its place in the program.
    pub inst: u32,
    /// Its mnemonic and form, as the table would spell them.
    pub name: String,
}

/// A program for one machine, and what could not be modelled in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Built {
    /// The program.
    pub program: Program,
    /// Instructions without figures. They take a slot, no port and no time.
    pub unknown: Vec<Unknown>,
}

/// Splits `instructions` for `machine`.
#[must_use]
pub fn build_program(machine: &'static Machine, instructions: &[Instruction]) -> Built {
    let table = InstructionTable::load().expect("a test reads the whole table");
    let mut factory = InstructionInfoFactory::new();
    let mut built = Built {
        program: Program::default(),
        unknown: Vec::new(),
    };
    let mut at = 0;
    while at < instructions.len() {
        let instruction = &instructions[at];
        let next = instructions.get(at + 1);
        let fused = next.filter(|jump| fusion::fuses(machine, instruction, jump));
        let mut parts = Parts::new(machine, &table, instruction, &mut factory);
        if let Some(jump) = fused {
            let lead = Inst {
                address: instruction.ip(),
                length_bytes: length(instruction),
                opcode_offset: opcode_offset(instruction),
                length_changing_prefix: has_length_changing_prefix(instruction),
                fused_into_next: true,
                ..Inst::default()
            };
            push(&mut built.program, lead, &[]);
            parts.become_branch(&table, jump);
            at += 1;
        }
        if let Some(name) = parts.unknown.take() {
            let inst = u32::try_from(at).unwrap_or(u32::MAX);
            built.unknown.push(Unknown { inst, name });
        }
        push(&mut built.program, parts.inst, &parts.uops);
        at += 1;
    }
    built
}

fn push(program: &mut Program, mut inst: Inst, uops: &[Uop]) {
    inst.first_uop = u32::try_from(program.uops.len()).unwrap_or(u32::MAX);
    inst.uop_count = u8::try_from(uops.len()).unwrap_or(u8::MAX);
    let slots = uops.iter().filter(|uop| uop.opens_slot).count();
    inst.slots = u8::try_from(slots).unwrap_or(u8::MAX);
    program.uops.extend_from_slice(uops);
    program.insts.push(inst);
}

/// An instruction on its way to micro-operations.
struct Parts {
    machine: &'static Machine,
    inst: Inst,
    uops: Vec<Uop>,
    operands: Operands,
    unknown: Option<String>,
}

impl Parts {
    fn new(
        machine: &'static Machine,
        table: &InstructionTable,
        instruction: &Instruction,
        factory: &mut InstructionInfoFactory,
    ) -> Self {
        let operands = operands_of(instruction, factory.info(instruction));
        let inst = Inst {
            address: instruction.ip(),
            length_bytes: length(instruction),
            opcode_offset: opcode_offset(instruction),
            length_changing_prefix: has_length_changing_prefix(instruction),
            branch: branch_kind(instruction),
            memory_bytes: operands.memory_bytes,
            ..Inst::default()
        };
        let mut parts = Self {
            machine,
            inst,
            uops: Vec::new(),
            operands,
            unknown: None,
        };
        let base = renamed(instruction.memory_base());
        let plain = instruction.memory_index() == X86::None && parts.operands.memory_bytes == 8;
        parts.inst.plain_address = base
            .filter(|_| plain && !uses_vectors(instruction))
            .map(|base| (base, instruction.memory_displacement64().cast_signed()));
        if parts.rename_only(instruction) {
            return parts;
        }
        let words = form_words(instruction, &parts.operands);
        let mnemonic = mnemonic_name(instruction.mnemonic());
        match table.find(&mnemonic, &words, machine) {
            Some(cell) => parts.split(instruction, cell),
            None => {
                parts.unknown = Some(format!("{mnemonic} ({})", words.join(" ")));
                parts.inst.unknown = true;
                parts.inst.cleared.clone_from(&parts.operands.writes);
                parts.uops.push(Uop::new(
                    if parts.inst.branch == BranchKind::None {
                        Work::Nothing
                    } else {
                        Work::Branch
                    },
                    if parts.inst.branch == BranchKind::None {
                        PortSet::NONE
                    } else {
                        PortSet::single(0)
                    },
                ));
            }
        }
        parts
    }

    /// Handles what rename does alone: zero idioms, register moves.
    fn rename_only(&mut self, instruction: &Instruction) -> bool {
        if self.operands.same && is_zero_idiom(instruction.mnemonic()) {
            self.inst.cleared.clone_from(&self.operands.writes);
            self.inst
                .cleared
                .extend_from_slice(&self.operands.flag_writes);
            self.uops.push(Uop::new(Work::Nothing, PortSet::NONE));
            return true;
        }
        if self.machine.eliminates_moves
            && is_plain_move(instruction, self.machine.eliminates_byte_extensions)
            && let ([from], [to]) = (&self.operands.data_reads[..], &self.operands.writes[..])
        {
            if from == to {
                // Intel does not eliminate a move to the register itself.
                return false;
            }
            self.inst.alias = Some((*to, *from));
            self.uops.push(Uop::new(Work::Nothing, PortSet::NONE));
            return true;
        }
        false
    }

    fn split(&mut self, instruction: &Instruction, cell: Cell) {
        let folded = self.machine.folds_small_immediates && is_small_addition(instruction);
        if folded {
            // Rename adds the constant: whoever reads the register waits for its old value only.
            self.operands.writes.clear();
        }
        if instruction.mnemonic() == Mnemonic::Pcmpeqd && self.operands.same {
            self.operands.data_reads.clear();
        }
        let (compute, moves) = match cell {
            Cell::Nop => {
                self.uops.push(Uop::new(Work::Nothing, PortSet::NONE));
                return;
            }
            Cell::Compute(uops) => (uops, false),
            Cell::Load | Cell::Store | Cell::Missing => (Vec::new(), true),
        };
        let loads = self.operands.reads_memory;
        if loads {
            self.push_load(instruction, moves && !self.operands.writes_memory);
            // Memory renaming takes moves, and operations whose result goes back to the same place; an
            // operand that only a register's new value is made from is loaded. Source: measured on
            // Golden Cove (loop `store-forward-operand`); on Zen 4 WINIC says so of add, sub, xor,
            // cmp, test, imul and tzcnt, and of bzhi alone the contrary.
            if !compute.is_empty() && !self.operands.writes_memory {
                self.inst.plain_address = None;
            }
        }
        let loaded = loads.then_some(registers::TEMPORARY);
        let fused_load = loads && self.machine.micro_fuses && !self.unlaminates(instruction);
        let result = self.push_compute(&compute, loaded, fused_load);
        if self.operands.writes_memory {
            let value = result.or(if moves { loaded } else { None });
            self.push_store(instruction, value);
        }
        if self.uops.is_empty() {
            self.uops.push(Uop::new(Work::Nothing, PortSet::NONE));
        }
    }

    fn push_load(&mut self, instruction: &Instruction, is_move: bool) {
        let machine = self.machine;
        let indexed = instruction.memory_index() != X86::None;
        let to_vector = uses_vectors(instruction);
        let latency = if to_vector {
            if self.operands.memory_bytes > 16 {
                machine.load_wide_cycles
            } else {
                machine.load_vector_cycles
            }
        } else if indexed {
            machine.load_indexed_cycles
        } else {
            machine.load_cycles
        };
        let mut load = Uop::new(
            Work::Load,
            if to_vector {
                machine.load_vector_ports
            } else {
                machine.load_ports
            },
        );
        for &register in &self.operands.address_reads {
            load.read(register, 0);
        }
        if is_move {
            for &register in &self.operands.writes {
                load.write(register, latency);
            }
        } else {
            load.write(registers::TEMPORARY, latency);
        }
        let short = (0..2048).contains(&instruction.memory_displacement64().cast_signed());
        if !to_vector && !indexed && short && machine.load_chased_cycles < latency {
            self.inst.chased_latency_cycles = Some(machine.load_chased_cycles);
        }
        self.uops.push(load);
    }

    /// Pushes the cell's micro-operations; returns where the value for a store stands.
    fn push_compute(
        &mut self,
        cell: &[CellUop],
        loaded: Option<Register>,
        fused_load: bool,
    ) -> Option<Register> {
        let last_of_chain = cell
            .iter()
            .rposition(|uop| uop.destination != Destination::Nowhere)?;
        let by_rank = cell
            .iter()
            .any(|uop| matches!(uop.destination, Destination::Rank(_)));
        let mut link = None;
        for (at, part) in cell.iter().enumerate() {
            if part.ports.is_empty() {
                self.uops.push(Uop::new(Work::Nothing, PortSet::NONE));
                continue;
            }
            let work = if self.inst.branch != BranchKind::None && at == last_of_chain {
                Work::Branch
            } else {
                Work::Compute
            };
            let mut uop = Uop::new(work, part.ports);
            uop.occupancy_cycles = part.occupancy_cycles;
            uop.bypass_class = u8::from(part.bypasses);
            uop.opens_slot = !(at == 0 && fused_load);
            match link {
                Some(before) if part.destination != Destination::Nowhere => uop.read(before, 0),
                _ => {
                    for &register in self.operands.data_reads.iter().chain(&loaded) {
                        uop.read(register, 0);
                    }
                }
            }
            let latency = part.latency_cycles;
            match part.destination {
                Destination::Nowhere => {}
                Destination::Rank(rank) => {
                    if let Some(&register) = self.operands.writes.get(usize::from(rank)) {
                        uop.write(register, latency);
                    }
                    if rank == 0 {
                        for &flag in &self.operands.flag_writes {
                            uop.write(flag, latency);
                        }
                    }
                }
                Destination::Chain if at == last_of_chain && !by_rank => {
                    for &register in self
                        .operands
                        .writes
                        .iter()
                        .chain(&self.operands.flag_writes)
                    {
                        uop.write(register, latency);
                    }
                }
                Destination::Chain => {}
            }
            if part.destination != Destination::Nowhere
                && (at < last_of_chain || self.operands.writes_memory)
            {
                let place = registers::TEMPORARY + 1 + u8::try_from(at % 8).unwrap_or(0);
                uop.write(place, latency);
                link = Some(place);
            }
            self.uops.push(uop);
        }
        link
    }

    fn push_store(&mut self, instruction: &Instruction, value: Option<Register>) {
        let indexed = instruction.memory_index() != X86::None;
        let machine = self.machine;
        let ports = if indexed {
            machine.store_address_indexed_ports
        } else {
            machine.store_address_ports
        };
        let mut address = Uop::new(Work::StoreAddress, ports);
        for &register in &self.operands.address_reads {
            address.read(register, 0);
        }
        address.opens_slot = self.uops.is_empty() || !machine.fuses_read_modify_write;
        let from_vector = value.is_none()
            && self
                .operands
                .data_reads
                .iter()
                .any(|r| (registers::VECTOR..registers::CARRY).contains(r));
        let ports = if from_vector && self.operands.memory_bytes > 16 {
            machine.store_data_wide_ports
        } else if from_vector {
            machine.store_data_vector_ports
        } else {
            machine.store_data_ports
        };
        let mut data = Uop::new(Work::StoreData, ports);
        data.opens_slot = !machine.micro_fuses;
        match value {
            Some(register) => data.read(register, 0),
            None => {
                for &register in &self.operands.data_reads {
                    data.read(register, 0);
                }
            }
        }
        self.uops.push(address);
        self.uops.push(data);
    }

    /// Whether rename splits the micro-fused load off.
    ///
    /// Source: Intel, Optimization Reference Manual, micro-fusion: an indexed operand stays fused only
    /// where the destination is also a source and there are two operands.
    fn unlaminates(&self, instruction: &Instruction) -> bool {
        let indexed = instruction.memory_index() != X86::None;
        let three = instruction.op_count() > 2
            && instruction.op_kind(instruction.op_count() - 1) != OpKind::Immediate8;
        self.machine.unlaminates_indexed && indexed && three
    }

    /// Turns a compare (or the like) into the branch that it is fused with.
    fn become_branch(&mut self, table: &InstructionTable, jump: &Instruction) {
        let words = form_words(jump, &Operands::default());
        let cell = table.find(&mnemonic_name(jump.mnemonic()), &words, self.machine);
        if let (Some(Cell::Compute(parts)), Some(uop)) = (cell, self.uops.last_mut()) {
            if let Some(part) = parts.last() {
                uop.ports = part.ports;
            }
            uop.work = Work::Branch;
        }
        self.inst.address = jump.ip();
        self.inst.length_bytes = length(jump);
        self.inst.opcode_offset = opcode_offset(jump);
        self.inst.length_changing_prefix = false;
        self.inst.branch = BranchKind::Conditional;
        self.inst.fused_with_previous = true;
    }
}
