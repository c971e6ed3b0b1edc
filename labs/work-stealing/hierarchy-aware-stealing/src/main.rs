//! One variant on the metered input: `cargo run --release -p hierarchy-aware-stealing -- solution`

lab_kit::main!(hierarchy_aware_stealing::HierarchyAwareStealing);
