//! The four archetypes of the page on reuse distance, as the page lists them.
//!
//!     cargo run -p widgets --example archetypes > book/src/memory/archetypes.txt
#![expect(clippy::print_stdout, reason = "a program that prints")]

fn main() {
    print!("{}", widgets::archetypes());
}
