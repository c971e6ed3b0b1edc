//! Generated code of the translations: a comparison with the last page, and a record if it differs.
//!
//! Nothing here branches. The record is always written, and the place for the next one moves on only
//! if the page differs, the access happens and the region is open; else the next record overwrites it.

use super::Writer;
use crate::{
    ir::{
        builder::{Callee, Operand},
        decode::{DataAccess, Statement, decode, statements},
    },
    session,
    translations::{FETCHES, RECORD_BYTES, WORDS, about, of_site},
};
use models::{tlb::PageSize, trace::AccessKind};

/// Values valid from where they were loaded.
pub(super) struct TlbWords<'b> {
    next_record: Operand<'b>,
    slots: [SlotWords<'b>; 3],
    /// Page that the block's last instruction ended in, once there was one.
    fetched: Option<u64>,
    is_changed: bool,
}

/// A slot's words.
#[derive(Clone, Copy)]
struct SlotWords<'b> {
    last_page: Operand<'b>,
    accesses: Operand<'b>,
    is_changed: bool,
}

/// A record about to be written.
struct Record<'b> {
    slot: usize,
    /// Address, size and kind.
    what: Operand<'b>,
    /// Accesses of the slot before, and the site.
    count: Operand<'b>,
    /// First byte of the page that the access ends in.
    page: Operand<'b>,
    /// Whether the page differs; `None` if it always does.
    differs: Option<Operand<'b>>,
    guard: Option<Operand<'b>>,
}

impl<'b> Writer<'b, '_> {
    /// Empties the buffer before the block if the block's records might not fit, and ends an
    /// interval that is over.
    pub(super) fn check_translations(&mut self) {
        let Some(translations) = &self.session.translations else {
            return;
        };
        let most = statements(self.block)
            .map(|statement| match decode(self.block, statement) {
                Statement::Access(access) => u64::from(access.reads) + u64::from(access.writes),
                Statement::Instruction { .. } => 1,
                _ => 0,
            })
            .sum();
        let last = self.out.constant(translations.last_start(most));
        let has_intervals = translations.has_intervals();
        let address = self.out.constant(WORDS.next_record.address());
        let next = self.out.load(address);
        let full = self.out.above(next, last);
        let callee = Callee::One(c"drain_translations", drain);
        self.out.call(callee, [next, next], Some(full));
        if has_intervals {
            let address = self.out.constant(crate::hot::HOT.instructions.address());
            let now = self.out.load(address);
            let address = self.out.constant(WORDS.interval_ends.address());
            let end = self.out.load(address);
            let over = self.out.above(now, end);
            let callee = Callee::One(c"end_working_set", end_interval);
            self.out.call(callee, [now, now], Some(over));
        }
    }

    /// Loads the words that the rest of the block uses.
    pub(super) fn load_tlb_words(&mut self) {
        if self.session.translations.is_none() {
            return;
        }
        let mut load = |word: &crate::hot::Word| {
            let address = self.out.constant(word.address());
            self.out.load(address)
        };
        let next_record = load(&WORDS.next_record);
        let slots = [0, 1, 2].map(|slot: usize| SlotWords {
            last_page: load(&WORDS.last_page[slot]),
            accesses: load(&WORDS.accesses[slot]),
            is_changed: false,
        });
        self.tlb = Some(TlbWords {
            next_record,
            slots,
            fetched: None,
            is_changed: false,
        });
    }

    /// Brings the words in memory up to date: before every way out of the block.
    pub(super) fn save_tlb_words(&mut self) {
        let Some(words) = &mut self.tlb else { return };
        if !words.is_changed {
            return;
        }
        words.is_changed = false;
        let mut store = |word: &crate::hot::Word, value| {
            let address = self.out.constant(word.address());
            self.out.store(address, value);
        };
        store(&WORDS.next_record, words.next_record);
        for (slot, values) in words.slots.iter_mut().enumerate() {
            if values.is_changed {
                values.is_changed = false;
                store(&WORDS.last_page[slot], values.last_page);
                if slot != FETCHES {
                    store(&WORDS.accesses[slot], values.accesses);
                }
            }
        }
    }

    /// The instruction's bytes are fetched. Only the first instruction of the block in each page can
    /// be in another page than the fetch before it.
    pub(super) fn translate_fetch(&mut self, address: u64, bytes: u32) {
        let page = PageSize::Small.bytes();
        let first = address & !(page - 1);
        let last = (address + u64::from(bytes.saturating_sub(1))) & !(page - 1);
        let Some(words) = &mut self.tlb else { return };
        let before = words.fetched.replace(last);
        if before == Some(last) && first == last {
            return;
        }
        let last_page = words.slots[FETCHES].last_page;
        let Some(counted) = self.instructions_begun_before() else {
            return;
        };
        let site = self.fetch_site(address);
        let first = self.out.constant(first);
        let differs = self.out.differs(last_page, first);
        let site = self.out.constant(of_site(site));
        let is_one_page = address & !(page - 1) == last;
        let record = Record {
            slot: FETCHES,
            what: self
                .out
                .constant((address & ((1 << 47) - 1)) + about(bytes, AccessKind::Fetch)),
            count: self.out.add(counted, site),
            page: self.out.constant(last),
            differs: is_one_page.then_some(differs),
            guard: None,
        };
        self.append_translation(record);
    }

    /// A data access is translated once for each of its kinds.
    pub(super) fn translate_access(&mut self, access: &DataAccess<'b>) {
        if access.reads {
            self.translate_kind(access, AccessKind::Load);
        }
        if access.writes {
            self.translate_kind(access, AccessKind::Store);
        }
    }

    fn translate_kind(&mut self, access: &DataAccess<'b>, kind: AccessKind) {
        let Some(translations) = &self.session.translations else {
            return;
        };
        let slot = translations.slot_of(kind);
        let per_site = translations.is_per_site();
        let Some(words) = &self.tlb else { return };
        let SlotWords {
            last_page,
            accesses,
            ..
        } = words.slots[slot];
        let site = if per_site {
            2 * self
                .session
                .sites
                .number(self.address, kind == AccessKind::Store)
        } else {
            0
        };
        let page = PageSize::Small.bytes();
        // The furthest that the access may start behind the page's first byte and still end in it.
        let room = page.checked_sub(u64::from(access.bytes));
        let differs = room.map(|room| {
            let behind = self.out.sub(access.address, last_page);
            let room = self.out.constant(room);
            self.out.above(behind, room)
        });
        let to_last = self.out.constant(u64::from(access.bytes - 1));
        let last = self.out.add(access.address, to_last);
        let mask = self.out.constant(!(page - 1));
        let about = self.out.constant(about(access.bytes, kind));
        let site = self.out.constant(of_site(site));
        let record = Record {
            slot,
            what: self.out.add(access.address, about),
            count: self.out.add(accesses, site),
            page: self.out.and(last, mask),
            differs,
            guard: access.guard,
        };
        self.append_translation(record);
        let step = self.one_if(access.guard);
        let accesses = self.out.add(accesses, step);
        if let Some(words) = &mut self.tlb {
            words.slots[slot].accesses = accesses;
        }
    }

    /// 1 if the access happens and counts, else 0.
    fn one_if(&mut self, guard: Option<Operand<'b>>) -> Operand<'b> {
        let inside = self.words.as_ref().and_then(|words| words.inside);
        let one = match guard {
            Some(guard) => self.out.number_of(guard),
            None => self.out.constant(1),
        };
        match inside {
            Some(inside) => self.out.and(inside, one),
            None => one,
        }
    }

    fn append_translation(&mut self, record: Record<'b>) {
        let Some(words) = &self.tlb else { return };
        let (next, last_page) = (words.next_record, words.slots[record.slot].last_page);
        self.out.store(next, record.what);
        let eight = self.out.constant(8);
        let second = self.out.add(next, eight);
        self.out.store(second, record.count);
        let inside = self.words.as_ref().and_then(|words| words.inside);
        let happens = match (record.guard, record.differs) {
            (Some(guard), Some(differs)) => Some(self.out.both(guard, differs)),
            (happens, None) | (None, happens) => happens,
        };
        let always = happens.is_none() && inside.is_none();
        let mask = match happens {
            Some(happens) => {
                let one = self.out.number_of(happens);
                let zero = self.out.constant(0);
                self.out.sub(zero, one)
            }
            None => self.out.constant(u64::MAX),
        };
        let mask = match inside {
            Some(inside) => self.out.and(mask, inside),
            None => mask,
        };
        let step = self.out.constant(RECORD_BYTES);
        let step = self.out.and(mask, step);
        let next = self.out.add(next, step);
        // The page that was used last is this one, or stays what it was. Where the access always
        // happens and counts, an equal page may as well be written again.
        let page = if always || (inside.is_none() && record.guard.is_none()) {
            record.page
        } else {
            let change = self.out.sub(record.page, last_page);
            let change = self.out.and(change, mask);
            self.out.add(last_page, change)
        };
        if let Some(words) = &mut self.tlb {
            words.next_record = next;
            words.is_changed = true;
            words.slots[record.slot].last_page = page;
            words.slots[record.slot].is_changed = true;
        }
    }

    /// Instructions counted before the running one.
    fn instructions_begun_before(&mut self) -> Option<Operand<'b>> {
        let words = self.words.as_ref()?;
        let ran = self.begun.saturating_sub(1).saturating_sub(words.begun());
        let counted = words.instructions();
        let ran = self.out.constant(ran);
        Some(self.out.add(counted, ran))
    }

    fn fetch_site(&mut self, address: u64) -> u32 {
        match &mut self.session.translations {
            Some(translations) if translations.is_per_site() => {
                2 * translations.fetch_sites.number(address, false) + 1
            }
            _ => 0,
        }
    }
}

extern "C" fn drain(_next: u64) {
    session::with(session::Session::drain);
}

extern "C" fn end_interval(_now: u64) {
    session::with(session::Session::end_working_set);
}
