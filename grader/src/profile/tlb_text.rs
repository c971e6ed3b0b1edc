//! The translations as tables of 80 columns.

use super::{
    sizes::{Grouped, bytes, percent},
    tlb_report::{MappingCounts, Misses, TlbReport},
};
use crate::tracer::translations::Tally;
use std::fmt::Write as _;

/// Rows of a table; the JSON has all.
const ROWS: usize = 12;
/// Characters of a row's name.
const NAME_WIDTH: usize = 29;

/// The tables of a process and of its children.
#[must_use]
pub fn tables(report: &TlbReport) -> String {
    let mut text = String::new();
    write_process(&mut text, report);
    for child in &report.children {
        let _ = write!(text, "\nProcess {}\n\n", child.pid);
        write_process(&mut text, child);
    }
    text
}

fn write_process(text: &mut String, report: &TlbReport) {
    let all = report.data.total.plus(report.instruction.total);
    let _ = writeln!(
        text,
        "{} page walks in {} instructions: {:.2} per 1000",
        Grouped(all.walks),
        Grouped(report.instructions),
        report.walks_per_1000_instructions
    );
    if let Some(function) = &report.function {
        let _ = writeln!(text, "within the function {function}");
    }
    let machine = models::tlb::machines::named(&report.machine);
    let machine = machine.map_or(report.machine.as_str(), |machine| machine.title);
    let _ = writeln!(
        text,
        "on the TLBs of {machine}; {}\n",
        sizes_from(&report.page_sizes)
    );
    write_header(text, "", "levels");
    for (side, counts) in [("data", report.data), ("instruction", report.instruction)] {
        for (size, tally) in counts.by_page_size.sizes() {
            if tally.accesses > 0 {
                write_row(text, &format!("{side}, {size} pages"), tally);
            }
        }
    }
    write_row(text, "all", all);
    if !report.functions.is_empty() {
        write_misses(text, "By function", &report.functions);
    } else if !report.loads.is_empty() {
        write_misses(text, "By load and store", &report.loads);
    } else {
        write_mappings(text, &report.mappings);
    }
    write_working_set(text, report);
}

/// Where page sizes came from, in words.
fn sizes_from(method: &str) -> &'static str {
    match method {
        "unreadable" => "page sizes unknown, all taken as 4 KB",
        "assumed 4k" => "all pages taken as 4 KB",
        "assumed 2m" => "every whole 2 MB piece taken as a huge page",
        "smaps sums" => "page sizes from the sums in smaps",
        _ => "page sizes from the process's page tables",
    }
}

fn write_header(text: &mut String, name: &str, last: &str) {
    let _ = writeln!(
        text,
        "{name:<NAME_WIDTH$}{:>15}{:>12}{:>12}{last:>12}",
        "accesses", "L1 misses", "walks"
    );
}

fn write_row(text: &mut String, name: &str, tally: Tally) {
    let _ = writeln!(
        text,
        "{name:<NAME_WIDTH$}{:>15}{:>12}{:>12}{:>12}",
        Grouped(tally.accesses),
        Grouped(tally.l1_misses),
        Grouped(tally.walks),
        Grouped(tally.levels_read)
    );
}

fn write_mappings(text: &mut String, mappings: &[MappingCounts]) {
    if mappings.is_empty() {
        return;
    }
    text.push_str("\nBy mapping, with the share of accesses that went to huge pages\n\n");
    write_header(text, "", "huge");
    for mapping in mappings.iter().take(ROWS) {
        let total = mapping.total();
        let small = mapping.data.by_page_size.small.accesses
            + mapping.instruction.by_page_size.small.accesses;
        let _ = writeln!(
            text,
            "{:<NAME_WIDTH$}{:>15}{:>12}{:>12}{:>10.0} %",
            name_of(mapping),
            Grouped(total.accesses),
            Grouped(total.l1_misses),
            Grouped(total.walks),
            percent(total.accesses - small, total.accesses)
        );
    }
    write_left_out(text, mappings.len());
}

/// A mapping's name in [`NAME_WIDTH`] characters, a space behind it.
fn name_of(mapping: &MappingCounts) -> String {
    let name = if mapping.name.is_empty() {
        let size = bytes(mapping.end - mapping.start);
        format!("{size} at {:#x}", mapping.start)
    } else {
        file_name(&mapping.name).to_owned()
    };
    let room = NAME_WIDTH - mapping.rights.len() - 2;
    format!("{} {}", cut(&name, room), mapping.rights)
}

fn write_misses(text: &mut String, title: &str, rows: &[Misses]) {
    let _ = writeln!(text, "\n{title}\n");
    let _ = writeln!(
        text,
        "{:>12}{:>14}{:>12}  at",
        "data walks", "instr. walks", "L1 misses"
    );
    for row in rows.iter().take(ROWS) {
        let place = row.source.line.as_deref();
        let place = place.or(row.source.object.as_deref().map(file_name));
        let kind = row.kind.as_deref().unwrap_or_default();
        let name = format!("{kind} {}", row.source.function);
        let _ = writeln!(
            text,
            "{:>12}{:>14}{:>12}  {}",
            Grouped(row.data_walks),
            Grouped(row.instruction_walks),
            Grouped(row.l1_misses),
            cut(name.trim(), 38)
        );
        if let Some(place) = place {
            let _ = writeln!(text, "{:>38}  {}", "", cut_start(place, 38));
        }
    }
    write_left_out(text, rows.len());
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn cut(name: &str, room: usize) -> String {
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let start: String = name.chars().take(room - 1).collect();
    format!("{start}…")
}

fn cut_start(place: &str, room: usize) -> String {
    let count = place.chars().count();
    if count <= room {
        return place.to_owned();
    }
    let end: String = place.chars().skip(count - room + 1).collect();
    format!("…{end}")
}

fn write_left_out(text: &mut String, rows: usize) {
    if rows > ROWS {
        let _ = writeln!(text, "… and {} more; --json has them", rows - ROWS);
    }
}

fn write_working_set(text: &mut String, report: &TlbReport) {
    if report.working_set.is_empty() {
        return;
    }
    text.push_str("\nDistinct pages used in each interval\n\n");
    let _ = writeln!(
        text,
        "{:>18}{:>12}{:>10}{:>8}{:>14}{:>10}{:>8}",
        "instruction", "data, 4k", "2m", "1g", "instr., 4k", "2m", "1g"
    );
    for set in &report.working_set {
        let [data, instruction] = [set.data, set.instruction].map(|pages| pages.map(Grouped));
        let _ = writeln!(
            text,
            "{:>18}{:>12}{:>10}{:>8}{:>14}{:>10}{:>8}",
            Grouped(set.start),
            data[0],
            data[1],
            data[2],
            instruction[0],
            instruction[1],
            instruction[2]
        );
    }
}

#[cfg(test)]
mod tests;
