//! Generated code of the trace: a record per instruction.

use super::Writer;
use crate::{
    hot::HOT,
    ir::{
        builder::{Callee, Operand},
        decode::{DataAccess, Statement, decode, statements},
    },
    session,
    trace::{RECORD_BYTES, RECORDING},
};

impl<'b> Writer<'b, '_> {
    /// Empties the buffer before the block if the block's records might not fit.
    pub(super) fn check_trace_room(&mut self) {
        let Some(trace) = &self.session.trace else {
            return;
        };
        let count = statements(self.block)
            .map(|statement| match decode(self.block, statement) {
                Statement::Instruction { .. } => 1,
                _ => 0,
            })
            .sum();
        let last = self.out.constant(trace.last_start(count));
        let address = self.out.constant(HOT.next_record.address());
        let next = self.out.load(address);
        let full = self.out.above(next, last);
        let callee = Callee::One(c"drain", drain);
        self.out.call(callee, [next, next], Some(full));
    }

    /// Bytes from one record to the next: 0 while nothing is recorded.
    pub(super) fn trace_step(&mut self) -> Operand<'b> {
        let address = self.out.constant(RECORDING.address());
        let recording = self.out.load(address);
        let step = self.out.constant(RECORD_BYTES);
        self.out.and(recording, step)
    }

    /// Appends the record of the instruction that begins.
    pub(super) fn trace_instruction(&mut self, address: u64, bytes: u32) {
        let Some(trace) = &mut self.session.trace else {
            return;
        };
        let number = trace.code.number(address, bytes);
        let Some(words) = &self.words else { return };
        let (Some(next), Some(step)) = (words.next_record, words.record_step) else {
            return;
        };
        let number = self.out.constant(number.into());
        self.out.store(next, number);
        let eight = self.out.constant(8);
        let second = self.out.add(next, eight);
        let none = self.out.constant(0);
        self.out.store(second, none);
        let next = self.out.add(next, step);
        if let Some(words) = &mut self.words {
            words.next_record = Some(next);
            words.records_unsaved = true;
            words.untouched_record = Some(second);
        }
    }

    /// Adds the address to the instruction's record if it is the first that it touches.
    pub(super) fn trace_access(&mut self, access: &DataAccess<'b>) {
        let words = self.words.as_mut();
        if let Some(second) = words.and_then(|words| words.untouched_record.take()) {
            self.out.store(second, access.address);
        }
    }
}

extern "C" fn drain(_next: u64) {
    session::with(session::Session::drain);
}
