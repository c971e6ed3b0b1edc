//! What `<reuse-distance>` computes, computed natively.
//!
//!     cargo run -p widgets --example reuse_json -- sequential 1024
//!     cargo run -p widgets --example reuse_json -- letters "a1 b1 e1 b2 c1 d1 a2" "a b c | d e"
#![expect(clippy::print_stdout, reason = "a program that prints")]

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["letters", letters, lines] => widgets::reuse_distance("letters", 0, letters, lines),
        [name, size] => match size.parse() {
            Ok(size) => widgets::reuse_distance(name, size, "", ""),
            Err(error) => Err(format!("the size in lines was “{size}”: {error}")),
        },
        _ => Err("usage: reuse_json PATTERN LINES, or reuse_json letters ACCESSES LINES".into()),
    };
    match result {
        Ok(json) => {
            println!("{json}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("reuse_json: {why}");
            ExitCode::from(2)
        }
    }
}
