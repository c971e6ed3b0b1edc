//! Sorts the rows by price, so that the branch is predicted, and lists them in that order.

use crate::{Block, Query};

pub(crate) fn select(block: &Block<'_>, query: &Query) -> Vec<u32> {
    let mut rows: Vec<(u32, u32)> = block.prices.iter().copied().zip(0..).collect();
    rows.sort_unstable();
    let mut selected = Vec::new();
    for (price, row) in rows {
        if query.accepts(price, block.quantities[row as usize]) {
            selected.push(row);
        }
    }
    selected
}
