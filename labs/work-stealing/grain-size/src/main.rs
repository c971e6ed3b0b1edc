//! One variant on the metered input: `cargo run --release -p grain-size -- solution`

lab_kit::main!(grain_size::GrainSize);
