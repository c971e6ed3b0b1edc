//! A game's search: at every position it lists the moves, sorts them and tries them in turn.
//!
//! The search is negamax with alpha-beta cuts (Knuth, Moore: An analysis of alpha-beta pruning,
//! 1975). The number of visited positions is part of the answer, so the moves are to be tried in
//! exactly the baseline's order: by stones turned, most first, and those that turn equally many as
//! the board lists them.

mod baseline;
mod board;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

pub use board::{Board, Move};

use lab_kit::{Case, Lab, Seed};

/// A lead that no position reaches.
pub const WORST: i32 = 1000;

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Best {
    /// Stones that the player to move will lead by; negative when behind.
    pub lead: i32,
    /// The moves that lead there, the opponent's included; passes leave none.
    pub line: Vec<Move>,
    /// Positions visited.
    pub positions: u64,
}

lab_kit::compare_fields!(Best: lead, positions, line);

/// `search(board, depth)` looks `depth` moves ahead.
pub type Search = fn(&Board, usize) -> Best;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct TemporaryAllocations;

impl Lab for TemporaryAllocations {
    /// Positions and how far to look ahead in each, like the list that an engine benchmarks itself with.
    type Input = Vec<(Board, usize)>;
    type Output = Vec<Best>;
    type Function = Search;

    const BASELINE: Search = baseline::search;
    const SOLUTION: Search = solution::search;

    fn call(search: Search, positions: &mut Self::Input) -> Vec<Best> {
        let searched = positions.iter().map(|(board, depth)| search(board, *depth));
        searched.collect()
    }

    fn examples() -> Vec<Case<Self::Input>> {
        vec![
            Case::new("opening", vec![(opening(), 2)]),
            Case::new("middle game", vec![(middle_game(), 3)]),
            Case::new("must pass", vec![(must_pass(), 3)]),
            Case::new("the game ends on the way down", vec![(nearly_full(), 3)]),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        let full = Board::from_rows(["xoxoxox"; 7]);
        let alone = Board::from_rows([
            ".......", ".......", ".......", "...x...", ".......", ".......", ".......",
        ]);
        let mut cases = vec![
            Case::new("no positions", vec![]),
            Case::new("depth 0", vec![(opening(), 0)]),
            Case::new("a full board", vec![(full, 4)]),
            Case::new("nobody to play against", vec![(alone, 4)]),
            Case::new("the longest list of moves", vec![(many_moves(), 2)]),
        ];
        // With one or two squares left, the game ends before the search does.
        for (stones, least_depth) in [(4, 2), (11, 2), (24, 2), (40, 2), (46, 3), (47, 3)] {
            let drawn = (0..3)
                .map(|_| (scattered(stones, seed), least_depth + seed.below(2)))
                .collect();
            cases.push(Case::new(format!("{stones} stones anywhere"), drawn));
        }
        cases
    }

    /// Positions from all of a game, three moves ahead.
    fn metered() -> Self::Input {
        let seed = &mut Seed::new(4800);
        let stones = [4, 8, 12, 16, 20, 24, 28, 32];
        stones.map(|stones| (scattered(stones, seed), 3)).into()
    }
}

fn opening() -> Board {
    Board::from_rows([
        "x.....o", ".......", ".......", ".......", ".......", ".......", "o.....x",
    ])
}

fn middle_game() -> Board {
    Board::from_rows([
        "xx...oo", "xx..oo.", "..x.o..", ".......", "..o.x..", ".oo..x.", "oo...xx",
    ])
}

/// The player to move is walled in; the opponent is not.
fn must_pass() -> Board {
    Board::from_rows([
        "xooo...", "oooo...", "oooo...", ".......", ".......", ".......", ".......",
    ])
}

/// After the last square is taken nobody can move, and the line is shorter than the search is deep.
fn nearly_full() -> Board {
    Board::from_rows([
        "xoxxxox", "oooxxoo", "xoxoxxx", "xxoxxox", "ooooxoo", "xoxoooo", "xxxoxo.",
    ])
}

fn many_moves() -> Board {
    Board::from_rows([
        "x..x..x", ".......", ".......", "x..x..x", ".......", ".......", "x..x..o",
    ])
}

/// A board with as many stones, half of them the player's.
fn scattered(stones: usize, seed: &mut Seed) -> Board {
    let mut squares = [b'.'; 49];
    for (number, square) in squares.iter_mut().enumerate().take(stones) {
        *square = if number % 2 == 0 { b'x' } else { b'o' };
    }
    seed.shuffle(&mut squares);
    let text = String::from_utf8_lossy(&squares).into_owned();
    Board::from_rows(std::array::from_fn(|row| &text[7 * row..][..7]))
}
