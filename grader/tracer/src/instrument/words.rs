//! The hot words of a block, kept in temporaries between the points where they must be in memory.

use super::Writer;
use crate::{hot::HOT, ir::builder::Operand};

/// Values valid from where they were loaded.
pub(super) struct Words<'b> {
    /// Instructions counted when the words were loaded.
    instructions: Operand<'b>,
    /// Instructions of the block begun when the words were loaded.
    begun: u64,
    /// Instructions of the block that the count in memory includes.
    saved: u64,
    /// Address of the filter in use.
    pub(super) filter: Option<Operand<'b>>,
    /// All ones if the region is open, else zero; `None` if there is no region.
    pub(super) inside: Option<Operand<'b>>,
    /// Where the next record goes.
    pub(super) next_record: Option<Operand<'b>>,
    /// Bytes to the record after it: 0 if the region is closed.
    pub(super) record_step: Option<Operand<'b>>,
    pub(super) records_unsaved: bool,
    /// Second word of the running instruction's record, if it has touched nothing yet.
    pub(super) untouched_record: Option<Operand<'b>>,
}

impl<'b> Words<'b> {
    /// Instructions counted when the words were loaded.
    pub(super) fn instructions(&self) -> Operand<'b> {
        self.instructions
    }

    /// Instructions of the block begun when the words were loaded.
    pub(super) fn begun(&self) -> u64 {
        self.begun
    }
}

impl<'b> Writer<'b, '_> {
    /// Loads the words that the rest of the block uses.
    pub(super) fn load_words(&mut self) {
        let mut load = |word: &crate::hot::Word| {
            let address = self.out.constant(word.address());
            self.out.load(address)
        };
        let instructions = load(&HOT.instructions);
        let limited = self.session.region.is_limited();
        let inside = limited.then(|| load(&HOT.inside));
        let measured = self.session.intervals.is_some();
        let filter = measured.then(|| load(&HOT.filter));
        let traced = self.session.trace.is_some();
        let recorded = self.session.records.is_some() || traced;
        let next_record = recorded.then(|| load(&HOT.next_record));
        let record_step = recorded.then(|| {
            let step = if traced {
                self.trace_step()
            } else {
                self.out.constant(crate::records::RECORD_BYTES)
            };
            match inside {
                Some(inside) => self.out.and(inside, step),
                None => step,
            }
        });
        self.words = Some(Words {
            instructions,
            begun: self.begun,
            saved: self.begun,
            filter,
            inside,
            next_record,
            record_step,
            records_unsaved: false,
            untouched_record: None,
        });
        self.load_tlb_words();
    }

    /// Brings the words in memory up to date: before every way out of the block.
    pub(super) fn save_words(&mut self) {
        self.save_tlb_words();
        let Some(words) = &mut self.words else { return };
        if words.saved < self.begun {
            words.saved = self.begun;
            let ran = self.out.constant(self.begun - words.begun);
            let counted = match words.inside {
                Some(inside) => self.out.and(inside, ran),
                None => ran,
            };
            let now = self.out.add(words.instructions, counted);
            let address = self.out.constant(HOT.instructions.address());
            self.out.store(address, now);
        }
        if let Some(next) = words.next_record
            && words.records_unsaved
        {
            words.records_unsaved = false;
            let address = self.out.constant(HOT.next_record.address());
            self.out.store(address, next);
        }
    }
}
