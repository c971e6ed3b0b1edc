//! The instruction table: reads `instructions.txt` and finds the row of an instruction.
//!
//! The file's own head explains its notation and names its sources.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::pipeline::machine::Machine;
use crate::pipeline::uop::PortSet;

const TEXT: &str = include_str!("instructions.txt");

/// Where a micro-operation of a cell sends its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination {
    /// To the next of the chain; from the last of the chain to all that the instruction writes.
    Chain,
    /// To the register of this rank among those that the instruction writes.
    Rank(u8),
    /// Nowhere: it only takes a port.
    Nowhere,
}

/// One micro-operation of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellUop {
    /// Ports that can execute it.
    pub ports: PortSet,
    /// Latency, in cycles.
    pub latency_cycles: u8,
    /// Cycles for which it keeps the unit.
    pub occupancy_cycles: u8,
    /// Where its value goes.
    pub destination: Destination,
    /// Whether it passes its value sooner to others like it.
    pub bypasses: bool,
}

/// A cell: what an instruction is on one machine, without its loads and stores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Takes a slot only.
    Nop,
    /// A move from memory: the load alone.
    Load,
    /// A move to memory: the store alone.
    Store,
    /// These micro-operations.
    Compute(Vec<CellUop>),
    /// No figure.
    Missing,
}

/// What is known of an instruction's operands; a row asks for some of these words.
pub type Form<'words> = &'words [&'static str];

struct Row {
    words: Vec<&'static str>,
    cells: [&'static str; 3],
}

/// An error in the table itself, with its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableError {
    /// Line of `instructions.txt`, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// The table, ready for look-ups.
pub struct InstructionTable {
    rows: BTreeMap<&'static str, Vec<Row>>,
}

impl InstructionTable {
    /// Reads the table.
    ///
    /// # Errors
    /// A line that does not have five columns. The table is part of this crate and a test reads it,
    /// so callers may expect success.
    pub fn load() -> Result<Self, TableError> {
        let mut rows: BTreeMap<&'static str, Vec<Row>> = BTreeMap::new();
        for (number, line) in TEXT.lines().enumerate() {
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let columns: Vec<&'static str> = line.split('|').map(str::trim).collect();
            let [names, form, first, second, third] = columns[..] else {
                return Err(TableError {
                    line: number + 1,
                    what: "not five columns".to_string(),
                });
            };
            for name in names.split_whitespace() {
                rows.entry(name).or_default().push(Row {
                    words: form.split_whitespace().collect(),
                    cells: [first, second, third],
                });
            }
        }
        Ok(Self { rows })
    }

    /// The cell for `mnemonic` (lower case) in the form that `words` describe, `None` when there is
    /// no row or the row has no figure for `machine`.
    #[must_use]
    pub fn find(&self, mnemonic: &str, words: Form, machine: &Machine) -> Option<Cell> {
        let best = |rows: &'_ Vec<Row>| {
            rows.iter()
                .enumerate()
                .filter(|(_, row)| row.words.iter().all(|word| words.contains(word)))
                .max_by_key(|(at, row)| (row.words.len(), *at))
                .map(|(_, row)| row.cells[machine.table_column])
        };
        let own = self.rows.get(mnemonic).and_then(best);
        let sse = || {
            mnemonic
                .strip_prefix('v')
                .and_then(|name| self.rows.get(name))
                .and_then(best)
        };
        let cell = parse_cell(own.or_else(sse)?, machine).ok()?;
        (cell != Cell::Missing).then_some(cell)
    }

    /// Every mnemonic that has a row.
    pub fn mnemonics(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.rows.keys().copied()
    }
}

fn parse_cell(text: &str, machine: &Machine) -> Result<Cell, String> {
    match text {
        "nop" => return Ok(Cell::Nop),
        "load" => return Ok(Cell::Load),
        "store" => return Ok(Cell::Store),
        "-" => return Ok(Cell::Missing),
        _ => {}
    }
    let uops: Result<Vec<CellUop>, String> = text
        .split_whitespace()
        .map(|word| parse_uop(word, machine))
        .collect();
    uops.map(Cell::Compute)
}

fn parse_uop(word: &str, machine: &Machine) -> Result<CellUop, String> {
    if word == "." {
        return Ok(CellUop {
            ports: PortSet::NONE,
            latency_cycles: 0,
            occupancy_cycles: 1,
            destination: Destination::Nowhere,
            bypasses: false,
        });
    }
    let wrong = || alloc::format!("`{word}` is not ports:latency");
    let (mut destination, rest) = match word.strip_prefix('+') {
        Some(rest) => (Destination::Nowhere, rest),
        None => (Destination::Chain, word),
    };
    let (rest, rank) = match rest.split_once('>') {
        Some((rest, rank)) => (rest, Some(rank.parse().map_err(|_| wrong())?)),
        None => (rest, None),
    };
    if let Some(rank) = rank {
        destination = Destination::Rank(rank);
    }
    let (rest, bypasses) = match rest.strip_suffix('~') {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let (ports, cycles) = rest
        .strip_prefix('p')
        .and_then(|r| r.split_once(':'))
        .ok_or_else(wrong)?;
    let (latency, occupancy) = cycles.split_once('/').unwrap_or((cycles, "1"));
    Ok(CellUop {
        ports: machine.port_set(ports).ok_or_else(wrong)?,
        latency_cycles: latency.parse().map_err(|_| wrong())?,
        occupancy_cycles: occupancy.parse().map_err(|_| wrong())?,
        destination,
        bypasses,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::machines::{MACHINES, SKYLAKE};

    #[test]
    fn every_cell_of_every_machine_can_be_read() {
        let table = InstructionTable::load().unwrap();
        for (name, rows) in &table.rows {
            for row in rows {
                for machine in MACHINES {
                    let text = row.cells[machine.table_column];
                    let cell = parse_cell(text, machine);
                    assert!(
                        cell.is_ok(),
                        "{name} {:?} on {}: {cell:?}",
                        row.words,
                        machine.name
                    );
                }
            }
        }
    }

    #[test]
    fn the_row_with_the_most_words_wins() {
        let table = InstructionTable::load().unwrap();
        let Some(Cell::Compute(same)) = table.find("shld", &["64", "r", "same"], &SKYLAKE) else {
            panic!("no row")
        };
        let Some(Cell::Compute(other)) = table.find("shld", &["64", "r"], &SKYLAKE) else {
            panic!("no row")
        };
        assert_eq!((same[0].latency_cycles, other[0].latency_cycles), (1, 3));
    }

    #[test]
    fn vex_forms_use_the_rows_of_their_sse_mnemonics() {
        let table = InstructionTable::load().unwrap();
        assert_eq!(
            table.find("vpaddd", &["y", "r", "vex"], &SKYLAKE),
            table.find("paddd", &["x", "r"], &SKYLAKE)
        );
        assert!(table.find("vpaddd", &["y", "r"], &SKYLAKE).is_some());
    }

    #[test]
    fn what_is_not_in_the_table_is_not_guessed() {
        let table = InstructionTable::load().unwrap();
        assert_eq!(table.find("fsin", &[], &SKYLAKE), None);
    }
}
