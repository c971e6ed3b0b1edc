//! One line for the whole search instead of one per distance from the root: lines that were tried
//! later and found worse have written over the end of the best one.

use std::cmp::Reverse;

use crate::{Best, Board, Move, WORST};

pub(crate) fn search(board: &Board, depth: usize) -> Best {
    let (mut positions, mut line) = (0, vec![Move::default(); depth]);
    let (lead, length) = visit(board, &mut line, -WORST, WORST, &mut positions);
    line.truncate(length);
    Best {
        lead,
        line,
        positions,
    }
}

fn visit(
    board: &Board,
    line: &mut [Move],
    mut alpha: i32,
    beta: i32,
    positions: &mut u64,
) -> (i32, usize) {
    *positions += 1;
    if line.is_empty() {
        return (board.lead(), 0);
    }
    let mut moves: Vec<Move> = board.moves().collect();
    if moves.is_empty() {
        if board.is_over() {
            return (board.lead(), 0);
        }
        let (lead, length) = visit(&board.pass(), &mut line[1..], -beta, -alpha, positions);
        line.copy_within(1..=length, 0);
        return (-lead, length);
    }
    moves.sort_by_key(|&step| Reverse(board.turned_by(step)));
    let mut best = (-WORST, 0);
    for step in moves {
        let (lead, length) = visit(&board.play(step), &mut line[1..], -beta, -alpha, positions);
        if -lead > best.0 {
            line[0] = step;
            best = (-lead, length + 1);
        }
        alpha = alpha.max(best.0);
        if alpha >= beta {
            break;
        }
    }
    best
}
