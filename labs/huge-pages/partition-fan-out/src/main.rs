//! One variant on the metered input: `cargo run --release -p partition-fan-out -- solution`

lab_kit::main!(partition_fan_out::PartitionFanOut);
