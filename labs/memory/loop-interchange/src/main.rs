//! One variant on the metered input: `cargo run --release -p loop-interchange -- solution`

lab_kit::main!(loop_interchange::LoopInterchange);
