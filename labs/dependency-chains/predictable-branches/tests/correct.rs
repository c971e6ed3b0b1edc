//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use predictable_branches::{Block, PredictableBranches, Query};

lab_kit::gate!(PredictableBranches, select, wrong: {
    includes_the_highest_price = "../wrong/includes_the_highest_price.rs",
    keeps_what_was_written = "../wrong/keeps_what_was_written.rs",
    sorts_the_rows_first = "../wrong/sorts_the_rows_first.rs",
});
