//! Sorts in place without a buffer, and so without keeping the order of equal moves.

use std::cmp::Reverse;

use crate::{Best, Board, Move, WORST};

pub(crate) fn search(board: &Board, depth: usize) -> Best {
    let mut positions = 0;
    let (lead, line) = visit(board, depth, -WORST, WORST, &mut positions);
    Best {
        lead,
        line,
        positions,
    }
}

fn visit(board: &Board, depth: usize, mut alpha: i32, beta: i32, positions: &mut u64) -> (i32, Vec<Move>) {
    *positions += 1;
    if depth == 0 {
        return (board.lead(), Vec::new());
    }
    let mut moves: Vec<Move> = board.moves().collect();
    if moves.is_empty() {
        if board.is_over() {
            return (board.lead(), Vec::new());
        }
        let (lead, line) = visit(&board.pass(), depth - 1, -beta, -alpha, positions);
        return (-lead, line);
    }
    moves.sort_unstable_by_key(|&step| Reverse(board.turned_by(step)));
    let mut best = (-WORST, Vec::new());
    for step in moves {
        let (lead, mut line) = visit(&board.play(step), depth - 1, -beta, -alpha, positions);
        if -lead > best.0 {
            line.insert(0, step);
            best = (-lead, line);
        }
        alpha = alpha.max(best.0);
        if alpha >= beta {
            break;
        }
    }
    best
}
