//! One variant on the metered input: `cargo run --release -p private-deques -- solution`

lab_kit::main!(private_deques::PrivateDeques);
