//! The footprint of a run, as data.

use crate::tracer::{
    Outcome,
    result_file::{Columns, Interval, ProcessResult},
};
use serde::{Deserialize, Serialize};

/// One interval, in distinct units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Number of the first instruction.
    pub instructions: u64,
    /// Units loaded from.
    pub load: u64,
    /// Units stored to.
    pub store: u64,
    /// Units that instructions were fetched from.
    pub code: u64,
    /// Units touched for the first time since the start.
    pub new: u64,
    /// Units touched at all.
    pub touched: u64,
    /// The same units in columns that exclude each other.
    pub exclusive: Exclusive,
}

/// Units by exactly what touched them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exclusive {
    /// Loads only.
    pub load: u64,
    /// Stores only.
    pub store: u64,
    /// Loads and stores.
    pub load_store: u64,
    /// Fetches only.
    pub code: u64,
    /// Fetches and loads.
    pub code_load: u64,
    /// Fetches and stores.
    pub code_store: u64,
    /// All three.
    pub code_load_store: u64,
}

/// Sums and the footprint of the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Instructions counted.
    pub instructions: u64,
    /// Units loaded from.
    pub load: u64,
    /// Units stored to.
    pub store: u64,
    /// Units that instructions were fetched from.
    pub code: u64,
    /// Units touched at all; what the column `new` adds up to.
    pub new: u64,
    /// [`Self::new`] in bytes.
    pub size_bytes: u64,
    /// The same units in columns that exclude each other.
    pub exclusive: Exclusive,
}

/// The rows of one thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadRows {
    /// Threads are numbered in order of creation, from 0.
    pub thread: u32,
    /// Instructions that the thread executed.
    pub instructions: u64,
    /// Its intervals: the same instruction numbers as those of the whole program.
    pub intervals: Vec<Row>,
}

/// The footprint of one process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FootprintReport {
    /// What was run.
    pub command: String,
    /// Process number.
    pub pid: u32,
    /// The function that measuring was limited to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Size of a unit.
    pub unit_bytes: u64,
    /// Instructions per interval.
    pub interval: u64,
    /// Whether the program was measured to its own end.
    pub complete: bool,
    /// What the reader of the numbers should know.
    pub notes: Vec<String>,
    /// All threads together.
    pub intervals: Vec<Row>,
    /// The whole run.
    pub totals: Totals,
    /// Rows per thread, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<ThreadRows>,
    /// Reports of the processes that the program started, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<FootprintReport>,
}

/// What the request said, as far as the report repeats it.
#[derive(Clone, Debug)]
pub struct FootprintSettings {
    /// Size of a unit.
    pub unit_bytes: u64,
    /// Instructions per interval.
    pub interval: u64,
    /// The function that measuring was limited to.
    pub function: Option<String>,
}

impl FootprintReport {
    /// The report of a run.
    #[must_use]
    pub fn new(outcome: &Outcome, settings: &FootprintSettings) -> Self {
        let mut reports = outcome.processes.iter();
        let mut reports = reports
            .by_ref()
            .map(|process| Self::of(process, outcome, settings));
        let main = reports
            .next()
            .unwrap_or_else(|| Self::of(&ProcessResult::default(), outcome, settings));
        Self {
            notes: outcome.notes(),
            children: reports.collect(),
            ..main
        }
    }

    fn of(process: &ProcessResult, outcome: &Outcome, settings: &FootprintSettings) -> Self {
        let end = process.end.as_ref();
        let all = process.intervals.iter().filter(|row| row.thread.is_none());
        let intervals: Vec<Row> = all.map(Row::of).collect();
        let thread_instructions = end.map_or(&[][..], |end| &end.threads);
        Self {
            command: outcome.command.clone(),
            pid: process.pid,
            function: settings.function.clone(),
            unit_bytes: settings.unit_bytes,
            interval: settings.interval,
            complete: outcome.ending.is_complete() && end.is_some(),
            notes: Vec::new(),
            totals: Totals::of(process, settings.unit_bytes),
            threads: threads(&process.intervals, thread_instructions),
            intervals,
            children: Vec::new(),
        }
    }
}

impl Row {
    fn of(interval: &Interval) -> Self {
        let touched = &interval.touched;
        Self {
            instructions: interval.start,
            load: touched.load(),
            store: touched.store(),
            code: touched.code(),
            new: touched.new,
            touched: touched.any(),
            exclusive: touched.into(),
        }
    }
}

impl From<&Columns> for Exclusive {
    fn from(columns: &Columns) -> Self {
        Self {
            load: columns.load_only,
            store: columns.store_only,
            load_store: columns.load_store,
            code: columns.code_only,
            code_load: columns.code_load,
            code_store: columns.code_store,
            code_load_store: columns.code_load_store,
        }
    }
}

impl Totals {
    /// From the last line of the result, or from the rows if a killed process left no last line:
    /// then the columns by kind are not known, and only `new` and the start of the last row are.
    fn of(process: &ProcessResult, unit_bytes: u64) -> Self {
        let total = process.end.as_ref().and_then(|end| end.total);
        let seen = || process.intervals.iter().filter(|row| row.thread.is_none());
        let total = total.unwrap_or_else(|| Columns {
            new: seen().map(|row| row.touched.new).sum(),
            ..Columns::default()
        });
        let last_start = || seen().map(|row| row.start).max().unwrap_or(0);
        let instructions = process
            .end
            .as_ref()
            .map_or_else(last_start, |end| end.instructions);
        Self {
            instructions,
            load: total.load(),
            store: total.store(),
            code: total.code(),
            new: total.new,
            size_bytes: total.new * unit_bytes,
            exclusive: (&total).into(),
        }
    }
}

fn threads(intervals: &[Interval], instructions: &[u64]) -> Vec<ThreadRows> {
    let mut threads: Vec<ThreadRows> = Vec::new();
    for interval in intervals {
        let Some(thread) = interval.thread else {
            continue;
        };
        let known = threads.iter().position(|rows| rows.thread == thread);
        let position = known.unwrap_or_else(|| {
            threads.push(ThreadRows {
                thread,
                instructions: instructions.get(thread as usize).copied().unwrap_or(0),
                intervals: Vec::new(),
            });
            threads.len() - 1
        });
        threads[position].intervals.push(Row::of(interval));
    }
    threads.sort_by_key(|rows| rows.thread);
    threads
}
