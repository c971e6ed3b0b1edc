//! What every lab stands on: the `Lab` trait, seeded inputs, the gate, the benches.
