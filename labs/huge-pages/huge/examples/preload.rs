//! Moves the text of any program, and of its libraries, onto huge pages before its `main` runs:
//!
//! ```text
//! cargo build --release -p huge --example preload
//! LD_PRELOAD=$PWD/target/release/examples/libpreload.so HUGE_TELL=1 PROGRAM
//! ```
//!
//! Libraries that the program loads later stay where they are.

use huge::{Backing, RemappedFile, TextError, remap_all_text};

/// Environment variable: say on the error stream what became of each text.
const TELL: &str = "HUGE_TELL";

#[expect(
    unsafe_code,
    reason = "the loader looks for constructors in this section"
)]
// SAFETY: the section holds addresses of functions that the loader calls without arguments that we
// read, once, after all libraries are mapped and before `main`.
#[unsafe(link_section = ".init_array")]
#[used]
static AT_START: extern "C" fn() = at_start;

extern "C" fn at_start() {
    let tell = std::env::var_os(TELL).is_some();
    match remap_all_text(Backing::Advised) {
        Ok(texts) if tell => {
            for RemappedFile { file, result } in texts {
                match result {
                    Ok(moved) => eprintln!("{file}: {} MiB moved", moved.range.len() >> 20),
                    Err(TextError::TooSmall { .. }) => {}
                    Err(why) => eprintln!("{file}: {why}"),
                }
            }
        }
        Err(why) if tell => eprintln!("{why}"),
        _ => {}
    }
}
