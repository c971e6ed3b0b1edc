//! The footprint, interval by interval, with every interval starting at its exact instruction.
//!
//! Generated code checks once per block whether an interval ends within it. If not, which is nearly
//! always, only accesses that miss the [`Filter`] come here. If so, the block runs *precisely*: it is
//! given a filter that is always empty, so every access comes here with the position of its
//! instruction in the block, and an interval ends before the first access that lies beyond it.
//! Instruction fetches of a precise block are counted afterwards, when it is known how far it ran.

use crate::{filter::Filter, hot::HOT};
use alloc::{boxed::Box, vec::Vec};
use models::{
    footprint::{Footprint, Touched},
    trace::AccessKind,
};

/// Where a translated block fetches instructions from.
pub(crate) struct BlockCode {
    /// Each instruction's first and last unit, by position in the block.
    pub(crate) units: Box<[(u64, u64)]>,
}

/// A row of the result: an interval of the whole program, or of one thread.
pub(crate) struct Row {
    /// Number of the interval's first instruction.
    pub(crate) start: u64,
    /// The thread, if rows are per thread.
    pub(crate) thread: Option<u32>,
    pub(crate) touched: Touched,
}

/// One thread's own counts.
struct PerThread {
    thread: u32,
    footprint: Footprint,
    filter: Filter,
}

/// A block that is running while an interval may end.
struct Precise {
    block: usize,
    /// Number of the block's first instruction; wraps if the region was entered later in the block.
    first: u64,
    /// Instructions of the block whose fetch has been counted.
    fetched: u64,
}

/// The footprint under construction.
pub(crate) struct Intervals {
    unit_shift: u32,
    interval: u64,
    start: u64,
    /// Number of the first instruction of the next interval.
    next_start: u64,
    all: Footprint,
    shared_filter: Filter,
    /// Always empty: the filter of precise blocks.
    no_filter: Filter,
    /// Empty unless rows per thread are wanted.
    threads: Vec<PerThread>,
    per_thread: bool,
    running: usize,
    precise: Option<Precise>,
}

impl Intervals {
    pub(crate) fn new(unit_shift: u32, interval: u64, per_thread: bool) -> Self {
        let intervals = Self {
            unit_shift,
            interval,
            start: 0,
            next_start: interval,
            all: Footprint::new(unit_shift),
            shared_filter: Filter::new(),
            no_filter: Filter::new(),
            threads: Vec::new(),
            per_thread,
            running: 0,
            precise: None,
        };
        intervals.run_fast();
        intervals
    }

    /// The footprint since the beginning.
    pub(crate) fn total(&self) -> &Touched {
        self.all.total()
    }

    fn filter_mut(&mut self) -> &mut Filter {
        match self.threads.get_mut(self.running) {
            Some(thread) => &mut thread.filter,
            None => &mut self.shared_filter,
        }
    }

    fn run_fast(&self) {
        let filter = match self.threads.get(self.running) {
            Some(thread) => &thread.filter,
            None => &self.shared_filter,
        };
        HOT.filter.set(filter.address());
        HOT.check_at.set(self.next_start);
    }

    /// Another thread runs from here on. Call [`Self::settle`] before.
    pub(crate) fn thread_runs(&mut self, thread: u32) {
        if !self.per_thread {
            return;
        }
        let known = self.threads.iter().position(|known| known.thread == thread);
        self.running = known.unwrap_or_else(|| {
            self.threads.push(PerThread {
                thread,
                footprint: Footprint::new(self.unit_shift),
                filter: Filter::new(),
            });
            self.threads.len() - 1
        });
        self.run_fast();
    }

    /// A block begins that may end the interval.
    pub(crate) fn block_begins(
        &mut self,
        block: usize,
        blocks: &[BlockCode],
        emit: &mut dyn FnMut(Row),
    ) {
        self.settle(blocks, emit);
        let first = HOT.instructions.get();
        let length = blocks.get(block).map_or(0, |code| code.units.len() as u64);
        if first + length > self.next_start {
            self.precise = Some(Precise {
                block,
                first,
                fetched: 0,
            });
            HOT.filter.set(self.no_filter.address());
            HOT.check_at.set(0);
        }
    }

    /// The region begins at instruction `position` of a block that has begun.
    pub(crate) fn region_begins(&mut self, position: u64) {
        if let Some(precise) = &mut self.precise {
            precise.first = HOT.instructions.get().wrapping_sub(position);
            precise.fetched = position;
        }
    }

    /// Brings the counts up to the last instruction executed; no block is running.
    pub(crate) fn settle(&mut self, blocks: &[BlockCode], emit: &mut dyn FnMut(Row)) {
        let Some(precise) = &self.precise else { return };
        let executed = HOT.instructions.get().wrapping_sub(precise.first);
        self.advance(executed, blocks, emit);
        self.count_fetches(executed, blocks);
        self.precise = None;
        self.run_fast();
    }

    /// Ends all intervals that end at or before instruction `position` of the precise block.
    fn advance(&mut self, position: u64, blocks: &[BlockCode], emit: &mut dyn FnMut(Row)) {
        while let Some(precise) = &self.precise {
            let beyond = self.next_start.wrapping_sub(precise.first);
            if beyond > position {
                break;
            }
            self.count_fetches(beyond, blocks);
            self.end_interval(emit);
        }
    }

    fn count_fetches(&mut self, up_to: u64, blocks: &[BlockCode]) {
        let Some(precise) = &mut self.precise else {
            return;
        };
        let (from, block) = (precise.fetched, precise.block);
        precise.fetched = from.max(up_to);
        let units = blocks.get(block).map_or(&[][..], |code| &code.units);
        let span = units.get(clamp(from, units)..clamp(up_to, units));
        for &(first, last) in span.unwrap_or_default() {
            self.count(first, AccessKind::Fetch);
            if last != first {
                self.count(last, AccessKind::Fetch);
            }
        }
    }

    fn count(&mut self, unit: u64, kind: AccessKind) {
        self.all.touch(unit, kind);
        if let Some(thread) = self.threads.get_mut(self.running) {
            thread.footprint.touch(unit, kind);
        }
    }

    fn end_interval(&mut self, emit: &mut dyn FnMut(Row)) {
        self.emit_rows(emit);
        self.start = self.next_start;
        self.next_start = self.start.saturating_add(self.interval);
        self.shared_filter.clear();
        for thread in &mut self.threads {
            thread.filter.clear();
        }
    }

    fn emit_rows(&mut self, emit: &mut dyn FnMut(Row)) {
        let start = self.start;
        let touched = self.all.end_interval();
        emit(Row {
            start,
            thread: None,
            touched,
        });
        for thread in &mut self.threads {
            let touched = thread.footprint.end_interval();
            let thread = Some(thread.thread);
            emit(Row {
                start,
                thread,
                touched,
            });
        }
    }

    /// Emits what the running interval has touched so far, without ending it.
    pub(crate) fn emit_running(&self, emit: &mut dyn FnMut(Row)) {
        let start = self.start;
        let row = |thread, touched: &Touched| Row {
            start,
            thread,
            touched: *touched,
        };
        emit(row(None, self.all.current()));
        for thread in &self.threads {
            emit(row(Some(thread.thread), thread.footprint.current()));
        }
    }

    /// Emits the interval that the end of the program cuts short, if anything happened in it.
    pub(crate) fn finish(&mut self, emit: &mut dyn FnMut(Row)) {
        let ran = HOT.instructions.get() > self.start;
        if ran || self.all.current().any() > 0 {
            self.emit_rows(emit);
        }
    }

    /// A data access of instruction `position` of the running block, which missed the filter.
    #[inline]
    pub(crate) fn data(
        &mut self,
        (address, bytes): (u64, u64),
        kind: AccessKind,
        position: u64,
        blocks: &[BlockCode],
        emit: &mut dyn FnMut(Row),
    ) {
        if self.precise.is_some() {
            self.advance(position, blocks, emit);
            self.range(address, bytes, kind);
            return;
        }
        let shift = self.unit_shift;
        let unit = address >> shift;
        if (address.saturating_add(bytes.saturating_sub(1))) >> shift == unit && bytes > 0 {
            self.count(unit, kind);
            self.filter_mut().remember(unit, shift, kind);
        } else {
            self.range(address, bytes, kind);
        }
    }

    /// A fetch from `unit` that missed the filter.
    pub(crate) fn fetch(&mut self, unit: u64) {
        if self.precise.is_none() {
            let shift = self.unit_shift;
            self.count(unit, AccessKind::Fetch);
            self.filter_mut().remember(unit, shift, AccessKind::Fetch);
        }
    }

    /// An access by the kernel, or one that crosses units. Call [`Self::settle`] before the former.
    pub(crate) fn range(&mut self, address: u64, bytes: u64, kind: AccessKind) {
        self.all.range(address, bytes, kind);
        if let Some(thread) = self.threads.get_mut(self.running) {
            thread.footprint.range(address, bytes, kind);
        }
    }
}

fn clamp(position: u64, units: &[(u64, u64)]) -> usize {
    usize::try_from(position).map_or(units.len(), |position| position.min(units.len()))
}
