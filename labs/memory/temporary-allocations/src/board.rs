//! Ataxx: the rules of the game, and nothing about how to play it well.
//!
//! Two players on 7 × 7 squares. A move either *grows*, a new stone on a free square beside one of
//! your own, or *jumps*, a stone of yours moves to a free square two steps away. Either way the
//! opponent's stones around the square you came to become yours.

use std::fmt;

use lab_kit::{Compare, Difference};

/// Squares along a side.
const SIDE: usize = 7;
const SQUARES: usize = SIDE * SIDE;

/// Squares one step away from each square, and squares exactly two steps away.
const ONE_STEP: [u64; SQUARES] = at_distance(1);
const TWO_STEPS: [u64; SQUARES] = at_distance(2);

const fn at_distance(steps: usize) -> [u64; SQUARES] {
    let mut masks = [0; SQUARES];
    let mut pair = 0;
    while pair < SQUARES * SQUARES {
        let (from, to) = (pair / SQUARES, pair % SQUARES);
        let rows = (from / SIDE).abs_diff(to / SIDE);
        let columns = (from % SIDE).abs_diff(to % SIDE);
        if (if rows > columns { rows } else { columns }) == steps {
            masks[from] |= 1 << to;
        }
        pair += 1;
    }
    masks
}

/// A move to the square `to`; where `from` is the same square, it grows instead of jumping.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Move {
    from: u8,
    to: u8,
}

/// As players write it: `c4` grows, `a4c4` jumps.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |square: u8| {
            let (row, column) = (usize::from(square) / SIDE, usize::from(square) % SIDE);
            format!("{}{}", char::from(b"abcdefg"[column]), SIDE - row)
        };
        if self.from != self.to {
            f.write_str(&name(self.from))?;
        }
        f.write_str(&name(self.to))
    }
}

impl Compare for Move {
    fn first_difference(&self, found: &Self) -> Option<Difference> {
        (self != found).then(|| Difference {
            place: String::new(),
            expected: format!("{self:?}"),
            found: format!("{found:?}"),
        })
    }
}

/// A position, seen by the player whose turn it is. One bit per square, row after row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    mine: u64,
    theirs: u64,
}

impl Board {
    /// Reads seven rows from the top, `x` the player to move, `o` the other.
    ///
    /// # Panics
    ///
    /// If a row is not seven characters long.
    pub fn from_rows(rows: [&str; SIDE]) -> Self {
        let stones = |stone: u8| {
            let squares = rows.iter().flat_map(|row| {
                assert_eq!(row.len(), SIDE, "a row has seven squares");
                row.bytes()
            });
            squares
                .enumerate()
                .filter(|&(_, square)| square == stone)
                .fold(0, |stones, (square, _)| stones | 1 << square)
        };
        Self {
            mine: stones(b'x'),
            theirs: stones(b'o'),
        }
    }

    /// Every move of the player whose turn it is: first all that grow, then all that jump.
    pub fn moves(&self) -> impl Iterator<Item = Move> + use<> {
        let free = !(self.mine | self.theirs) & ((1 << SQUARES) - 1);
        let beside =
            squares(self.mine).fold(0, |beside, from| beside | ONE_STEP[usize::from(from)]);
        let grows = squares(free & beside).map(|to| Move { from: to, to });
        let jumps = squares(self.mine).flat_map(move |from| {
            squares(TWO_STEPS[usize::from(from)] & free).map(move |to| Move { from, to })
        });
        grows.chain(jumps)
    }

    /// How many of the opponent's stones a move turns.
    pub fn turned_by(&self, step: Move) -> u32 {
        (ONE_STEP[usize::from(step.to)] & self.theirs).count_ones()
    }

    /// The position after a move, seen by the opponent.
    #[must_use]
    pub fn play(&self, step: Move) -> Self {
        let turned = ONE_STEP[usize::from(step.to)] & self.theirs;
        let left = if step.from == step.to {
            0
        } else {
            1 << step.from
        };
        Self {
            mine: self.theirs & !turned,
            theirs: (self.mine | turned | 1 << step.to) & !left,
        }
    }

    /// The position after passing.
    #[must_use]
    pub fn pass(&self) -> Self {
        Self {
            mine: self.theirs,
            theirs: self.mine,
        }
    }

    /// Whether neither player can move.
    pub fn is_over(&self) -> bool {
        self.moves().next().is_none() && self.pass().moves().next().is_none()
    }

    /// Stones of the player whose turn it is, less the opponent's.
    pub fn lead(&self) -> i32 {
        self.mine.count_ones().cast_signed() - self.theirs.count_ones().cast_signed()
    }
}

/// The squares of a set, lowest first.
fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = u8::try_from(set.trailing_zeros()).ok()?;
        set &= set.wrapping_sub(1);
        (usize::from(square) < SQUARES).then_some(square)
    })
}
