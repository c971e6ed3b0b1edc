//! One variant on the metered input: `cargo run --release -p space-bounded -- solution`

lab_kit::main!(space_bounded::SpaceBoundedLab);
