//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use loop_interchange::{LoopInterchange, Matrix};

lab_kit::gate!(LoopInterchange, multiply, wrong: {
    drops_the_last_columns = "../wrong/drops_the_last_columns.rs",
    starts_from_the_last_product = "../wrong/starts_from_the_last_product.rs",
    swaps_the_factors = "../wrong/swaps_the_factors.rs",
});
