//! Every row is written; only the place of the next one depends on the data.

use crate::{Block, Query};

// ANCHOR: select
/// The numbers of the rows that `query` accepts.
pub(crate) fn select(block: &Block<'_>, query: &Query) -> Vec<u32> {
    let mut rows = vec![0; block.prices.len()];
    let mut count = 0;
    let columns = block.prices.iter().zip(block.quantities);
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
