//! The slow version: frozen, since every score is measured against it.

use crate::{Block, Query};

// ANCHOR: select
/// The numbers of the rows that `query` accepts.
pub(crate) fn select(block: &Block<'_>, query: &Query) -> Vec<u32> {
    let mut rows = Vec::with_capacity(block.prices.len());
    let columns = block.prices.iter().zip(block.quantities);
    for (row, (&price, &quantity)) in (0..).zip(columns) {
        if query.accepts(price, quantity) {
            rows.push(row);
        }
    }
    rows
}
// ANCHOR_END: select
