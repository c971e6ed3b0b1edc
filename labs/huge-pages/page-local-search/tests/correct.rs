//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use page_local_search::{Index, PageLocalSearch};

lab_kit::gate!(PageLocalSearch, prepare, wrong: {
    finds_any_of_equal_keys = "../wrong/finds_any_of_equal_keys.rs",
    forgets_the_last_page = "../wrong/forgets_the_last_page.rs",
    goes_to_the_last_equal_page = "../wrong/goes_to_the_last_equal_page.rs",
});
