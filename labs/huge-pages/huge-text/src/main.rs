//! One variant on the metered input: `cargo run --release -p huge-text -- solution`

lab_kit::main!(huge_text::HugeText);
