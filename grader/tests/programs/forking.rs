//! Starts a program and waits for it.

use std::process::Command;

fn main() {
    let status = Command::new("true").status();
    assert!(status.is_ok_and(|status| status.success()));
}
