//! The reuse distances as tables of 80 columns.

use super::{
    reuse_report::{Bin, Histogram, Load, ReuseReport},
    sizes::{Grouped, LINE_BYTES, bytes, percent},
};
use std::fmt::Write as _;

/// Characters of the longest bar.
const BAR_WIDTH: usize = 16;
/// Shares of a load's histogram below this many percent are summed up.
const SMALL_PERCENT: f64 = 1.0;
const WIDTH: usize = 80;

/// The tables of a process and of its children.
#[must_use]
pub fn tables(report: &ReuseReport) -> String {
    let mut text = String::new();
    write_process(&mut text, report);
    for child in &report.children {
        let _ = write!(text, "\nProcess {}\n\n", child.pid);
        write_process(&mut text, child);
    }
    text
}

fn write_process(text: &mut String, report: &ReuseReport) {
    let _ = write!(
        text,
        "{} accesses of {} instructions to {} {}",
        Grouped(report.accesses),
        Grouped(report.instructions),
        Grouped(report.units),
        report.distances_in
    );
    if report.curve.is_empty() {
        text.push('\n');
    } else {
        let _ = writeln!(text, ": {}", bytes(report.units * LINE_BYTES));
    }
    if let Some(function) = &report.function {
        let _ = writeln!(text, "within the function {function}");
    }
    text.push('\n');
    write_list(text, report);
    write_histograms(text, report);
    if !report.curve.is_empty() {
        write_curve(text, report);
    }
    if !report.loads.is_empty() {
        write_loads(text, report);
    }
}

fn write_histograms(text: &mut String, report: &ReuseReport) {
    let _ = writeln!(
        text,
        "Reuse distance in {}, and the share of all accesses that have it\n",
        report.distances_in
    );
    let _ = writeln!(
        text,
        "{:>23}  {:<26}spatial (same line)",
        "distance", "temporal (same address)"
    );
    let (temporal, spatial) = (&report.temporal, &report.spatial);
    let bins = temporal.bins.len().max(spatial.bins.len());
    let total = report.accesses;
    let shares = |histogram: &Histogram, index: usize| {
        let bin = histogram.bins.get(index);
        percent(bin.map_or(0, |bin| bin.accesses), total)
    };
    let firsts = [temporal.first_use, spatial.first_use].map(|count| percent(count, total));
    let widest = (0..bins)
        .flat_map(|index| [shares(temporal, index), shares(spatial, index)])
        .chain(firsts)
        .fold(0.0, f64::max);
    for index in 0..bins {
        let bin = temporal.bins.get(index).or(spatial.bins.get(index));
        let name = bin.map_or_else(String::new, range);
        let pair = [shares(temporal, index), shares(spatial, index)];
        write_pair(text, &name, pair, widest);
    }
    write_pair(text, "first use", firsts, widest);
}

fn range(bin: &Bin) -> String {
    if bin.first == bin.last {
        return Grouped(bin.first).to_string();
    }
    format!("{}–{}", Grouped(bin.first), Grouped(bin.last))
}

fn write_pair(text: &mut String, name: &str, shares: [f64; 2], widest: f64) {
    let cell = |share: f64| format!("{share:>5.1} % {}", bar(share, widest));
    let (temporal, spatial) = (cell(shares[0]), cell(shares[1]));
    let line = format!("{name:>23}  {temporal:<26}{spatial}");
    let _ = writeln!(text, "{}", line.trim_end());
}

/// A bar whose length is to [`BAR_WIDTH`] as `share` is to `widest`; at least a dot for a share
/// above zero.
fn bar(share: f64, widest: f64) -> String {
    if widest <= 0.0 || share <= 0.0 {
        return String::new();
    }
    let filled = (0..BAR_WIDTH).filter(|&cell| {
        let middle = (f64::from(u32::try_from(cell).unwrap_or(0)) + 0.5) / 16.0;
        middle <= share / widest
    });
    match filled.count() {
        0 => "·".to_owned(),
        count => "█".repeat(count),
    }
}

fn write_list(text: &mut String, report: &ReuseReport) {
    if report.list.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "{:>6}  {:<5} {:>14} {:>5} {:>9} {:>9}  at",
        "access", "kind", "address", "bytes", "temporal", "spatial"
    );
    let shown = |distance: Option<u32>| distance.map_or("–".to_owned(), |d| d.to_string());
    for (index, access) in report.list.iter().enumerate() {
        let place = access
            .source
            .line
            .as_ref()
            .unwrap_or(&access.source.function);
        // The end of a path says more than its beginning.
        let skipped = place.chars().count().saturating_sub(24);
        let place: String = place.chars().skip(skipped).collect();
        let _ = writeln!(
            text,
            "{:>6}  {:<5} {:>#14x} {:>5} {:>9} {:>9}  {place}",
            index + 1,
            access.kind,
            access.address,
            access.size_bytes,
            shown(access.temporal),
            shown(access.spatial),
        );
    }
    text.push('\n');
}

fn write_curve(text: &mut String, report: &ReuseReport) {
    text.push_str("\nExpected miss ratio of a fully associative LRU cache, by its size\n\n");
    let doubled = report
        .curve
        .iter()
        .filter(|point| point.size_bytes >= LINE_BYTES && point.size_bytes.is_power_of_two());
    let mut rows: Vec<(u64, u64, &str)> = doubled
        .map(|point| (point.size_bytes, point.misses, ""))
        .collect();
    for cache in &report.caches {
        rows.push((cache.cache.size_bytes, cache.misses, &cache.cache.name));
    }
    // A cache whose size is a power of two stands in the table once, with its name.
    rows.sort_by_key(|row| (row.0, row.2.is_empty()));
    rows.dedup_by_key(|row| row.0);
    for (size, misses, name) in rows {
        let ratio = percent(misses, report.accesses);
        let line = format!(
            "{name:>10} {:>12}  {ratio:>6.2} % {:<26} {:>15}",
            bytes(size),
            "█".repeat(bar_of_ratio(ratio)),
            Grouped(misses)
        );
        let _ = writeln!(text, "{line}");
    }
}

/// Cells of a bar of 25 for a ratio in percent.
fn bar_of_ratio(ratio: f64) -> usize {
    (0u32..25)
        .filter(|&cell| (f64::from(cell) + 0.5) * 4.0 <= ratio)
        .count()
}

fn write_loads(text: &mut String, report: &ReuseReport) {
    let cache = report.caches.first();
    let all = cache.map_or(0, |cache| cache.misses);
    let name = cache.map_or("cache", |cache| &cache.cache.name);
    let _ = writeln!(text, "\nLoads and stores expected to miss {name} most\n");
    for (index, load) in report.loads.iter().enumerate() {
        let misses = load.misses.first().copied().unwrap_or(0);
        let _ = writeln!(
            text,
            "{:>3}  {:5.1} % of all misses, {:.1} % of its own {} accesses",
            index + 1,
            percent(misses, all),
            percent(misses, load.accesses),
            Grouped(load.accesses)
        );
        let place = load
            .source
            .line
            .as_deref()
            .or(load.source.object.as_deref());
        let place = place.unwrap_or("no debug information");
        let copies = match load.instructions.len() {
            1 => String::new(),
            count => format!(" ({count} instructions)"),
        };
        let _ = writeln!(text, "     {} at {place}{copies}", load.kind);
        let _ = writeln!(text, "     in {}", load.source.function);
        write_shares(text, "temporal", &load.temporal, load);
        write_shares(text, "spatial", &load.spatial, load);
    }
}

/// The bins of a load's histogram that hold much, each as `range: share`.
fn write_shares(text: &mut String, name: &str, histogram: &Histogram, load: &Load) {
    let share = |accesses| percent(accesses, load.accesses);
    let mut parts: Vec<String> = Vec::new();
    let mut small = 0;
    for bin in &histogram.bins {
        if share(bin.accesses) < SMALL_PERCENT {
            small += bin.accesses;
        } else {
            parts.push(format!("{}: {:.0} %", range(bin), share(bin.accesses)));
        }
    }
    if small > 0 {
        parts.push(format!("others: {:.0} %", share(small)));
    }
    if histogram.first_use > 0 {
        parts.push(format!("first use: {:.0} %", share(histogram.first_use)));
    }
    let mut line = format!("     {name:<9}");
    for (index, part) in parts.iter().enumerate() {
        let comma = if index + 1 < parts.len() { "," } else { "" };
        if line.chars().count() + part.chars().count() + 2 > WIDTH {
            let _ = writeln!(text, "{}", line.trim_end());
            line = " ".repeat(14);
        }
        let _ = write!(line, "{part}{comma} ");
    }
    let _ = writeln!(text, "{}", line.trim_end());
}

#[cfg(test)]
mod tests;
