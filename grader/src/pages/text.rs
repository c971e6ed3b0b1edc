//! The report for people, in at most 80 columns.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::report::{Judged, Moment, PagesReport};
use super::why::Why;
use crate::host::terminal::{GOOD, QUIET, STRONG, WARN, paint, width, wrap};
use crate::pages::settings::Transparent;

/// Mappings shown for each reason; the others are summed up.
const SHOWN: usize = 4;
/// Width of a size: `1023.9 MiB`.
const SIZE: usize = 10;

/// The report as a text.
pub fn render(report: &PagesReport) -> String {
    let mut text = machine(report);
    let _ = writeln!(text, "\n{}", looked(report));
    let all = format!(
        "{} of {} in memory are on huge pages",
        size(report.huge_bytes),
        size(report.in_memory_bytes)
    );
    let _ = writeln!(text, "\n{}", paint(STRONG, all));
    let mut groups: BTreeMap<Option<Why>, Vec<&Judged>> = BTreeMap::new();
    // What the kernel made is nobody's to change, and memory without pages costs nothing.
    let shown = |mapping: &&Judged| mapping.why != Some(Why::Kernel) && mapping.in_memory_bytes > 0;
    for mapping in report.mappings.iter().filter(shown) {
        groups.entry(mapping.why).or_default().push(mapping);
    }
    for (why, mut mappings) in groups {
        mappings.sort_by_key(|mapping| (std::cmp::Reverse(mapping.in_memory_bytes), mapping.start));
        text.push_str(&group(why, &mappings));
    }
    text
}

/// The state of the settings.
fn machine(report: &PagesReport) -> String {
    let settings = &report.settings;
    let transparent = match settings.transparent {
        Transparent::Always => "always",
        Transparent::Advised => "madvise",
        Transparent::Never => "never",
        Transparent::Absent => "not in this kernel",
    };
    let word = |word: &Option<String>| word.clone().unwrap_or_else(|| "unknown".into());
    let background = settings
        .background_milliseconds
        .map_or("unknown".into(), |time| format!("every {} s", time / 1000));
    let rows = [
        ("transparent huge pages", transparent.to_owned()),
        ("on a page fault, defrag", word(&settings.defrag)),
        ("for shared memory", word(&settings.shmem)),
        ("khugepaged looks", background),
        (
            "reserved pool",
            format!(
                "{} of {} pages of 2 MiB free",
                settings.pool_free_pages, settings.pool_pages
            ),
        ),
        (
            "memory to be had",
            format!(
                "{}; {} huge pages without moving anything",
                size(settings.available_bytes),
                settings.free_huge_pages
            ),
        ),
    ];
    let mut text = format!("{}\n", paint(STRONG, "this machine"));
    for (name, value) in rows {
        let _ = writeln!(text, "  {name:<25}{value}");
    }
    text
}

fn looked(report: &PagesReport) -> String {
    let (name, process) = (&report.program, report.process);
    let when = match report.looked.moment {
        Moment::Now => "as it is now".to_owned(),
        Moment::Peak => format!(
            "when it had most memory, of {} looks 5 ms apart",
            report.looked.samples
        ),
    };
    let by = match &report.looked.frames_denied {
        _ if report.looked.frames => "by smaps, pagemap and kpageflags",
        Some(_) => "by smaps alone: page frames are for root to see",
        None => "by smaps",
    };
    let line = format!("{name}, process {process}, {when}, {by}");
    wrap(&line, width(), 0).trim_end().to_owned()
}

fn group(why: Option<Why>, mappings: &[&Judged]) -> String {
    let mut text = String::from("\n");
    let sum = |of: fn(&Judged) -> u64| mappings.iter().map(|mapping| of(mapping)).sum::<u64>();
    match why {
        None => {
            let _ = writeln!(text, "{}", paint(GOOD, "on huge pages"));
        }
        Some(why) => {
            let small = sum(|mapping| mapping.in_memory_bytes.saturating_sub(mapping.huge_bytes));
            let heading = format!("{}: {} on small pages", why.name(), size(small));
            let _ = writeln!(text, "{}", paint(WARN, heading));
            let next = format!("next: {}", why.next());
            let _ = write!(text, "{}", paint(QUIET, wrap(&next, width(), 2)));
        }
    }
    for mapping in mappings.iter().take(SHOWN) {
        let _ = writeln!(text, "{}", line(mapping));
    }
    let others = mappings.get(SHOWN..).unwrap_or_default();
    if !others.is_empty() {
        let bytes = others.iter().map(|mapping| mapping.in_memory_bytes).sum();
        let _ = writeln!(text, "  {:>SIZE$}  in {} more", size(bytes), others.len());
    }
    text
}

/// One mapping: what is in memory, what of it is huge, what it is.
fn line(mapping: &Judged) -> String {
    let mut line = format!("  {:>SIZE$}", size(mapping.in_memory_bytes));
    if mapping.huge_bytes > 0 {
        let _ = write!(line, ", {} huge", size(mapping.huge_bytes));
    }
    if let Some(frames) = mapping.in_huge_frames_bytes
        && frames > mapping.huge_bytes
    {
        let _ = write!(line, ", {} in huge frames", size(frames));
    }
    let _ = write!(line, "  {}", mapping.kind.name());
    let name = if mapping.name.starts_with('/') {
        let file = mapping.name.rsplit('/').next().unwrap_or_default();
        file.to_owned()
    } else {
        String::new()
    };
    let place = format!("{:x}-{:x}", mapping.start, mapping.end);
    let room = width().saturating_sub(line.chars().count() + place.len() + 2);
    let name = shortened(&name, room);
    format!(
        "{line} {name}{}{place}",
        if name.is_empty() { "" } else { " " }
    )
}

/// A name in at most `room` characters.
fn shortened(name: &str, room: usize) -> String {
    let length = name.chars().count();
    if length <= room {
        return name.to_owned();
    }
    let end: String = name.chars().skip(length - room.saturating_sub(1)).collect();
    if room == 0 {
        String::new()
    } else {
        format!("…{end}")
    }
}

/// A size that a person reads: one decimal above the first unit.
fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 2] = [(1 << 30, "GiB"), (1 << 20, "MiB")];
    for (unit, name) in UNITS {
        if bytes >= unit {
            let tenths = bytes / (unit / 10);
            return if bytes.is_multiple_of(unit) {
                format!("{} {name}", bytes / unit)
            } else {
                format!("{}.{} {name}", tenths / 10, tenths % 10)
            };
        }
    }
    format!("{} KiB", bytes >> 10)
}
