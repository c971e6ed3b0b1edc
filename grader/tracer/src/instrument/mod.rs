//! Generated code: what the tool adds to each block that Valgrind translates.
//!
//! A block is a run of instructions with side exits. Its new form is, in order: leave the region if
//! the stack pointer says so; report if an interval may end within the block; load the words that
//! the rest uses; then the original statements, each access preceded by its check or its record, and
//! each exit by an update of the instruction count. The words live in temporaries in between, which
//! VEX keeps in registers.

mod footprint;
mod reuse;
mod tlb;
mod trace;
mod words;

use crate::{
    hot::HOT,
    intervals::BlockCode,
    ir::{
        builder::{Builder, Callee},
        decode::{DataAccess, Statement, decode, statements},
        layout::IrSb,
    },
    session::{self, Session},
};
use alloc::vec::Vec;
use tlb::TlbWords;
use words::Words;

/// Returns the instrumented form of `block`. The stack pointer lies at `stack_pointer` in the
/// guest state.
pub(crate) fn block(block: &IrSb, stack_pointer: i32) -> *mut IrSb {
    session::with(|session| {
        let mut writer = Writer::new(session, block, stack_pointer);
        writer.begin_block();
        for statement in statements(block) {
            match decode(block, statement) {
                Statement::Instruction { address, bytes } => {
                    writer.instruction(address, bytes);
                    writer.out.push(statement);
                }
                Statement::Access(access) => {
                    writer.access(&access);
                    writer.out.push(statement);
                }
                Statement::Exit => {
                    writer.save_words();
                    writer.out.push(statement);
                }
                Statement::Other => writer.out.push(statement),
            }
        }
        writer.save_words();
        writer.out.finish()
    })
}

/// Writes one block.
struct Writer<'b, 's> {
    session: &'s mut Session,
    out: Builder<'b>,
    block: &'b IrSb,
    /// Where the stack pointer lies in the guest state.
    stack_pointer: i32,
    /// Index of the block's code in the session, if footprints are measured.
    code: usize,
    words: Option<Words<'b>>,
    /// The words of translations, if they are measured.
    tlb: Option<TlbWords<'b>>,
    /// Instructions begun so far.
    begun: u64,
    /// The first instruction that may count: 0, or where the region was entered within the block.
    counts_from: u64,
    /// Address of the running instruction.
    address: u64,
}

impl<'b, 's> Writer<'b, 's> {
    fn new(session: &'s mut Session, block: &'b IrSb, stack_pointer: i32) -> Self {
        Self {
            session,
            out: Builder::like(block),
            block,
            stack_pointer,
            code: 0,
            words: None,
            tlb: None,
            begun: 0,
            counts_from: 0,
            address: 0,
        }
    }

    fn begin_block(&mut self) {
        if self.session.region.is_limited() {
            self.check_leave();
        }
        if self.session.intervals.is_some() {
            self.check_interval();
        }
        if self.session.records.is_some() {
            self.check_room();
        }
        if self.session.trace.is_some() {
            self.check_trace_room();
        }
        if self.session.translations.is_some() {
            self.check_translations();
        }
        self.load_words();
    }

    /// Leaves the region if the stack pointer is above where the region was entered.
    fn check_leave(&mut self) {
        let now = self.out.register(self.stack_pointer);
        let word = self.out.constant(HOT.leave_above.address());
        let limit = self.out.load(word);
        let left = self.out.below(limit, now);
        let callee = Callee::One(c"leave_region", leave_region);
        self.out.call(callee, [now, now], Some(left));
    }

    fn instruction(&mut self, address: u64, bytes: u32) {
        if self.session.region.starts_at(address) {
            self.enter_region();
        }
        let position = self.begun;
        self.begun += 1;
        self.address = address;
        if self.session.intervals.is_some() {
            self.fetch(address, bytes, position);
        }
        self.trace_instruction(address, bytes);
        if self.session.translations.is_some() {
            self.translate_fetch(address, bytes);
        }
    }

    fn enter_region(&mut self) {
        self.save_words();
        let now = self.out.register(self.stack_pointer);
        let position = self.out.constant(self.begun);
        let callee = Callee::Two(c"enter_region", enter_region);
        self.out.call(callee, [now, position], None);
        self.counts_from = self.begun;
        self.load_words();
    }

    fn access(&mut self, access: &DataAccess<'b>) {
        if access.bytes == 0 {
            return;
        }
        if self.session.intervals.is_some() {
            self.filter_access(access);
        }
        if self.session.records.is_some() {
            self.record_access(access);
        }
        self.trace_access(access);
        if self.session.translations.is_some() {
            self.translate_access(access);
        }
    }
}

/// The instructions of `block`, as units of `1 << unit_shift` bytes.
fn code_of(block: &IrSb, unit_shift: u32) -> BlockCode {
    let units: Vec<(u64, u64)> = statements(block)
        .filter_map(|statement| match decode(block, statement) {
            Statement::Instruction { address, bytes } => {
                let last = address + u64::from(bytes.saturating_sub(1));
                Some((address >> unit_shift, last >> unit_shift))
            }
            _ => None,
        })
        .collect();
    BlockCode {
        units: units.into_boxed_slice(),
    }
}

extern "C" fn leave_region(_stack_pointer: u64) {
    session::with(Session::leave_region);
}

extern "C" fn enter_region(stack_pointer: u64, position: u64) {
    session::with(|session| session.enter_region(stack_pointer, position));
}
