//! The tool's result file: JSON lines, read into what the models call things.
//!
//! A run that was killed leaves a file without its last lines, or with half of one; what is whole is
//! read.

use super::TracerError;
use super::trace::{Code, Trace, TraceTotals};
use super::translations::{Mapping, MissingSite, Translations, WorkingSet};
use serde::Deserialize;
use std::{fs, path::Path};

/// The only version of the format so far. Source: `grader/tracer/src/report.rs`.
const VERSION: u32 = 1;
const FORMAT: &str = "cyclewise-tracer";

/// Distinct units by what touched them; the combinations exclude each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Columns {
    /// Loaded from only.
    pub load_only: u64,
    /// Stored to only.
    pub store_only: u64,
    /// Loaded from and stored to.
    pub load_store: u64,
    /// Fetched from only.
    pub code_only: u64,
    /// Fetched and loaded from.
    pub code_load: u64,
    /// Fetched from and stored to.
    pub code_store: u64,
    /// Fetched from, loaded from and stored to.
    pub code_load_store: u64,
    /// Touched for the first time since the program's start.
    pub new: u64,
}

impl Columns {
    /// Units loaded from, whatever else was done to them.
    #[must_use]
    pub fn load(&self) -> u64 {
        self.load_only + self.load_store + self.code_load + self.code_load_store
    }

    /// Units stored to, whatever else was done to them.
    #[must_use]
    pub fn store(&self) -> u64 {
        self.store_only + self.load_store + self.code_store + self.code_load_store
    }

    /// Units fetched from, whatever else was done to them.
    #[must_use]
    pub fn code(&self) -> u64 {
        self.code_only + self.code_load + self.code_store + self.code_load_store
    }

    /// Units touched at all.
    #[must_use]
    pub fn any(&self) -> u64 {
        self.load_only + self.store_only + self.load_store + self.code()
    }
}

/// One interval of the whole program or of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Interval {
    /// Number of the interval's first instruction.
    pub start: u64,
    /// The thread in order of creation, from 0; `None` for all threads together.
    pub thread: Option<u32>,
    /// What was touched.
    #[serde(flatten)]
    pub touched: Columns,
}

/// A histogram of reuse distances in lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Distances {
    /// Accesses without an earlier use.
    pub cold: u64,
    /// First and last distance of each bin, and how many accesses fell into it.
    pub bins: Vec<(u64, u64, u64)>,
}

/// Reuse of all accesses of the program together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Reuse {
    /// Accesses, one for each line that an access touches.
    pub touches: u64,
    /// Expected misses, for each cache size of the request.
    pub misses: Vec<u64>,
    /// Distances to the last use of the same address.
    pub temporal: Distances,
    /// Distances to the last use of another address of the same line.
    pub spatial: Distances,
    /// Distinct lines touched; distinct addresses if distances count those.
    pub units: u64,
    /// Cache sizes in lines, ascending, and the expected misses of each.
    pub curve: Vec<(u64, u64)>,
}

/// Reuse seen from one load or store instruction.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Site {
    /// Where the instruction stands in the process.
    pub address: u64,
    /// Whether it stores; else it loads.
    pub store: bool,
    /// The file that it was mapped from.
    pub object: Option<String>,
    /// Where the file's own symbol table and disassembly have it.
    pub object_address: Option<u64>,
    /// Innermost inlined function first: `name (file:line)`, or `name (in object)`, or `???`.
    pub frames: Vec<String>,
    /// Accesses, one for each line that an access touches.
    pub touches: u64,
    /// Expected misses, for each cache size of the request.
    pub misses: Vec<u64>,
    /// Distances to the last use of the same address.
    pub temporal: Distances,
    /// Distances to the last use of another address of the same line.
    pub spatial: Distances,
}

/// One access of a list.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Access {
    /// First byte touched.
    pub address: u64,
    /// Bytes touched.
    pub size_bytes: u64,
    /// Whether it stores; else it loads.
    pub store: bool,
    /// Where the instruction stands in the process.
    pub instruction: u64,
    /// Distance to the last use of the same address.
    pub temporal: Option<u32>,
    /// Distance to the last use of another address of the same line.
    pub spatial: Option<u32>,
    /// As in [`Site::frames`].
    pub frames: Vec<String>,
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct End {
    /// The program was about to replace itself by another, and did.
    pub exec: bool,
    /// Instructions counted.
    pub instructions: u64,
    /// Instructions of each thread, in order of creation.
    pub threads: Vec<u64>,
    /// How often the function was entered, if measuring was limited to one.
    pub entries: Option<u64>,
    /// The footprint of the whole run, if it was measured.
    pub total: Option<Columns>,
}

/// What one process measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessResult {
    /// The process's number.
    pub pid: u32,
    /// Rows of the footprint, in order.
    pub intervals: Vec<Interval>,
    /// The first accesses, if a list was asked for.
    pub accesses: Vec<Access>,
    /// Reuse distances, if they were measured.
    pub reuse: Option<Reuse>,
    /// The worst loads and stores, worst first.
    pub sites: Vec<Site>,
    /// The executed instructions, if they were recorded.
    pub trace: Trace,
    /// TLB misses and page walks, if they were measured.
    pub translations: Option<Translations>,
    /// Totals; `None` if the process was killed.
    pub end: Option<End>,
}

#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
    pid: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Interval(Interval),
    Reuse(Reuse),
    Site(Site),
    Access(Access),
    Steps(String),
    Code(Code),
    Trace(TraceTotals),
    WorkingSet(WorkingSet),
    Tlb(Translations),
    Mapping(Mapping),
    TlbSite(MissingSite),
    End(End),
}

/// Reads a result file.
///
/// # Errors
///
/// If the file cannot be read, or a line other than the last is not of the format.
pub fn read(path: &Path) -> Result<ProcessResult, TracerError> {
    let attempt = format!("reading the result {}", path.display());
    let text = fs::read_to_string(path).map_err(TracerError::io(attempt))?;
    parse(&text).map_err(|found| TracerError::Result {
        path: path.to_owned(),
        found,
    })
}

fn parse(text: &str) -> Result<ProcessResult, String> {
    let mut lines = text.split_inclusive('\n').enumerate();
    let (_, first) = lines.next().ok_or("it is empty")?;
    let header: Header = serde_json::from_str(first).map_err(|why| format!("line 1: {why}"))?;
    if header.format != FORMAT || header.version != VERSION {
        let (format, version) = (header.format, header.version);
        return Err(format!(
            "it is {format} version {version}, not {FORMAT} {VERSION}"
        ));
    }
    let mut result = ProcessResult {
        pid: header.pid,
        ..ProcessResult::default()
    };
    let mut failed_exec = false;
    let mut working_sets = Vec::new();
    for (index, line) in lines {
        match serde_json::from_str(line) {
            Ok(Line::Interval(interval)) => {
                if result.end.take().is_some() {
                    failed_exec = true;
                }
                if failed_exec {
                    // The running interval was written before an `exec` that failed.
                    let is_same = |row: &Interval| {
                        (row.start, row.thread) == (interval.start, interval.thread)
                    };
                    result.intervals.retain(|row| !is_same(row));
                }
                result.intervals.push(interval);
            }
            Ok(Line::Reuse(reuse)) => {
                // Its sites follow, and take the place of those before a failed `exec`.
                result.sites.clear();
                result.reuse = Some(reuse);
            }
            Ok(Line::Site(site)) => result.sites.push(site),
            Ok(Line::Access(access)) => result.accesses.push(access),
            Ok(Line::Steps(text)) => result.trace.text.push_str(&text),
            // Those before a failed `exec` come again.
            Ok(Line::Code(code)) => drop(result.trace.code.insert(code.number, code)),
            Ok(Line::Trace(totals)) => result.trace.totals = totals,
            Ok(Line::WorkingSet(set)) => working_sets.push(set),
            // Its mappings and sites follow; all take the place of those before a failed `exec`.
            Ok(Line::Tlb(translations)) => result.translations = Some(translations),
            Ok(Line::Mapping(mapping)) => {
                if let Some(translations) = &mut result.translations {
                    translations.mappings.push(mapping);
                }
            }
            Ok(Line::TlbSite(site)) => {
                if let Some(translations) = &mut result.translations {
                    translations.sites.push(site);
                }
            }
            Ok(Line::End(end)) => result.end = Some(end),
            Err(_) if !line.ends_with('\n') => break,
            Err(why) => return Err(format!("line {}: {why}", index + 1)),
        }
    }
    if let Some(translations) = &mut result.translations {
        translations.working_sets = working_sets;
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "{\"format\":\"cyclewise-tracer\",\"version\":1,\"pid\":7,\
                          \"unit_bytes\":64,\"interval\":1000}\n";
    const ROW: &str = "{\"interval\":{\"start\":1000,\"load_only\":4,\"store_only\":3,\
                       \"load_store\":2,\"code_only\":1,\"code_load\":0,\"code_store\":0,\
                       \"code_load_store\":1,\"new\":5}}\n";

    #[test]
    fn columns_add_up() {
        let result = parse(&format!("{HEADER}{ROW}")).unwrap();
        let touched = result.intervals[0].touched;
        assert_eq!((touched.load(), touched.store(), touched.code()), (7, 6, 2));
        assert_eq!((touched.any(), touched.new), (11, 5));
        assert_eq!((result.pid, result.intervals[0].start), (7, 1000));
    }

    #[test]
    fn killed_run_gives_the_whole_lines() {
        let result = parse(&format!("{HEADER}{ROW}{}", &ROW[..40])).unwrap();
        assert_eq!(result.intervals.len(), 1);
        assert_eq!(result.end, None);
    }

    #[test]
    fn rows_after_a_failed_exec_take_the_place_of_those_before() {
        let end = |instructions| {
            format!(
                "{{\"end\":{{\"exec\":false,\"instructions\":{instructions},\"threads\":[]}}}}\n"
            )
        };
        let later = ROW.replace("\"new\":5", "\"new\":6");
        let text = format!("{HEADER}{ROW}{}{later}{}", end(1500), end(1900));
        let result = parse(&text).unwrap();
        assert_eq!(result.intervals.len(), 1);
        assert_eq!(result.intervals[0].touched.new, 6);
        assert_eq!(result.end.unwrap().instructions, 1900);
    }

    #[test]
    fn broken_line_in_the_middle_is_an_error() {
        let error = parse(&format!("{HEADER}{{\"interval\":3}}\n{ROW}")).unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
    }

    #[test]
    fn other_version_is_refused() {
        let error = parse(&HEADER.replace("\"version\":1", "\"version\":2")).unwrap_err();
        assert_eq!(
            error,
            "it is cyclewise-tracer version 2, not cyclewise-tracer 1"
        );
    }

    #[test]
    fn empty_file_is_refused() {
        assert_eq!(parse("").unwrap_err(), "it is empty");
    }
}
