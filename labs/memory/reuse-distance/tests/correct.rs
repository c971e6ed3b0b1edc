//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use reuse_distance::{Distances, ReuseDistance, Trace, line};

lab_kit::gate!(ReuseDistance, reuse_distances, wrong: {
    counts_every_access = "../wrong/counts_every_access.rs",
    counts_its_own_address = "../wrong/counts_its_own_address.rs",
    remembers_one_use_a_line = "../wrong/remembers_one_use_a_line.rs",
});
