//! Builds, joins and searches text: small heap blocks and the C library's byte searches.

// Rust's own start reads /proc/self/maps, whose length depends on the tool that looks on.
#![no_main]

use std::hint::black_box;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let words: Vec<String> = (0..600).map(|number| format!("word number {number}")).collect();
    let text = words.join(" ");
    let found = words.iter().filter(|word| text.contains(word.as_str())).count();
    let lengths = text.split(' ').map(str::len).max();
    black_box((found, lengths));
    0
}
