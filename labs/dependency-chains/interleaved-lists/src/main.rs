//! One variant on the metered input: `cargo run --release -p interleaved-lists -- solution`

lab_kit::main!(interleaved_lists::InterleavedLists);
