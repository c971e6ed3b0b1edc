//! One variant on the metered input: `cargo run --release -p tlb-reach -- solution`

lab_kit::main!(tlb_reach::TlbReach);
