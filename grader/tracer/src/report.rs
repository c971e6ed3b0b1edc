//! The result file: one JSON object per line, the first and the last of them always of the same form.
//!
//! ```text
//! {"format":"cyclewise-tracer","version":1,…}     what was asked for
//! {"interval":{…}}                                footprint: one per row, as it ends
//! {"access":{…}}                                  reuse: the first accesses, if asked for
//! {"reuse":{…}}                                   reuse: all accesses together
//! {"site":{…}}                                    reuse: one per load or store, worst first
//! {"steps":"…"}                                   trace: executed instructions, see `trace.rs`
//! {"code":{…}}                                    trace: one per instruction that was executed
//! {"trace":{…}}                                   trace: how much was recorded
//! {"working_set":{…}}                             translations: one per interval, as it ends
//! {"tlb":{…}}                                     translations: all accesses together
//! {"mapping":{…}}                                 translations: one per mapping
//! {"tlb_site":{…}}                                translations: one per instruction, worst first
//! {"end":{…}}                                     totals; absent if the process was killed
//! ```
//!
//! Totals (all but rows, lists and steps) are written before an `exec`, too; if it fails, later ones replace them.
//! Rows are written as they come, so a killed or endless run leaves what was seen so far.

mod reuse;
mod tlb;
mod trace;

use crate::{intervals::Row, options::Options, valgrind::process};
use core::fmt::{self, Write};
use models::footprint::Touched;
pub(crate) use reuse::{list, reuse};
pub(crate) use tlb::{tlb, working_set};
pub(crate) use trace::{code, steps};

/// Changes whenever a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Text as a JSON string, quotes included.
pub(crate) struct Json<'a>(pub(crate) &'a str);

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                c if c < ' ' => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// The exclusive columns and `new` as members of a JSON object, without braces.
struct Columns<'a>(&'a Touched);

impl fmt::Display for Columns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let t = self.0;
        write!(
            f,
            "\"load_only\":{},\"store_only\":{},\"load_store\":{},\"code_only\":{},\
             \"code_load\":{},\"code_store\":{},\"code_load_store\":{},\"new\":{}",
            t.load_only(),
            t.store_only(),
            t.load_store(),
            t.code_only(),
            t.code_load(),
            t.code_store(),
            t.code_load_store(),
            t.new
        )
    }
}

/// Writes the first line.
pub(crate) fn header(out: &mut dyn Write, options: &Options) -> fmt::Result {
    writeln!(
        out,
        "{{\"format\":\"cyclewise-tracer\",\"version\":{VERSION},\"pid\":{},\
         \"unit_bytes\":{},\"interval\":{}}}",
        process::id(),
        1u64 << options.unit_shift,
        options.interval
    )
}

/// Writes one interval.
pub(crate) fn row(out: &mut dyn Write, row: &Row) -> fmt::Result {
    write!(out, "{{\"interval\":{{\"start\":{},", row.start)?;
    if let Some(thread) = row.thread {
        write!(out, "\"thread\":{thread},")?;
    }
    writeln!(out, "{}}}}}", Columns(&row.touched))
}

/// What the last line says, whatever was measured.
pub(crate) struct End<'a> {
    /// The program is about to replace itself by another.
    pub(crate) exec: bool,
    pub(crate) instructions: u64,
    /// Instructions by thread, in order of the threads' creation.
    pub(crate) threads: &'a [u64],
    /// Times that the region was entered; `None` without a region.
    pub(crate) entries: Option<u64>,
    /// The footprint of the whole run, if it was measured.
    pub(crate) total: Option<&'a Touched>,
}

/// Writes the last line.
pub(crate) fn end(out: &mut dyn Write, end: &End<'_>) -> fmt::Result {
    write!(
        out,
        "{{\"end\":{{\"exec\":{},\"instructions\":{},\"threads\":[",
        end.exec, end.instructions
    )?;
    for (position, instructions) in end.threads.iter().enumerate() {
        let comma = if position == 0 { "" } else { "," };
        write!(out, "{comma}{instructions}")?;
    }
    out.write_char(']')?;
    if let Some(entries) = end.entries {
        write!(out, ",\"entries\":{entries}")?;
    }
    if let Some(total) = end.total {
        write!(out, ",\"total\":{{{}}}", Columns(total))?;
    }
    out.write_str("}}\n")
}
