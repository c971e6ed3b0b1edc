//! One variant on the metered input: `cargo run --release -p reuse-distance -- solution`

lab_kit::main!(reuse_distance::ReuseDistance);
