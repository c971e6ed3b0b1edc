//! The model fed by hand: every access of Lackey's trace, none left out.
//!
//! The tool spares the model accesses to the page that was used last. That this changes no count, on
//! machines with one first-level array for data and with two, is what these tests see.

use crate::{
    lackey::{self, Event},
    programs,
};
use grader::tracer::{
    Program, Request, Tool,
    request::{Analysis, PageSource},
    translations::{BySize, Tally},
};
use models::tlb::{Machine, PageSize, Side, Tlb, machines};
use std::path::Path;

/// The counts of small pages, for data and for instructions.
fn by_hand(tool: &Tool, program: &Path, machine: &Machine<'_>) -> [Tally; 2] {
    let mut tlb = Tlb::new(machine);
    let mut heap_end = None;
    lackey::trace(tool, program, |event| match event {
        Event::Access(kind, address, bytes) => {
            let last = address + u64::from(bytes.max(1)) - 1;
            for page in address >> 12..=last >> 12 {
                tlb.access(kind, page << 12, PageSize::Small);
            }
        }
        Event::SystemCall(text) => {
            if let Some((first, bytes)) = changed(&text, &mut heap_end).filter(|&(_, b)| b > 0) {
                tlb.drop_range(first, first + bytes - 1);
            }
        }
    });
    [Side::Data, Side::Instruction].map(|side| {
        let tally = tlb.counts().of(side, PageSize::Small);
        Tally {
            accesses: tally.accesses,
            l1_misses: tally.l1_misses,
            walks: tally.walks,
            levels_read: tally.levels_read,
        }
    })
}

/// The bytes whose mapping a system call changed. The programs call nothing else that does.
fn changed(text: &str, heap_end: &mut Option<u64>) -> Option<(u64, u64)> {
    let (_, rest) = text.split_once("sys_")?;
    let (name, rest) = rest.split_once(" ( ")?;
    let (arguments, result) = rest.split_once(')')?;
    let argument = |position| number(arguments.split(", ").nth(position)?);
    let value = || number(result.split_once("Success(")?.1.split(')').next()?);
    match name {
        "munmap" | "mprotect" | "madvise" => Some((argument(0)?, argument(1)?)),
        "mmap" => Some((value()?, argument(1)?)),
        "brk" => {
            let end = value()?;
            let before = heap_end.replace(end).unwrap_or(end);
            Some((before.min(end), before.abs_diff(end)))
        }
        _ => None,
    }
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn by_tool(tool: &Tool, program: &Path, machine: &Machine<'_>) -> [BySize; 2] {
    let program = Program::find(program.as_os_str(), Vec::new()).unwrap();
    let request = Request {
        kernel: false,
        ..Request::new(Analysis::Tlb {
            machine: machine.name,
            pages: PageSource::Small,
            interval: None,
            sites: 0,
        })
    };
    let outcome = tool.run(&program, &request).unwrap();
    let translations = outcome.main().translations.clone().unwrap();
    [translations.counts.data, translations.counts.instruction]
}

#[test]
fn counts_equal_those_of_a_model_that_is_told_every_access() {
    let tool = Tool::prepare().unwrap();
    let names = ["unaligned", "random", "strings"];
    for name in names {
        let program = programs::static_rust(name);
        for machine in [&machines::ZEN4, &machines::GOLDEN_COVE] {
            let ours = by_tool(&tool, &program, machine);
            let theirs = by_hand(&tool, &program, machine);
            for (ours, theirs) in ours.iter().zip(theirs) {
                assert_eq!(ours.total(), theirs, "{name} on {}", machine.name);
                assert_eq!(ours.small, theirs, "{name} on {}", machine.name);
            }
        }
    }
}
