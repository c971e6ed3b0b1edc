//! Tests both ends of the prices by one subtraction, and takes the end of the range for a part of it.

use crate::{Block, Query};

pub(crate) fn select(block: &Block<'_>, query: &Query) -> Vec<u32> {
    let mut rows = vec![0; block.prices.len() + 1];
    let mut count = 0;
    let span = query.prices.end - query.prices.start;
    let columns = block.prices.iter().zip(block.quantities);
    for (row, (&price, &quantity)) in (0..).zip(columns) {
        rows[count] = row;
        let fits = price.wrapping_sub(query.prices.start) <= span;
        count += usize::from(fits & (quantity >= query.least));
    }
    rows.truncate(count);
    rows
}
