//! Both histograms and the miss ratio curve, as one picture.

use super::{
    reuse_report::{Histogram, ReuseReport},
    sizes::{bytes, percent},
};
use crate::plot::{BarChart, BarGroup, Canvas, LineChart, Mark, Series};

/// The plot as an SVG document. The tables of the same report have the numbers.
#[must_use]
pub fn plot(report: &ReuseReport) -> String {
    let mut canvas = Canvas::new(&format!(
        "How far apart in lines the uses of an address and of a line are in `{}`, and how often \
         caches of growing size would miss",
        report.command
    ));
    histograms(report).draw(&mut canvas);
    if !report.curve.is_empty() {
        curve(report).draw(&mut canvas);
    }
    canvas.finish()
}

fn histograms(report: &ReuseReport) -> BarChart {
    let share = |histogram: &Histogram, index: usize| {
        let bin = histogram.bins.get(index);
        percent(bin.map_or(0, |bin| bin.accesses), report.accesses)
    };
    let (temporal, spatial) = (&report.temporal, &report.spatial);
    let longer = if temporal.bins.len() >= spatial.bins.len() {
        temporal
    } else {
        spatial
    };
    let bins = longer.bins.iter().enumerate().map(|(index, bin)| BarGroup {
        name: distance_name(bin.first),
        values: [share(temporal, index), share(spatial, index)],
    });
    let first_use = BarGroup {
        name: "first".to_owned(),
        values: [temporal.first_use, spatial.first_use]
            .map(|count| percent(count, report.accesses)),
    };
    BarChart {
        title: "Reuse distances".to_owned(),
        x_label: "distance in lines, from this on (first: no earlier use)".to_owned(),
        y_label: "% of accesses".to_owned(),
        names: ["temporal".to_owned(), "spatial".to_owned()],
        groups: bins.chain([first_use]).collect(),
    }
}

/// Distances are powers of two: binary prefixes keep their labels short.
fn distance_name(distance: u64) -> String {
    match distance {
        0..1024 => distance.to_string(),
        1024..1_048_576 => format!("{} Ki", distance >> 10),
        _ => format!("{} Mi", distance >> 20),
    }
}

fn curve(report: &ReuseReport) -> LineChart {
    let points = report.curve.iter().filter(|point| point.size_bytes > 0);
    let points = points.map(|point| {
        (
            float(point.size_bytes),
            percent(point.misses, report.accesses),
        )
    });
    let marks = report.caches.iter().map(|cache| Mark {
        x: float(cache.cache.size_bytes),
        name: format!("{} {}", cache.cache.name, bytes(cache.cache.size_bytes)),
    });
    LineChart {
        title: "Miss ratio of a fully associative LRU cache".to_owned(),
        x_label: "size of the cache".to_owned(),
        y_label: "% of accesses miss".to_owned(),
        x_logarithmic: true,
        x_name: |size| bytes(whole(size)),
        series: vec![Series {
            name: "expected misses".to_owned(),
            dashed: false,
            points: points.collect(),
        }],
        marks: marks.collect(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a position in a picture")]
fn float(count: u64) -> f64 {
    count as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a tick is a power of two within the sizes that were plotted"
)]
fn whole(size: f64) -> u64 {
    size.round() as u64
}
