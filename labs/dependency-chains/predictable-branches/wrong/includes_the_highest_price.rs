//! Tests both ends of the prices by one subtraction, and takes the end of the range for a part of it.

use crate::{Orders, Query};

pub(crate) fn select(orders: &Orders, query: &Query) -> Vec<u32> {
    let mut rows = vec![0; orders.prices.len() + 1];
    let mut count = 0;
    let span = query.prices.end - query.prices.start;
    let columns = orders.prices.iter().zip(&orders.quantities);
    for (row, (&price, &quantity)) in (0..).zip(columns) {
        rows[count] = row;
        let fits = price.wrapping_sub(query.prices.start) <= span;
        count += usize::from(fits & (quantity >= query.least));
    }
    rows.truncate(count);
    rows
}
