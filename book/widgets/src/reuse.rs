//! What `<reuse-distance>` shows of a pattern.

use models::reuse::{Distances, Histogram, LINE_BYTES, Lines, Locations, ReuseProfile};
use serde::Serialize;

use crate::Pattern;

/// Accesses that are listed one by one; longer patterns are cut.
const LISTED: usize = 64;

/// Everything the figure shows, in the order it shows it.
#[derive(Debug, Serialize)]
pub struct Analysis {
    accesses: usize,
    distinct_lines: u32,
    distinct_locations: u32,
    listed: Vec<Access>,
    in_locations: Kinds,
    in_lines: Kinds,
    curve: Vec<Point>,
}

/// One access of the list.
#[derive(Debug, Serialize)]
struct Access {
    name: String,
    /// Number of the line, from 0.
    line: u64,
    in_locations: Pair,
    in_lines: Pair,
    /// Lines that a cache needs to hold for a hit; none for a first touch of a line.
    hits_from_lines: Option<u32>,
}

/// The two distances of an access; none where there was no earlier use of that kind.
#[derive(Debug, Serialize)]
struct Pair {
    temporal: Option<u32>,
    spatial: Option<u32>,
}

/// The two histograms.
#[derive(Debug, Serialize)]
struct Kinds {
    temporal: Bins,
    spatial: Bins,
}

#[derive(Debug, Serialize)]
struct Bins {
    bins: Vec<Bin>,
    /// Accesses without an earlier use of that kind.
    first_uses: u64,
}

#[derive(Debug, Serialize)]
struct Bin {
    first: u32,
    last: u32,
    count: u64,
}

/// One point of the miss ratio curve.
#[derive(Debug, Serialize)]
struct Point {
    size_lines: u32,
    misses: u64,
}

/// Runs the model over `pattern`, once for each unit.
#[must_use]
pub fn analyse(pattern: &Pattern) -> Analysis {
    let mut lines = ReuseProfile::<Lines>::new(&[]);
    let mut locations = ReuseProfile::<Locations>::new(&[]);
    let mut listed = Vec::new();
    for (name, address) in &pattern.accesses {
        let in_lines = lines.access(*address, 1);
        let in_locations = locations.access(*address, 1);
        if listed.len() < LISTED {
            listed.push(Access {
                name: name.clone(),
                line: address / LINE_BYTES,
                in_locations: in_locations.into(),
                in_lines: in_lines.into(),
                hits_from_lines: in_lines.nearest().map(|distance| distance + 1),
            });
        }
    }
    let (in_lines, in_locations) = (lines.total(), locations.total());
    let curve = lines.curve();
    let point = |size_lines| Point {
        size_lines,
        misses: curve.misses(size_lines),
    };
    Analysis {
        accesses: pattern.accesses.len(),
        distinct_lines: lines.units(),
        distinct_locations: locations.units(),
        listed,
        in_locations: Kinds {
            temporal: in_locations.temporal().into(),
            spatial: in_locations.spatial().into(),
        },
        in_lines: Kinds {
            temporal: in_lines.temporal().into(),
            spatial: in_lines.spatial().into(),
        },
        curve: curve.sizes().into_iter().map(point).collect(),
    }
}

impl From<Distances> for Pair {
    fn from(distances: Distances) -> Self {
        Self {
            temporal: distances.temporal,
            spatial: distances.spatial,
        }
    }
}

impl From<&Histogram> for Bins {
    fn from(histogram: &Histogram) -> Self {
        let bins = histogram.bins();
        let bins = bins.map(|bin| Bin {
            first: bin.first,
            last: bin.last,
            count: bin.count,
        });
        Self {
            bins: bins.collect(),
            first_uses: histogram.cold(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analysis(name: &str, size_lines: u32) -> Analysis {
        analyse(&Pattern::from_parts(name, size_lines, "", "").unwrap())
    }

    /// Share of the accesses whose distance of a kind is at most `limit`.
    #[expect(clippy::cast_precision_loss, reason = "a share of thousands")]
    fn near(bins: &Bins, limit: u32, accesses: usize) -> f64 {
        let near = bins
            .bins
            .iter()
            .filter(|bin| bin.last <= limit)
            .map(|bin| bin.count);
        near.sum::<u64>() as f64 / accesses as f64
    }

    #[test]
    fn worked_example_shows_four_and_two() {
        let pattern =
            Pattern::from_parts("letters", 0, "a1 b1 e1 b2 c1 d1 a2", "a b c | d e").unwrap();
        let analysis = analyse(&pattern);
        assert_eq!(analysis.listed[6].in_locations.temporal, Some(4));
        assert_eq!(analysis.listed[5].in_locations.spatial, Some(2));
        assert_eq!(analysis.listed[6].hits_from_lines, Some(2));
        assert_eq!(
            (analysis.distinct_lines, analysis.distinct_locations),
            (2, 5)
        );
    }

    #[test]
    fn the_books_static_figure_shows_what_the_model_says() {
        let page = include_str!("../../src/memory/reuse-of-programs.md");
        let pattern =
            Pattern::from_parts("letters", 0, "a1 b1 e1 b2 c1 d1 a2", "a b c | d e").unwrap();
        for access in analyse(&pattern).listed {
            let distance = |distance: Option<u32>| distance.map_or("–".into(), |d| d.to_string());
            let row = format!(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                access.name,
                access.line,
                distance(access.in_locations.temporal),
                distance(access.in_locations.spatial),
            );
            assert!(page.contains(&row), "the page lacks {row}");
        }
    }

    #[test]
    fn sequential_is_near_in_space_and_far_in_time() {
        let analysis = analysis("sequential", 1024);
        assert!(near(&analysis.in_lines.spatial, 1, analysis.accesses) > 0.8);
        assert!(near(&analysis.in_lines.temporal, 511, analysis.accesses) < 0.01);
    }

    #[test]
    fn strided_is_far_in_both() {
        let analysis = analysis("strided", 1024);
        assert!(near(&analysis.in_lines.spatial, 511, analysis.accesses) < 0.01);
        assert!(near(&analysis.in_lines.temporal, 511, analysis.accesses) < 0.01);
    }

    #[test]
    fn tree_is_nearer_in_time_than_in_space() {
        let analysis = analysis("tree", 512);
        let near_in_time = near(&analysis.in_lines.temporal, 127, analysis.accesses);
        let near_in_space = near(&analysis.in_lines.spatial, 127, analysis.accesses);
        assert!(
            near_in_time > 0.5 && near_in_space < 0.4,
            "{near_in_time} {near_in_space}"
        );
    }

    #[test]
    fn every_name_makes_a_pattern_and_others_do_not() {
        for name in Pattern::NAMES {
            assert!(Pattern::from_parts(name, 64, "a", "").is_ok(), "{name}");
        }
        let refused = Pattern::from_parts("spiral", 64, "", "")
            .unwrap_err()
            .to_string();
        assert!(
            refused.contains("spiral") && refused.contains("sequential"),
            "{refused}"
        );
        let refused = Pattern::from_parts("tree", 4097, "", "")
            .unwrap_err()
            .to_string();
        assert!(
            refused.contains("4097") && refused.contains("4096"),
            "{refused}"
        );
    }

    #[test]
    fn curve_ends_where_all_lines_fit() {
        let analysis = analysis("random", 64);
        let last = analysis.curve.last().expect("a curve has points");
        assert_eq!(last.misses, u64::from(analysis.distinct_lines));
    }
}
