//! Counts under Valgrind what the lab is scored by.
lab_kit::instructions!(partition_fan_out::PartitionFanOut);
