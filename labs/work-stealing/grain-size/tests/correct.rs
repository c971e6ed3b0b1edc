//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use grain_size::{Call, FORK_CYCLES, GrainSize};

lab_kit::gate!(GrainSize, fork, wrong: {
    counts_its_forks = "../wrong/counts_its_forks.rs",
    forks_what_cannot_be_divided = "../wrong/forks_what_cannot_be_divided.rs",
});
