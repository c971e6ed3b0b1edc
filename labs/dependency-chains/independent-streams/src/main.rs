//! One variant on the metered input: `cargo run --release -p independent-streams -- solution`

lab_kit::main!(independent_streams::IndependentStreams);
