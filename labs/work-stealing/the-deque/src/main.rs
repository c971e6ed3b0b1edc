//! One variant on the metered input: `cargo run --release -p the-deque -- solution`

lab_kit::main!(the_deque::TheDeque);
