//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use interleaved_lists::{END, InterleavedLists, Lists};

lab_kit::gate!(InterleavedLists, totals, wrong: {
    expects_a_first_entry = "../wrong/expects_a_first_entry.rs",
    forgets_the_last_lists = "../wrong/forgets_the_last_lists.rs",
    stops_with_the_shortest = "../wrong/stops_with_the_shortest.rs",
});
