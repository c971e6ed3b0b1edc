//! Wall-clock time, for the reader's own curiosity: never scored.
lab_kit::time!(partition_fan_out::PartitionFanOut);
