//! The archetypes of the book as text: their histograms and misses, for pages and terminals.

use std::fmt::Write as _;

use models::reuse::{Histogram, Lines, ReuseProfile};

use crate::Pattern;

/// Caches that misses are told for: what each is called and how many lines it holds.
const CACHES: [(&str, u32); 3] = [("16 KiB", 256), ("32 KiB", 512), ("64 KiB", 1024)];

/// Both histograms of a pattern in lines, side by side, and its expected misses.
#[must_use]
pub fn table(title: &str, pattern: &Pattern) -> String {
    let mut profile = ReuseProfile::<Lines>::new(&[]);
    for (_, address) in &pattern.accesses {
        profile.access(*address, 1);
    }
    let total = profile.total();
    let mut text = String::new();
    let mut line = |line: std::fmt::Arguments<'_>| {
        writeln!(text, "{line}").expect("a string takes all that is written");
    };
    line(format_args!(
        "{title}: {} accesses to {} lines",
        total.touches(),
        profile.units()
    ));
    line(format_args!(
        "  {:<20} {:>10} {:>10}",
        "distance in lines", "temporal", "spatial"
    ));
    let (temporal, spatial) = (counts(total.temporal()), counts(total.spatial()));
    for place in 0..temporal.len().max(spatial.len()) {
        let bin = |counts: &[(String, u64)]| counts.get(place).cloned().unwrap_or_default();
        let (range, longest) = (bin(&temporal).0, bin(&spatial).0);
        let range = if range.is_empty() { longest } else { range };
        let (temporal, spatial) = (bin(&temporal).1, bin(&spatial).1);
        if temporal + spatial > 0 {
            line(format_args!("  {range:<20} {temporal:>10} {spatial:>10}"));
        }
    }
    let (temporal, spatial) = (total.temporal().cold(), total.spatial().cold());
    line(format_args!(
        "  {:<20} {temporal:>10} {spatial:>10}",
        "no earlier use"
    ));
    for (name, size_lines) in CACHES {
        let misses = profile.curve().misses(size_lines);
        let percent = 100.0 * profile.curve().miss_ratio(size_lines);
        line(format_args!(
            "  misses of {name:<10} {misses:>10} {percent:>8.1} %"
        ));
    }
    text
}

/// The page's listing: the four archetypes over 64 KiB of data.
#[must_use]
pub fn archetypes() -> String {
    let tables = ["sequential", "strided", "tree", "random"].map(|name| {
        let pattern = Pattern::from_parts(name, 1024, "", "");
        table(name, &pattern.expect("the names and the size are ours"))
    });
    tables.join("\n")
}

fn counts(histogram: &Histogram) -> Vec<(String, u64)> {
    let name = |first, last| {
        if first == last {
            format!("{first}")
        } else {
            format!("{first}–{last}")
        }
    };
    histogram
        .bins()
        .map(|bin| (name(bin.first, bin.last), bin.count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_books_listing_is_what_the_model_says() {
        let listing = include_str!("../../src/memory/archetypes.txt");
        assert_eq!(
            archetypes(),
            listing,
            "next: cargo run -p widgets --example archetypes"
        );
    }
}
