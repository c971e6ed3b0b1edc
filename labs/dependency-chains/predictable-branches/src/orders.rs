//! A table of orders, column by column, and what is asked of it.

use std::ops::Range;

use lab_kit::Seed;

/// A table: row `i` is entry `i` of each column.
#[derive(Debug, Clone, Default)]
pub struct Orders {
    /// Price of each order, in cents.
    pub prices: Vec<u32>,
    /// Items of each order.
    pub quantities: Vec<u32>,
}

/// Some rows of a table that stand side by side.
#[derive(Debug, Clone, Copy)]
pub struct Block<'table> {
    /// Price of each order, in cents.
    pub prices: &'table [u32],
    /// Items of each order.
    pub quantities: &'table [u32],
}

/// A question: which orders?
#[derive(Debug, Clone)]
pub struct Query {
    /// Prices that are asked for.
    pub prices: Range<u32>,
    /// The least number of items.
    pub least: u32,
}

impl Query {
    /// Whether an order is asked for.
    #[inline(always)]
    pub fn accepts(&self, price: u32, quantity: u32) -> bool {
        self.prices.contains(&price) && quantity >= self.least
    }
}

impl Orders {
    /// Orders with prices below 1000 and quantities below 10.
    pub fn random(rows: usize, seed: &mut Seed) -> Self {
        let mut column = |limit| (0..rows).map(|_| small(seed.below(limit))).collect();
        Self {
            prices: column(1000),
            quantities: column(10),
        }
    }
}

impl Orders {
    /// The table in blocks of so many rows; the last one may be smaller.
    pub fn blocks(&self, rows: usize) -> impl Iterator<Item = Block<'_>> {
        let quantities = self.quantities.chunks(rows);
        let columns = self.prices.chunks(rows).zip(quantities);
        columns.map(|(prices, quantities)| Block { prices, quantities })
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("a small number")
}
