//! Copies magpie's deque and seeds one bug into each copy.
//!
//! The mutants are made from the source that ships, so they cannot fall behind it: a pattern that
//! no longer occurs exactly once stops the build.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Name of the mutant, what to replace in `deque.rs`, and by what.
const MUTANTS: &[(&str, &str, &str)] = &[
    (
        // The entry's slot may become visible after the index that publishes it.
        "publish_without_fence",
        "fence(Ordering::Release);\n        self.shared.split.store(bottom, Ordering::Relaxed);",
        "self.shared.split.store(bottom, Ordering::Relaxed);",
    ),
    (
        // A thief that reads the relaxed store of a later pop is not covered by it.
        "publish_by_a_release_store",
        "fence(Ordering::Release);\n        self.shared.split.store(bottom, Ordering::Relaxed);",
        "self.shared.split.store(bottom, Ordering::Release);",
    ),
    (
        // Owner and thief both miss the other's write and take the same entry.
        "pop_without_fence",
        "fence(Ordering::SeqCst);\n        let top = self.shared.top.load(Ordering::Relaxed);",
        "let top = self.shared.top.load(Ordering::Relaxed);",
    ),
    (
        // As above, from the other side.
        "steal_without_fence",
        "fence(Ordering::SeqCst);\n        // Acquire: pairs with the fence in `publish`",
        "// Acquire: pairs with the fence in `publish`",
    ),
    (
        // The last entry goes to the owner whether or not a thief has it.
        "pop_takes_the_last_without_a_race",
        "let won = top == youngest\n            && self\n                .shared\n                .top\n                .compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed)\n                .is_ok();",
        "let won = top == youngest;\n        if won {\n            self.shared.top.store(top + 1, Ordering::SeqCst);\n        }",
    ),
    (
        // The slot may have been reused by the time the claim succeeds.
        "steal_reads_after_claiming",
        "let entry = self.slot(top).load(Ordering::Relaxed);",
        "",
    ),
    (
        // The owner reuses a slot that a thief has claimed and still reads.
        "push_one_past_full",
        "let has_room = bottom - top < SLOTS;",
        "let has_room = bottom - top <= SLOTS;",
    ),
    (
        // A thief sees the new top and not what made stealing inadmissible before it.
        "skip_without_release",
        "self.shared.top.store(next, Ordering::Release);",
        "self.shared.top.store(next, Ordering::Relaxed);",
    ),
];

/// The claim's end, after which the mutant `steal_reads_after_claiming` reads the slot.
const AFTER_CLAIM: &str = "return Steal::Retry;\n        }\n        if top + 1 == split {";

fn main() -> io::Result<()> {
    let source = Path::new("../magpie/src/deque.rs");
    println!("cargo::rerun-if-changed={}", source.display());
    println!("cargo::rerun-if-changed=build.rs");
    let text = fs::read_to_string(source)?;
    // `include!` takes items only: the module's own documentation stays behind.
    let text: String = text
        .lines()
        .filter(|line| !line.starts_with("//!"))
        .map(|line| format!("{line}\n"))
        .collect();
    let out = PathBuf::from(
        env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?,
    );
    for (name, from, to) in MUTANTS {
        let mut mutant = replace_once(&text, name, from, to)?;
        if *name == "steal_reads_after_claiming" {
            let late = AFTER_CLAIM.replace(
                "        if top",
                "        let entry = self.slot(top).load(Ordering::Relaxed);\n        if top",
            );
            mutant = replace_once(&mutant, name, AFTER_CLAIM, &late)?;
        }
        fs::write(out.join(format!("{name}.rs")), mutant)?;
    }
    Ok(())
}

fn replace_once(text: &str, name: &str, from: &str, to: &str) -> io::Result<String> {
    let found = text.matches(from).count();
    if found == 1 {
        return Ok(text.replace(from, to));
    }
    Err(io::Error::other(format!(
        "seeding `{name}`: its pattern occurs {found} times in magpie's deque.rs; bring build.rs up to date"
    )))
}
