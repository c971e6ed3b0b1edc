//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use temporary_allocations::{Best, Board, Move, TemporaryAllocations, WORST};

lab_kit::gate!(TemporaryAllocations, search, wrong: {
    cuts_long_lists = "../wrong/cuts_long_lists.rs",
    keeps_a_finished_line = "../wrong/keeps_a_finished_line.rs",
    shares_one_line = "../wrong/shares_one_line.rs",
    sorts_unstably = "../wrong/sorts_unstably.rs",
});
