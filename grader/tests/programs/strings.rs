//! Builds, joins and searches text: small heap blocks and the C library's byte searches.

use std::hint::black_box;

fn main() {
    let words: Vec<String> = (0..600).map(|number| format!("word number {number}")).collect();
    let text = words.join(" ");
    let found = words.iter().filter(|word| text.contains(word.as_str())).count();
    let lengths = text.split(' ').map(str::len).max();
    black_box((found, lengths));
}
