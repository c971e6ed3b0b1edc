//! A selection: the rows of a table that a question asks for.

mod baseline;
mod orders;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

pub use orders::{Block, Orders, Query};

/// Rows that are asked at a time, as column stores do.
const BLOCK_ROWS: usize = 100;

use lab_kit::{Case, Lab, Seed};

/// `select(block, query)` lists the numbers of the rows of a block that `query` accepts, in ascending
/// order.
pub type Select = fn(&Block<'_>, &Query) -> Vec<u32>;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct PredictableBranches;

impl Lab for PredictableBranches {
    type Input = (Orders, Query);
    type Output = Vec<Vec<u32>>;
    type Function = Select;

    const BASELINE: Select = baseline::select;
    const SOLUTION: Select = solution::select;

    fn call(select: Select, (orders, query): &mut Self::Input) -> Self::Output {
        let blocks = orders.blocks(BLOCK_ROWS);
        blocks.map(|block| select(&block, query)).collect()
    }

    fn examples() -> Vec<Case<Self::Input>> {
        let orders = Orders {
            prices: vec![100, 250, 400, 250, 399],
            quantities: vec![5, 3, 9, 2, 3],
        };
        vec![Case::new("five orders", (orders, query(200, 400, 3)))]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        let mut cases: Vec<Case<Self::Input>> = [0, 1, 2, 7, 64, 1000, seed.between(65, 3000)]
            .into_iter()
            .map(|rows| {
                let orders = Orders::random(rows, seed);
                Case::new(format!("{rows} rows"), (orders, query(250, 750, 3)))
            })
            .collect();
        let orders = Orders::random(100, seed);
        for (name, query) in [
            ("every row", query(0, 1000, 0)),
            ("no row", query(600, 600, 0)),
            ("hardly a row", query(500, 510, 9)),
        ] {
            cases.push(Case::new(name, (orders.clone(), query)));
        }
        let edges = Orders {
            prices: vec![199, 200, 399, 400],
            quantities: vec![3, 3, 3, 3],
        };
        let edges = (edges, query(200, 400, 3));
        cases.push(Case::new("prices at the edges", edges));
        cases.push(Case::new("metered", Self::metered()));
        cases
    }

    /// Six tenths of the prices fit and eight tenths of the quantities: 48 % of the rows, in no order
    /// that a predictor could learn. Each block ends its loop once, which is a branch that nobody
    /// foresees either: some hundreds of such mispredictions are what is left.
    fn metered() -> Self::Input {
        let orders = Orders::random(30_000, &mut Seed::new(2002));
        (orders, query(200, 800, 2))
    }
}

fn query(from: u32, to: u32, least: u32) -> Query {
    Query {
        prices: from..to,
        least,
    }
}
