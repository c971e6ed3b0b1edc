//! One variant on the metered input: `cargo run --release -p page-local-search -- solution`

lab_kit::main!(page_local_search::PageLocalSearch);
