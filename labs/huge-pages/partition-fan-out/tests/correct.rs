//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use partition_fan_out::{Grouped, PartitionFanOut, Record};

lab_kit::gate!(PartitionFanOut, partition, wrong: {
    halves_an_odd_number_of_bits = "../wrong/halves_an_odd_number_of_bits.rs",
    passes_in_the_wrong_order = "../wrong/passes_in_the_wrong_order.rs",
    turns_groups_around = "../wrong/turns_groups_around.rs",
});
