//! A recording of executed instructions, as the tool writes it. Source: `grader/tracer/src/trace.rs`.

use models::pipeline::x86::Recorded;
use serde::Deserialize;
use std::collections::BTreeMap;

/// One instruction that was executed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Code {
    /// Its number in the recording.
    pub number: u32,
    /// Where it stands in the process.
    pub address: u64,
    /// Its encoding, in hexadecimal digits.
    pub bytes: String,
    /// The file that it was mapped from.
    pub object: Option<String>,
    /// Where the file's own symbol table and disassembly have it.
    pub object_address: Option<u64>,
    /// Innermost inlined function first: `name (file:line)`, or `name (in object)`, or `???`.
    #[serde(default)]
    pub frames: Vec<String>,
}

impl Code {
    /// Its encoding; cut where it is not hexadecimal.
    #[must_use]
    pub fn encoding(&self) -> Vec<u8> {
        let pairs = self.bytes.as_bytes().chunks_exact(2);
        let texts = pairs.map_while(|pair| std::str::from_utf8(pair).ok());
        texts
            .map_while(|text| u8::from_str_radix(text, 16).ok())
            .collect()
    }
}

/// How much was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct TraceTotals {
    /// Instructions.
    pub instructions: u64,
    /// Calls of the function.
    pub calls: u64,
}

/// A recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The executions, still as text.
    pub text: String,
    /// The instructions, by number.
    pub code: BTreeMap<u32, Code>,
    /// How much was recorded.
    pub totals: TraceTotals,
}

impl Trace {
    /// The executions in order.
    ///
    /// # Errors
    ///
    /// If the text is not what the tool writes.
    pub fn steps(&self) -> Result<Vec<Recorded>, String> {
        let mut reader = Reader(self.text.as_bytes());
        let mut steps = Vec::new();
        let mut previous: u64 = 0;
        let mut addresses: BTreeMap<u32, u64> = BTreeMap::new();
        while let Some((&first, rest)) = reader.0.split_first() {
            if first == b'|' {
                reader.0 = rest;
                steps.push(Recorded::Entry);
                continue;
            }
            let head = reader.number()?;
            previous = previous.wrapping_add(1).wrapping_add(unzigzag(head >> 1));
            let number =
                u32::try_from(previous).map_err(|_| format!("instruction {previous} is none"))?;
            let mut memory_address = 0;
            if head & 1 == 1 {
                let address = addresses.entry(number).or_default();
                *address = address.wrapping_add(unzigzag(reader.number()?));
                memory_address = *address;
            }
            steps.push(Recorded::Step {
                number,
                memory_address,
            });
        }
        Ok(steps)
    }
}

/// The text not read yet.
struct Reader<'text>(&'text [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Result<u64, String> {
        let mut value = 0;
        let mut shift = 0;
        loop {
            let Some((&digit, rest)) = self.0.split_first() else {
                return Err("a number is cut short".to_owned());
            };
            self.0 = rest;
            let digit =
                value_of(digit).ok_or_else(|| format!("`{}` is no digit", char::from(digit)))?;
            // The thirteenth digit of a 64-bit number carries four bits.
            value |= (digit & 31).checked_shl(shift).unwrap_or(0);
            shift += 5;
            if digit & 32 == 0 {
                return Ok(value);
            }
        }
    }
}

fn value_of(digit: u8) -> Option<u64> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value.into())
}

fn unzigzag(value: u64) -> u64 {
    value >> 1 ^ (value & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Result<Vec<Recorded>, String> {
        let trace = Trace {
            text: text.to_owned(),
            ..Trace::default()
        };
        trace.steps()
    }

    fn step(number: u32, memory_address: u64) -> Recorded {
        Recorded::Step {
            number,
            memory_address,
        }
    }

    #[test]
    fn straight_code_is_one_letter_per_instruction() {
        let read = steps("|AAA").unwrap();
        assert_eq!(read, [Recorded::Entry, step(1, 0), step(2, 0), step(3, 0)]);
    }

    #[test]
    fn a_loop_goes_back_and_its_address_goes_on() {
        // 1 at address 16, 2, back to 1 at address 24.
        let read = steps("BgBAHQ").unwrap();
        assert_eq!(read, [step(1, 16), step(2, 0), step(1, 24)]);
    }

    #[test]
    fn text_that_is_cut_short_is_refused() {
        assert_eq!(steps("Bg").unwrap_err(), "a number is cut short");
        assert_eq!(steps("B").unwrap_err(), "a number is cut short");
        assert_eq!(steps("!").unwrap_err(), "`!` is no digit");
    }

    #[test]
    fn bytes_are_pairs_of_digits() {
        let code: Code =
            serde_json::from_str(r#"{"number":3,"address":4096,"bytes":"48ffc9"}"#).unwrap();
        assert_eq!(code.encoding(), [0x48, 0xff, 0xc9]);
        assert!(code.frames.is_empty());
    }
}
