//! The executed instructions of one function, in order, with the addresses that they touch.
//!
//! Generated code appends a record per instruction to a buffer: the instruction's number and the
//! first address that it touches, 0 if it touches none. Each time the buffer is emptied, its records
//! are written as text that grows by one to three characters per instruction (see [`Trace::drain`]).
//! One thread is followed: the first that enters the function.

use crate::{
    code::Code,
    hot::{HOT, Word},
    options::Options,
};
use alloc::{boxed::Box, string::String, vec::Vec};

/// Records that fit: 1 MiB, about half of an L2 cache.
const RECORDS: usize = 1 << 16;
/// Bytes of a record.
pub(crate) const RECORD_BYTES: u64 = 16;
/// In place of a number: the function was entered.
const ENTRY: u64 = u64::MAX;
/// How an entry is written.
const ENTRY_MARK: char = '|';
/// Characters gathered before they are written.
const LINE_CHARACTERS: usize = 1 << 16;
/// Digits of five bits and, in the second half, a sixth that says that more follow.
/// Source: the alphabet of base64, as source maps use it for their numbers.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// All ones while instructions are recorded, zero otherwise. Generated code reads it.
pub(crate) static RECORDING: Word = Word::new(0);

/// The recording.
pub(crate) struct Trace {
    /// Leaked, since generated code holds the address.
    buffer: &'static [Word],
    start: u64,
    /// The instructions that were translated.
    pub(crate) code: Code,
    /// Entries of the function to let pass first.
    entries_to_skip: u64,
    /// Instructions inside the function to let pass then.
    steps_to_skip: u64,
    /// Instructions still to be recorded.
    room: u64,
    /// The thread that is followed.
    thread: Option<u32>,
    running: u32,
    /// Instructions recorded.
    pub(crate) recorded: u64,
    /// Entries of the function recorded.
    pub(crate) entries: u64,
    /// What has not been written to the result file.
    pub(crate) text: String,
    previous: u64,
    /// The last address that each instruction touched.
    addresses: Vec<u64>,
}

impl Trace {
    pub(crate) fn new(options: &Options) -> Self {
        let words: Vec<Word> = (0..2 * RECORDS).map(|_| Word::new(0)).collect();
        let buffer: &'static [Word] = Box::leak(words.into_boxed_slice());
        let start = buffer.first().map_or(0, Word::address);
        HOT.next_record.set(start);
        RECORDING.set(0);
        Self {
            buffer,
            start,
            code: Code::new(),
            entries_to_skip: options.skip_calls,
            steps_to_skip: options.skip_instructions,
            room: options.trace_limit,
            thread: None,
            running: 0,
            recorded: 0,
            entries: 0,
            text: String::new(),
            previous: 0,
            addresses: Vec::new(),
        }
    }

    /// A block of `count` instructions finds room for its records, and for an entry before each, up
    /// to this address.
    pub(crate) fn last_start(&self, count: u64) -> u64 {
        self.start + (RECORDS as u64).saturating_sub(2 * count) * RECORD_BYTES
    }

    /// `thread` has entered the function from outside.
    pub(crate) fn entered(&mut self, thread: u32) {
        if *self.thread.get_or_insert(thread) != thread {
            return;
        }
        self.running = thread;
        if self.entries_to_skip > 0 {
            self.entries_to_skip -= 1;
            return;
        }
        self.update();
        if RECORDING.get() == 0 {
            return;
        }
        let next = HOT.next_record.get();
        let at = usize::try_from((next - self.start) / 8).unwrap_or(usize::MAX);
        if let Some(word) = self.buffer.get(at) {
            word.set(ENTRY);
            HOT.next_record.set(next + RECORD_BYTES);
        }
    }

    /// `thread` runs from here on. Call [`Self::drain`] before.
    pub(crate) fn thread_runs(&mut self, thread: u32) {
        self.running = thread;
        self.update();
    }

    fn update(&self) {
        let followed = self.thread == Some(self.running);
        let open = followed && self.entries_to_skip == 0 && self.room > 0;
        RECORDING.set(if open { u64::MAX } else { 0 });
    }

    /// Takes the records out of the buffer and writes them as text.
    ///
    /// An instruction is one number, and a second one if it touches memory. The first is twice the
    /// distance from the number of the instruction after the last one, plus 1 if there is a second;
    /// the second is the distance from the last address of the same instruction. Distances are
    /// 0, -1, 1, -2, … as 0, 1, 2, 3, …; numbers are written in [`DIGITS`], lowest first.
    pub(crate) fn drain(&mut self) {
        let used = (HOT.next_record.get() - self.start) / RECORD_BYTES;
        HOT.next_record.set(self.start);
        let used = usize::try_from(used).map_or(RECORDS, |used| used.min(RECORDS));
        let records = self.buffer.get(..2 * used).unwrap_or_default();
        for record in records.chunks_exact(2) {
            if let [number, address] = record {
                self.record(number.get(), address.get());
            }
        }
        self.update();
    }

    fn record(&mut self, number: u64, address: u64) {
        if number == ENTRY {
            if self.room > 0 && self.steps_to_skip == 0 {
                self.entries += 1;
                self.text.push(ENTRY_MARK);
            }
            return;
        }
        if self.steps_to_skip > 0 {
            self.steps_to_skip -= 1;
            return;
        }
        if self.room == 0 {
            return;
        }
        self.room -= 1;
        self.recorded += 1;
        let expected = self.previous.wrapping_add(1);
        let distance = zigzag(number.wrapping_sub(expected));
        self.previous = number;
        push_number(&mut self.text, distance << 1 | u64::from(address != 0));
        let index = usize::try_from(number).unwrap_or(0);
        if index >= self.addresses.len() {
            self.addresses.resize(index + 1, 0);
        }
        self.code.use_number(index);
        if address != 0
            && let Some(last) = self.addresses.get_mut(index)
        {
            push_number(&mut self.text, zigzag(address.wrapping_sub(*last)));
            *last = address;
        }
    }

    /// Whether enough text has gathered for a line of the result file.
    pub(crate) fn fills_a_line(&self) -> bool {
        self.text.len() >= LINE_CHARACTERS
    }
}

/// A signed distance as an unsigned number that is small if the distance is.
fn zigzag(distance: u64) -> u64 {
    let sign = (distance.cast_signed() >> 63).cast_unsigned();
    distance << 1 ^ sign
}

fn push_number(text: &mut String, mut value: u64) {
    loop {
        let digit = value & 31;
        value >>= 5;
        let more = u64::from(value > 0) << 5;
        let at = usize::try_from(digit | more).unwrap_or(0);
        text.push(char::from(DIGITS.get(at).copied().unwrap_or(b'A')));
        if value == 0 {
            return;
        }
    }
}
