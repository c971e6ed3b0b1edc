//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use tlb_reach::{Entry, Table, TlbReach};

lab_kit::gate!(TlbReach, allocate, wrong: {
    forgets_that_room_is_not_entries = "../wrong/forgets_that_room_is_not_entries.rs",
    leaves_its_mark = "../wrong/leaves_its_mark.rs",
    rounds_to_whole_pages = "../wrong/rounds_to_whole_pages.rs",
});
