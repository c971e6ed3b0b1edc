//! One variant on the metered input: `cargo run --release -p false-sharing -- solution`

lab_kit::main!(false_sharing::FalseSharing);
