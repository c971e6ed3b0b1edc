//! One list for the moves of all positions on the way down, and one table for their lines.

use std::cmp::Reverse;

use crate::{Best, Board, Move, WORST};

/// The best play from `board`, looking `depth` moves ahead.
pub(crate) fn search(board: &Board, depth: usize) -> Best {
    let mut search = Searcher {
        moves: Vec::with_capacity(64 * depth),
        lines: vec![Move::default(); depth * depth],
        depth,
        positions: 0,
    };
    let (lead, length) = search.visit(board, 0, -WORST, WORST);
    // The root's line is the table's first: what stays of the table is the answer.
    search.lines.truncate(length);
    Best {
        lead,
        line: search.lines,
        positions: search.positions,
    }
}

/// What a search writes to, made once for all its positions.
struct Searcher {
    /// Moves with the stones they turn: those of the first position, then those of the second, and
    /// so on down to the one being visited.
    moves: Vec<(u32, Move)>,
    /// The best line found at each distance from the root, `depth` moves apart.
    lines: Vec<Move>,
    depth: usize,
    positions: u64,
}

impl Searcher {
    /// What the player to move can reach, and the length of the line that leads there.
    fn visit(&mut self, board: &Board, ply: usize, mut alpha: i32, beta: i32) -> (i32, usize) {
        self.positions += 1;
        if ply == self.depth {
            return (board.lead(), 0);
        }
        let first = self.moves.len();
        let scored = board.moves().map(|step| (board.turned_by(step), step));
        self.moves.extend(scored);
        let after = self.moves.len();
        if first == after {
            if board.is_over() {
                return (board.lead(), 0);
            }
            let (lead, length) = self.visit(&board.pass(), ply + 1, -beta, -alpha);
            let below = (ply + 1) * self.depth;
            self.lines
                .copy_within(below..below + length, ply * self.depth);
            return (-lead, length);
        }
        // Stable, and without the heap: up to 4 KiB the standard library merges on the stack.
        self.moves[first..].sort_by_key(|&(turned, _)| Reverse(turned));
        let mut best = (-WORST, 0);
        for next in first..after {
            let (_, step) = self.moves[next];
            let (lead, length) = self.visit(&board.play(step), ply + 1, -beta, -alpha);
            if -lead > best.0 {
                let (here, below) = (ply * self.depth, (ply + 1) * self.depth);
                self.lines[here] = step;
                self.lines.copy_within(below..below + length, here + 1);
                best = (-lead, length + 1);
            }
            alpha = alpha.max(best.0);
            if alpha >= beta {
                break;
            }
        }
        self.moves.truncate(first);
        best
    }
}
