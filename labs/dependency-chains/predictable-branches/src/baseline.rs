//! The slow version: frozen, since every score is measured against it.

use crate::{Orders, Query};

// ANCHOR: select
/// The numbers of the rows that `query` accepts.
pub(crate) fn select(orders: &Orders, query: &Query) -> Vec<u32> {
    let mut rows = Vec::with_capacity(orders.prices.len());
    let columns = orders.prices.iter().zip(&orders.quantities);
    for (row, (&price, &quantity)) in (0..).zip(columns) {
        if query.accepts(price, quantity) {
            rows.push(row);
        }
    }
    rows
}
// ANCHOR_END: select
