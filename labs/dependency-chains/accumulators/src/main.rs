//! One variant on the metered input: `cargo run --release -p accumulators -- solution`

lab_kit::main!(accumulators::Accumulators);
