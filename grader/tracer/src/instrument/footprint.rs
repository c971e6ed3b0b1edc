//! Generated code of the footprint: filters in front of calls.

use super::{Writer, code_of};
use crate::{
    filter::{SLOTS, TABLE_BYTES},
    hot::HOT,
    ir::{
        builder::{Callee, Operand},
        decode::DataAccess,
    },
    session,
};
use models::trace::AccessKind;

/// An access's size stands below, its instruction's position in the block above.
const POSITION_SHIFT: u32 = 32;

impl<'b> Writer<'b, '_> {
    /// Reports before the block if an interval may end within it.
    pub(super) fn check_interval(&mut self) {
        let code = code_of(self.block, self.session.options.unit_shift);
        let length = code.units.len() as u64;
        self.code = self.session.blocks.len();
        self.session.blocks.push(code);
        let address = self.out.constant(HOT.instructions.address());
        let begin = self.out.load(address);
        let length = self.out.constant(length);
        let end = self.out.add(begin, length);
        let address = self.out.constant(HOT.check_at.address());
        let limit = self.out.load(address);
        let passes = self.out.below(limit, end);
        let code = self.out.constant(self.code as u64);
        let callee = Callee::One(c"block_begins", block_begins);
        self.out.call(callee, [code, code], Some(passes));
    }

    /// The instruction's bytes are fetched, unless an instruction before it in the block has fetched
    /// from the same unit.
    pub(super) fn fetch(&mut self, address: u64, bytes: u32, position: u64) {
        let shift = self.session.options.unit_shift;
        let last = (address + u64::from(bytes.saturating_sub(1))) >> shift;
        for unit in (address >> shift)..=last {
            if !self.has_fetched(unit, position) {
                self.fetch_unit(unit);
            }
        }
    }

    /// Whether an earlier instruction of the block has fetched from `unit`.
    fn has_fetched(&self, unit: u64, position: u64) -> bool {
        let code = self.session.blocks.get(self.code);
        let index = |position| usize::try_from(position).unwrap_or(usize::MAX);
        let before = index(self.counts_from)..index(position);
        let units = code.and_then(|code| code.units.get(before));
        let mut units = units.unwrap_or_default().iter();
        units.any(|&(first, last)| first == unit || last == unit)
    }

    fn fetch_unit(&mut self, unit: u64) {
        let Some((filter, inside)) = self.filter_words() else {
            return;
        };
        let shift = self.session.options.unit_shift;
        let table = AccessKind::Fetch.index() as u64 * TABLE_BYTES;
        let slot = self.out.constant(table + (unit & (SLOTS - 1)) * 8);
        let entry = self.out.add(filter, slot);
        let tag = self.out.load(entry);
        let wanted = self.out.constant(unit << shift);
        let mut missed = self.out.differs(tag, wanted);
        if let Some(inside) = inside {
            let zero = self.out.constant(0);
            let open = self.out.differs(inside, zero);
            missed = self.out.both(missed, open);
        }
        let unit = self.out.constant(unit);
        let callee = Callee::One(c"fetch", fetch);
        self.out.call(callee, [unit, unit], Some(missed));
    }

    /// A data access: a call for each of its kinds, unless the filter knows its unit.
    pub(super) fn filter_access(&mut self, access: &DataAccess<'b>) {
        if access.reads {
            let callee = Callee::Two(c"load", load);
            self.filter_kind(access, AccessKind::Load, callee);
        }
        if access.writes {
            let callee = Callee::Two(c"store", store);
            self.filter_kind(access, AccessKind::Store, callee);
        }
    }

    fn filter_kind(&mut self, access: &DataAccess<'b>, kind: AccessKind, callee: Callee) {
        let Some((filter, inside)) = self.filter_words() else {
            return;
        };
        let shift = self.session.options.unit_shift;
        let unit_bytes = 1u64 << shift;
        // The furthest that the access may start behind the unit's first byte and still end in it.
        let room = unit_bytes.checked_sub(u64::from(access.bytes));
        let mut missed = match room {
            Some(room) => {
                let tag = self.tag_of(access.address, filter, kind);
                let mut behind = self.out.sub(access.address, tag);
                if let Some(inside) = inside {
                    behind = self.out.and(behind, inside);
                }
                let room = self.out.constant(room);
                Some(self.out.above(behind, room))
            }
            None => inside.map(|inside| {
                let zero = self.out.constant(0);
                self.out.differs(inside, zero)
            }),
        };
        if let Some(guard) = access.guard {
            missed = Some(match missed {
                Some(missed) => self.out.both(guard, missed),
                None => guard,
            });
        }
        let position = self.begun.saturating_sub(1) << POSITION_SHIFT;
        let description = self.out.constant(position | u64::from(access.bytes));
        self.out.call(callee, [access.address, description], missed);
    }

    /// The tag in the slot of the access's unit. Written in the form that VEX folds into one load.
    fn tag_of(
        &mut self,
        address: Operand<'b>,
        filter: Operand<'b>,
        kind: AccessKind,
    ) -> Operand<'b> {
        #[expect(clippy::cast_possible_truncation, reason = "an option is at most 30")]
        let shift = self.session.options.unit_shift as u8;
        let unit = if shift == 0 {
            address
        } else {
            self.out.shift_right(address, shift)
        };
        let mask = self.out.constant(SLOTS - 1);
        let slot = self.out.and(unit, mask);
        let offset = self.out.shift_left(slot, 3);
        let entry = self.out.add(filter, offset);
        let table = self.out.constant(kind.index() as u64 * TABLE_BYTES);
        let entry = self.out.add(entry, table);
        self.out.load(entry)
    }

    fn filter_words(&self) -> Option<(Operand<'b>, Option<Operand<'b>>)> {
        let words = self.words.as_ref()?;
        Some((words.filter?, words.inside))
    }
}

extern "C" fn block_begins(code: u64) {
    let code = usize::try_from(code).unwrap_or(usize::MAX);
    session::with(|session| session.block_begins(code));
}

extern "C" fn load(address: u64, description: u64) {
    data(address, description, AccessKind::Load);
}

extern "C" fn store(address: u64, description: u64) {
    data(address, description, AccessKind::Store);
}

#[inline]
fn data(address: u64, description: u64, kind: AccessKind) {
    let bytes = description & ((1 << POSITION_SHIFT) - 1);
    let position = description >> POSITION_SHIFT;
    session::with(|session| session.data((address, bytes), kind, position));
}

extern "C" fn fetch(unit: u64) {
    session::with(|session| session.fetch(unit));
}
