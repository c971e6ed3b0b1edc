//! Keeps the moves in an array that seemed large enough, and leaves out those that do not fit.

use std::cmp::Reverse;

use crate::{Best, Board, Move, WORST};

const ENOUGH: usize = 64;

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
    let mut array = [Move::default(); ENOUGH];
    let mut length = 0;
    for (place, step) in array.iter_mut().zip(board.moves()) {
        *place = step;
        length += 1;
    }
    let moves = &mut array[..length];
    if moves.is_empty() {
        if board.is_over() {
            return (board.lead(), Vec::new());
        }
        let (lead, line) = visit(&board.pass(), depth - 1, -beta, -alpha, positions);
        return (-lead, line);
    }
    moves.sort_by_key(|&step| Reverse(board.turned_by(step)));
    let mut best = (-WORST, Vec::new());
    for &step in moves.iter() {
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
