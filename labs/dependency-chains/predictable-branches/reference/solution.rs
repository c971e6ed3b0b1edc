//! Every row is written; only the place of the next one depends on the data.

use crate::{Orders, Query};

// ANCHOR: select
/// The numbers of the rows that `query` accepts.
pub(crate) fn select(orders: &Orders, query: &Query) -> Vec<u32> {
    let mut rows = vec![0; orders.prices.len()];
    let mut count = 0;
    let columns = orders.prices.iter().zip(&orders.quantities);
    for (row, (&price, &quantity)) in (0..).zip(columns) {
        // A row that is not accepted is written over by the next one.
        rows[count] = row;
        let fits = query.prices.contains(&price) & (quantity >= query.least);
        count += usize::from(fits);
    }
    rows.truncate(count);
    rows
}
// ANCHOR_END: select
