//! Generated code of the reuse distance: records appended to a buffer.

use super::Writer;
use crate::{
    hot::HOT,
    ir::{
        builder::Callee,
        decode::{DataAccess, Statement, decode, statements},
    },
    records::description,
    session,
};

impl<'b> Writer<'b, '_> {
    /// Empties the buffer before the block if the block's records might not fit.
    pub(super) fn check_room(&mut self) {
        let Some(records) = &self.session.records else {
            return;
        };
        let count = statements(self.block)
            .map(|statement| match decode(self.block, statement) {
                Statement::Access(access) => u64::from(access.reads) + u64::from(access.writes),
                _ => 0,
            })
            .sum();
        let last = self.out.constant(records.last_start(count));
        let address = self.out.constant(HOT.next_record.address());
        let next = self.out.load(address);
        let full = self.out.above(next, last);
        let callee = Callee::One(c"drain", drain);
        self.out.call(callee, [next, next], Some(full));
    }

    /// Appends a record for each kind of the access.
    pub(super) fn record_access(&mut self, access: &DataAccess<'b>) {
        if access.reads {
            self.record(access, false);
        }
        if access.writes {
            self.record(access, true);
        }
    }

    fn record(&mut self, access: &DataAccess<'b>, is_store: bool) {
        let site = self.session.sites.number(self.address, is_store);
        let Some(words) = &self.words else { return };
        let (Some(next), Some(step)) = (words.next_record, words.record_step) else {
            return;
        };
        self.out.store(next, access.address);
        let eight = self.out.constant(8);
        let second = self.out.add(next, eight);
        let what = self.out.constant(description(site, access.bytes));
        self.out.store(second, what);
        let step = match access.guard {
            // A record whose access does not happen is written over by the next one.
            Some(guard) => {
                let happens = self.out.number_of(guard);
                let zero = self.out.constant(0);
                let mask = self.out.sub(zero, happens);
                self.out.and(step, mask)
            }
            None => step,
        };
        let next = self.out.add(next, step);
        if let Some(words) = &mut self.words {
            words.next_record = Some(next);
            words.records_unsaved = true;
        }
    }
}

extern "C" fn drain(_next: u64) {
    session::with(session::Session::drain);
}
