//! `grader doctor`: each tool, whether it is here, what it is for, how to get it.

use std::fmt::Write as _;
use std::process::Command;

use super::{Outcome, print};
use crate::error::Exit;
use crate::host::terminal::{BAD, GOOD, QUIET, STRONG, WARN, paint};
use crate::host::{huge_pages, tools};

/// A tool and what it is good for.
struct Tool {
    name: &'static str,
    purpose: &'static str,
    /// Without it no lab is graded.
    needed: bool,
    version: fn() -> Result<String, String>,
    /// What to type.
    remedy: fn() -> String,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "cargo",
        purpose: "builds the labs",
        needed: true,
        version: || printed_by("cargo", "--version"),
        remedy: || "install Rust with rustup".into(),
    },
    Tool {
        name: "valgrind",
        purpose: "counts instructions, cache misses, heap blocks",
        needed: true,
        version: || tools::valgrind().map_err(|missing| missing.found),
        remedy: || tools::install("valgrind"),
    },
    Tool {
        name: "git",
        purpose: "tells edited tests from committed ones",
        needed: false,
        version: || printed_by("git", "--version"),
        remedy: || tools::install("git"),
    },
    Tool {
        name: "setarch",
        purpose: "fixes addresses, so that counts agree to the last digit",
        needed: false,
        version: || {
            if tools::can_fix_addresses() {
                printed_by("setarch", "--version")
            } else {
                Err("it may not switch address randomisation off here".into())
            }
        },
        remedy: || {
            format!(
                "{}; in a container, allow `personality`",
                tools::install("util-linux")
            )
        },
    },
    Tool {
        name: "hugepages",
        purpose: "lets the labs on huge pages be graded",
        needed: false,
        version: || {
            huge_pages::transparent()
                .map(|setting| format!("transparent huge pages: {setting}"))
                .map_err(|missing| missing.found)
        },
        remedy: || huge_pages::transparent().map_or_else(|missing| missing.remedy, |_| "".into()),
    },
    Tool {
        name: "mdbook",
        purpose: "builds the book",
        needed: false,
        version: || printed_by("mdbook", "--version"),
        remedy: || "cargo make book installs it".into(),
    },
];

/// Prints the list.
///
/// # Errors
///
/// None; a missing tool that every lab needs shows in the exit code.
pub fn run() -> Outcome {
    let mut text = String::new();
    let mut exit = Exit::Passed;
    for tool in TOOLS {
        let name = paint(STRONG, format!("{:9}", tool.name));
        let line = match (tool.version)() {
            Ok(version) => format!("{} {name} {version}", paint(GOOD, "✓")),
            Err(found) if tool.needed => {
                exit = Exit::NotMeasured;
                format!("{} {name} {found}", paint(BAD, "✗"))
            }
            Err(found) => format!("{} {name} {found}", paint(WARN, "–")),
        };
        let _ = writeln!(text, "{line}");
        let _ = writeln!(text, "            {}", paint(QUIET, tool.purpose));
        if !line.contains('✓') {
            let _ = writeln!(text, "            get it: {}", (tool.remedy)());
        }
    }
    print(&text);
    Ok(exit)
}

fn printed_by(program: &str, argument: &str) -> Result<String, String> {
    let printed = tools::first_line(Command::new(program).arg(argument));
    let printed = printed.ok_or_else(|| "not found".to_owned())?;
    Ok(printed
        .split_once(' ')
        .map_or(printed.clone(), |(_, version)| version.to_owned()))
}
