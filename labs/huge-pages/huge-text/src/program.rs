//! The program: functions call for each other in an order that only running them tells.

use crate::Code;
use crate::code::HOT;

/// How long it runs, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The first function's argument.
    pub seed: u64,
    /// Calls, one after the other.
    pub calls: usize,
}

/// What a run came to.
#[derive(Debug, PartialEq, Eq)]
pub struct Ended {
    /// Where the code is no longer what was linked, in bytes from its start.
    pub first_changed_byte: Option<usize>,
    /// What is allowed with the code, as in `r-xp`.
    pub rights: String,
    /// The last result.
    pub result: u64,
}

lab_kit::compare_fields!(Ended: first_changed_byte, rights, result);

impl Program {
    /// Calls one function after the other. Code that is not what was `linked`, or may not be run, is
    /// not called: it would end the process.
    pub fn run(&self, code: &Code, linked: &[u8]) -> Ended {
        let mapping = code.mapping();
        let rights = mapping.map_or("unknown".into(), |mapping| mapping.permissions);
        let first_changed_byte = if rights.starts_with('r') {
            first_difference(code.bytes(), linked)
        } else {
            Some(0)
        };
        let mut result = self.seed;
        if first_changed_byte.is_none() && rights.contains('x') {
            for _ in 0..self.calls {
                // The upper bits are the well mixed ones.
                let function = usize::try_from(result >> 20).unwrap_or(0) % HOT;
                result = code.call(function, result);
            }
        }
        Ended {
            first_changed_byte,
            rights,
            result,
        }
    }
}

fn first_difference(found: &[u8], expected: &[u8]) -> Option<usize> {
    // All at once first: this is on the way of every run, and alike is what they are.
    if found == expected {
        return None;
    }
    let mut pairs = found.iter().zip(expected);
    pairs.position(|(found, expected)| found != expected)
}
