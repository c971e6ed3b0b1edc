//! Lines over an axis: a quantity over time, or a curve over cache sizes.

use super::{
    Canvas, Scale,
    canvas::{Panel, WIDTH},
    with_prefix,
};

/// Height of the data, in SVG user units.
const HEIGHT: f64 = 300.0;
const COLOURS: usize = 4;

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the line shows, for the legend.
    pub name: String,
    /// Drawn dashed instead of solid.
    pub dashed: bool,
    /// Points by ascending x.
    pub points: Vec<(f64, f64)>,
}

/// A value of x that deserves a vertical line, such as the size of a cache.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// What it is.
    pub name: String,
}

/// Lines in one panel. The vertical axis starts at 0.
#[derive(Clone, Debug)]
pub struct LineChart {
    /// What is shown.
    pub title: String,
    /// Unit of x.
    pub x_label: String,
    /// Unit of y.
    pub y_label: String,
    /// Doublings of x are equally far apart.
    pub x_logarithmic: bool,
    /// Labels of x.
    pub x_name: fn(f64) -> String,
    /// The lines.
    pub series: Vec<Series>,
    /// The marks.
    pub marks: Vec<Mark>,
}

impl LineChart {
    /// Draws the chart below what is on the canvas.
    pub fn draw(&self, canvas: &mut Canvas) {
        let panel = canvas.panel(&self.title, HEIGHT);
        let (x_scale, y_scale) = self.scales();
        canvas.vertical_axis(&panel, &y_scale, &self.y_label, &with_prefix);
        let ticks = x_scale.ticks(8).into_iter();
        let ticks = ticks.map(|tick| (panel.x(&x_scale, tick), (self.x_name)(tick)));
        canvas.horizontal_axis(&panel, &self.x_label, &ticks.collect::<Vec<_>>());
        for (index, mark) in self.marks.iter().enumerate() {
            let x = panel.x(&x_scale, mark.x);
            if x >= panel.left() && x <= panel.right() {
                canvas.line((x, panel.top()), (x, panel.bottom()), "mark");
                // Neighbours may be close: their names stand at different heights.
                let y = panel.top() + 14.0 + 16.0 * f64::from(u8::try_from(index % 4).unwrap_or(0));
                // A name that would leave the picture stands on the other side of its line.
                if x + 80.0 > panel.right() {
                    canvas.text((x - 4.0, y), "end", "", &mark.name);
                } else {
                    canvas.text((x + 4.0, y), "start", "", &mark.name);
                }
            }
        }
        for (index, series) in self.series.iter().enumerate() {
            let class = format!(
                "line s{}{}",
                index % COLOURS,
                if series.dashed { " dashed" } else { "" }
            );
            let points: Vec<(f64, f64)> = series
                .points
                .iter()
                .map(|&(x, y)| (panel.x(&x_scale, x), panel.y(&y_scale, y)))
                .collect();
            canvas.polyline(&thinned(&points), &class);
            legend_entry(canvas, &panel, index, &class, &series.name);
        }
    }

    fn scales(&self) -> (Scale, Scale) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let marks = self.marks.iter().map(|mark| mark.x);
        let xs = || points().map(|point| point.0).chain(marks.clone());
        let first = xs().fold(f64::INFINITY, f64::min);
        let last = xs().fold(f64::NEG_INFINITY, f64::max);
        let highest = points().map(|point| point.1).fold(0.0, f64::max);
        let (first, last) = if first <= last {
            (first, last)
        } else {
            (0.0, 1.0)
        };
        let x = if self.x_logarithmic {
            Scale::logarithmic(first, last)
        } else {
            Scale::linear(first, last)
        };
        (x, Scale::linear(0.0, highest * 1.05))
    }
}

fn legend_entry(canvas: &mut Canvas, panel: &Panel, index: usize, class: &str, name: &str) {
    let x = panel.left() + 180.0 * f64::from(u8::try_from(index).unwrap_or(0));
    let y = panel.top() - 12.0;
    let x = x + 100.0;
    canvas.line((x, y - 4.0), (x + 28.0, y - 4.0), class);
    canvas.text((x + 34.0, y), "start", "", name);
}

/// At most the first, the lowest, the highest and the last point of each column of pixels: what a
/// screen could show of more.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let column = |x: f64| (x * 1000.0 / WIDTH).floor();
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for group in points.chunk_by(|a, b| column(a.0) <= column(b.0) && column(a.0) >= column(b.0)) {
        let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let extremes = [
            group.first(),
            group.iter().min_by(by_height),
            group.iter().max_by(by_height),
            group.last(),
        ];
        let mut extremes: Vec<(f64, f64)> = extremes.into_iter().flatten().copied().collect();
        extremes.sort_by(|a, b| a.0.total_cmp(&b.0));
        extremes.dedup();
        kept.append(&mut extremes);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_survive_thinning() {
        let points: Vec<(f64, f64)> = (0..100_000u32)
            .map(|x| (f64::from(x) / 1000.0, if x == 54_321 { 9.0 } else { 1.0 }))
            .collect();
        let kept = thinned(&points);
        assert!(kept.len() < 600, "{}", kept.len());
        assert!(kept.iter().any(|point| point.1 > 8.0));
        assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
    }

    #[test]
    fn chart_has_a_path_for_each_series_and_escapes_names() {
        let line = |name: &str, dashed| Series {
            name: name.to_owned(),
            dashed,
            points: vec![(0.0, 1.0), (1.0, 2.0)],
        };
        let chart = LineChart {
            title: "a < b & c".to_owned(),
            x_label: "instructions".to_owned(),
            y_label: "lines".to_owned(),
            x_logarithmic: false,
            x_name: with_prefix,
            series: vec![line("touched", false), line("NEW", true)],
            marks: Vec::new(),
        };
        let mut canvas = Canvas::new("test");
        chart.draw(&mut canvas);
        let svg = canvas.finish();
        assert_eq!(svg.matches("class=\"line s0\"").count(), 2); // the line and its legend
        assert_eq!(svg.matches("class=\"line s1 dashed\"").count(), 2);
        assert!(svg.contains("a &lt; b &amp; c"));
    }

    #[test]
    fn chart_without_points_is_still_a_chart() {
        let chart = LineChart {
            title: String::new(),
            x_label: String::new(),
            y_label: String::new(),
            x_logarithmic: true,
            x_name: with_prefix,
            series: Vec::new(),
            marks: Vec::new(),
        };
        let mut canvas = Canvas::new("empty");
        chart.draw(&mut canvas);
        assert!(!canvas.finish().contains("NaN"));
    }
}
