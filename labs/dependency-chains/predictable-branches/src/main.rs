//! One variant on the metered input: `cargo run --release -p predictable-branches -- solution`

lab_kit::main!(predictable_branches::PredictableBranches);
