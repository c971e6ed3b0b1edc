//! The line of a position from which nobody can move keeps what its distance held before.

use std::cmp::Reverse;

use crate::{Best, Board, Move, WORST};

/// The best play from `board`, looking `depth` moves ahead.
pub(crate) fn search(board: &Board, depth: usize) -> Best {
    let mut search = Searcher {
        moves: Vec::new(),
        lines: vec![Vec::new(); depth + 1],
        positions: 0,
    };
    let lead = search.visit(board, 0, -WORST, WORST);
    Best {
        lead,
        line: search.lines.swap_remove(0),
        positions: search.positions,
    }
}

struct Searcher {
    moves: Vec<(u32, Move)>,
    lines: Vec<Vec<Move>>,
    positions: u64,
}

impl Searcher {
    fn visit(&mut self, board: &Board, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.positions += 1;
        // The fault: a position that ends the game leaves without clearing its line.
        if ply + 1 == self.lines.len() {
            return board.lead();
        }
        let first = self.moves.len();
        let scored = board.moves().map(|step| (board.turned_by(step), step));
        self.moves.extend(scored);
        let after = self.moves.len();
        if first == after {
            if board.is_over() {
                return board.lead();
            }
            let lead = self.visit(&board.pass(), ply + 1, -beta, -alpha);
            self.lines.swap(ply, ply + 1);
            return -lead;
        }
        self.moves[first..].sort_by_key(|&(turned, _)| Reverse(turned));
        let mut best = -WORST;
        for next in first..after {
            let (_, step) = self.moves[next];
            let lead = -self.visit(&board.play(step), ply + 1, -beta, -alpha);
            if lead > best {
                let (above, below) = self.lines.split_at_mut(ply + 1);
                above[ply].clear();
                above[ply].push(step);
                above[ply].extend_from_slice(&below[0]);
                best = lead;
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        self.moves.truncate(first);
        best
    }
}
