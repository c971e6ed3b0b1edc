//! One variant on the metered input: `cargo run --release -p temporary-allocations -- solution`

lab_kit::main!(temporary_allocations::TemporaryAllocations);
