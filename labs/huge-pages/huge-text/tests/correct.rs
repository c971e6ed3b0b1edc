//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use huge_text::{Code, HugeText};

lab_kit::gate!(HugeText, start, wrong: {
    copies_all_but_the_end = "../wrong/copies_all_but_the_end.rs",
    forgets_to_copy = "../wrong/forgets_to_copy.rs",
    leaves_the_code_writable = "../wrong/leaves_the_code_writable.rs",
});
