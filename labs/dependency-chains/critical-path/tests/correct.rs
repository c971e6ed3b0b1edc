//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use critical_path::{CriticalPath, Graph, Plan, run_on};

lab_kit::gate!(CriticalPath, plan, wrong: {
    follows_the_longest_task = "../wrong/follows_the_longest_task.rs",
    forgets_the_machines = "../wrong/forgets_the_machines.rs",
    trusts_the_numbers = "../wrong/trusts_the_numbers.rs",
});
