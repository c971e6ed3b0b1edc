//! One variant on the metered input: `cargo run --release -p loop-tiling -- solution`

lab_kit::main!(loop_tiling::LoopTiling);
