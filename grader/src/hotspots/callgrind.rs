//! Reads the costs in a callgrind.out file.
//!
//! Format: the Valgrind manual, "Callgrind Format Specification". Only what a function costs itself
//! is taken; the inclusive cost behind a `calls=` line is passed over. Names may be compressed as
//! `(id) name`, positions as `+n`, `-n` and `*`.

use std::collections::HashMap;

/// What one instruction cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cost {
    /// The object file that holds the instruction.
    pub(super) object: String,
    /// The instruction's address within the object; 0 when the file has none.
    pub(super) address: u64,
    /// The source file that Callgrind names.
    pub(super) file: String,
    /// The source line that Callgrind names.
    pub(super) line: u32,
    /// The function that Callgrind names.
    pub(super) function: String,
    /// The sum of the wanted events.
    pub(super) count: u64,
}

/// The costs in `text`, for the sum of `events`.
pub(super) fn costs(text: &str, events: &[&str]) -> Result<Vec<Cost>, String> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        reader
            .line(line, events)
            .map_err(|found| format!("line {}: {found}", index + 1))?;
    }
    Ok(reader.costs)
}

#[derive(Default)]
struct Reader {
    names: HashMap<(char, String), String>,
    with_addresses: bool,
    wanted: Vec<usize>,
    object: String,
    file: String,
    function: String,
    address: u64,
    source_line: u64,
    /// The next line is the inclusive cost of a call.
    after_call: bool,
    costs: Vec<Cost>,
}

impl Reader {
    fn line(&mut self, line: &str, events: &[&str]) -> Result<(), String> {
        if line.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '*')) {
            return self.cost(line);
        }
        if let Some(positions) = line.strip_prefix("positions:") {
            self.with_addresses = positions.contains("instr");
        } else if let Some(names) = line.strip_prefix("events:") {
            let names: Vec<_> = names.split_whitespace().collect();
            self.wanted = events
                .iter()
                .filter_map(|e| names.iter().position(|n| n == e))
                .collect();
            if self.wanted.len() != events.len() {
                return Err(format!("the events {names:?} lack some of {events:?}"));
            }
        } else if line.starts_with("calls=") {
            self.after_call = true;
        } else if let Some((key, value)) = line.split_once('=') {
            match key {
                "ob" => self.object = self.name('o', value),
                "fl" | "fi" | "fe" => self.file = self.name('f', value),
                "fn" => self.function = self.name('n', value),
                // What is called is known by its own costs; only its names are kept.
                "cob" => drop(self.name('o', value)),
                "cfi" | "cfl" => drop(self.name('f', value)),
                "cfn" => drop(self.name('n', value)),
                _ => {}
            }
        }
        Ok(())
    }

    /// The full name behind `(id)`, `(id) name` or `name`.
    fn name(&mut self, kind: char, value: &str) -> String {
        let Some((id, name)) = value
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'))
        else {
            return value.to_owned();
        };
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
            return value.to_owned();
        }
        let key = (kind, id.to_owned());
        if !name.is_empty() {
            self.names.insert(key.clone(), name.trim_start().to_owned());
        }
        self.names.get(&key).cloned().unwrap_or_default()
    }

    fn cost(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        let mut position = |before: u64| {
            let word = words.next().ok_or("a position is missing")?;
            moved(before, word).ok_or_else(|| format!("`{word}` is no position"))
        };
        if self.with_addresses {
            self.address = position(self.address)?;
        }
        self.source_line = position(self.source_line)?;
        if std::mem::take(&mut self.after_call) {
            return Ok(());
        }
        let counts: Vec<u64> = words.map(|word| word.parse().unwrap_or(0)).collect();
        // Zeros at the end of a line are left out.
        let count = self
            .wanted
            .iter()
            .filter_map(|&index| counts.get(index))
            .sum();
        if count > 0 {
            self.costs.push(Cost {
                object: self.object.clone(),
                address: self.address,
                file: self.file.clone(),
                line: u32::try_from(self.source_line).unwrap_or(0),
                function: self.function.clone(),
                count,
            });
        }
        Ok(())
    }
}

fn moved(before: u64, word: &str) -> Option<u64> {
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    match word.as_bytes().first()? {
        b'*' => Some(before),
        b'+' => before.checked_add(number(&word[1..])?),
        b'-' => before.checked_sub(number(&word[1..])?),
        _ => number(word),
    }
}

#[cfg(test)]
mod tests {
    use super::costs;

    const COMPRESSED: &str = "\
positions: instr line
events: Ir D1mr D1mw

ob=(1) /lab
fl=(1) src/a.rs
fn=(1) outer
0x10 5 7 2
+4 +1 1 0 3
cfn=(2) inner
calls=1 0x40
* * 900 900 900
fi=(2) src/b.rs
+4 9 4 1
fn=(2)
0x40 3 6
";

    #[test]
    fn own_costs_are_read_and_calls_passed_over() {
        let read: Vec<_> = costs(COMPRESSED, &["D1mr", "D1mw"])
            .unwrap()
            .into_iter()
            .map(|cost| {
                (
                    cost.function,
                    cost.file,
                    cost.address,
                    cost.line,
                    cost.count,
                )
            })
            .collect();
        let expected = [
            ("outer".into(), "src/a.rs".into(), 0x10, 5, 2),
            ("outer".into(), "src/a.rs".into(), 0x14, 6, 3),
            ("outer".into(), "src/b.rs".into(), 0x18, 9, 1),
        ];
        assert_eq!(read, expected);
        let instructions = costs(COMPRESSED, &["Ir"]).unwrap();
        assert_eq!(
            instructions.iter().map(|cost| cost.count).sum::<u64>(),
            7 + 1 + 4 + 6
        );
        assert_eq!(instructions.last().unwrap().function, "inner");
    }

    #[test]
    fn a_missing_event_and_a_torn_line_are_told() {
        assert!(costs(COMPRESSED, &["Bcm"]).unwrap_err().contains("line 2"));
        assert!(
            costs("positions: line\nevents: Ir\n1x 2", &["Ir"])
                .unwrap_err()
                .contains("1x")
        );
    }
}
