//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use false_sharing::{FalseSharing, Layout};

lab_kit::gate!(FalseSharing, layout, wrong: {
    points_past_the_end = "../wrong/points_past_the_end.rs",
    shares_a_word = "../wrong/shares_a_word.rs",
    takes_a_page_each = "../wrong/takes_a_page_each.rs",
});
