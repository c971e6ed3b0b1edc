//! Sorts the rows by price, so that the branch is predicted, and lists them in that order.

use crate::{Orders, Query};

pub(crate) fn select(orders: &Orders, query: &Query) -> Vec<u32> {
    let mut rows: Vec<(u32, u32)> = orders.prices.iter().copied().zip(0..).collect();
    rows.sort_unstable();
    let mut selected = Vec::new();
    for (price, row) in rows {
        if query.accepts(price, orders.quantities[row as usize]) {
            selected.push(row);
        }
    }
    selected
}
