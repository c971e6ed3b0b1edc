//! What is known of each 2 MB piece of the address space: a hash table with linear probing.

use alloc::{vec, vec::Vec};
use core::mem;

/// log2 of a piece's bytes.
pub(super) const PIECE_SHIFT: u32 = 21;
/// Mixes a piece's number; only its top bits are used. Source: 2⁶⁴ divided by the golden ratio.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
const FIRST_BITS: u32 = 10;

/// How a piece is mapped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Not asked yet, or nothing there.
    Unknown,
    /// By a table of 4 KB pages.
    Small,
    /// By one 2 MB page.
    Huge,
    /// By a part of one 1 GB page.
    Giant,
}

#[derive(Clone, Copy)]
struct Piece {
    /// The piece's number plus 1; 0 for an empty place.
    tag: u64,
    state: State,
    is_final: bool,
}

const EMPTY: Piece = Piece {
    tag: 0,
    state: State::Unknown,
    is_final: false,
};

/// The table.
pub(super) struct Pieces {
    places: Vec<Piece>,
    bits: u32,
    used: usize,
    /// The piece found last: most accesses are near the one before.
    last: Piece,
    unsettled: Vec<u64>,
}

impl Pieces {
    pub(super) fn new() -> Self {
        Self {
            places: vec![EMPTY; 1 << FIRST_BITS],
            bits: FIRST_BITS,
            used: 0,
            last: EMPTY,
            unsettled: Vec::new(),
        }
    }

    /// What is known of the piece that `address` lies in.
    #[inline]
    pub(super) fn state(&mut self, address: u64) -> State {
        let tag = (address >> PIECE_SHIFT) + 1;
        if self.last.tag != tag {
            let Some(place) = self.places.get(self.place(tag)) else {
                return State::Unknown;
            };
            if place.tag != tag {
                return State::Unknown;
            }
            self.last = *place;
        }
        self.last.state
    }

    /// Notes what the piece is; a state that is not final is forgotten when the batch ends.
    pub(super) fn set(&mut self, address: u64, state: State, is_final: bool) {
        let tag = (address >> PIECE_SHIFT) + 1;
        if !is_final {
            self.unsettled.push(tag);
        }
        self.put(tag, state, is_final);
    }

    fn put(&mut self, tag: u64, state: State, is_final: bool) {
        if 2 * self.used >= self.places.len() {
            self.grow();
        }
        let place = self.place(tag);
        if let Some(piece) = self.places.get_mut(place) {
            self.used += usize::from(piece.tag == 0);
            *piece = Piece {
                tag,
                state,
                is_final,
            };
        }
        self.last = EMPTY;
    }

    /// Where the piece is, or the empty place where it would go.
    #[inline]
    fn place(&self, tag: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut place = usize::try_from(tag.wrapping_mul(MIX) >> (64 - self.bits)).unwrap_or(0);
        while let Some(piece) = self.places.get(place) {
            if piece.tag == tag || piece.tag == 0 {
                break;
            }
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        self.bits += 1;
        let places = mem::replace(&mut self.places, vec![EMPTY; 1 << self.bits]);
        self.used = 0;
        for piece in places.into_iter().filter(|piece| piece.tag != 0) {
            self.put(piece.tag, piece.state, piece.is_final);
        }
    }

    /// How many pieces of `start .. end` are known to be huge.
    pub(super) fn huge_in(&self, start: u64, end: u64) -> u64 {
        let pieces = (start >> PIECE_SHIFT) + 1..(end >> PIECE_SHIFT) + 1;
        let huge = |piece: &&Piece| piece.state == State::Huge && pieces.contains(&piece.tag);
        self.places.iter().filter(huge).count() as u64
    }

    /// Forgets the pieces that have a byte in `first ..= last`.
    pub(super) fn forget(&mut self, first: u64, last: u64) {
        self.last = EMPTY;
        let (first, last) = ((first >> PIECE_SHIFT) + 1, (last >> PIECE_SHIFT) + 1);
        if last - first < self.places.len() as u64 {
            for tag in first..=last {
                let place = self.place(tag);
                if let Some(piece) = self.places.get_mut(place).filter(|piece| piece.tag == tag) {
                    piece.state = State::Unknown;
                }
            }
            return;
        }
        for piece in &mut self.places {
            if (first..=last).contains(&piece.tag) {
                piece.state = State::Unknown;
            }
        }
    }

    /// Forgets the pieces whose state is not final; false if there were none.
    pub(super) fn forget_unsettled(&mut self) -> bool {
        let unsettled = mem::take(&mut self.unsettled);
        let any = !unsettled.is_empty();
        for tag in unsettled {
            let place = self.place(tag);
            if let Some(piece) = self.places.get_mut(place)
                && piece.tag == tag
                && !piece.is_final
            {
                piece.state = State::Unknown;
            }
        }
        self.last = EMPTY;
        any
    }
}
