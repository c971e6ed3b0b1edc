//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use accumulators::{Accumulators, BASE};

lab_kit::gate!(Accumulators, hash, wrong: {
    adds_the_lanes = "../wrong/adds_the_lanes.rs",
    counts_from_the_wrong_end = "../wrong/counts_from_the_wrong_end.rs",
    forgets_the_rest = "../wrong/forgets_the_rest.rs",
});
