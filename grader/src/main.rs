//! `grader`: the command behind every `cargo make` task.

fn main() {}
