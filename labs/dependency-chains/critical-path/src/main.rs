//! One variant on the metered input: `cargo run --release -p critical-path -- solution`

lab_kit::main!(critical_path::CriticalPath);
