//! A line chart as SVG: our points joined, the paper's as hollow marks beside them.

use std::fmt::Write as _;

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend says.
    pub name: String,
    /// `(place on the axis, value)`.
    pub points: Vec<(f64, f64)>,
    /// Published points are drawn hollow and not joined.
    pub published: bool,
    /// Index of the colour; a published series takes that of ours.
    pub colour: usize,
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Above the drawing.
    pub title: String,
    /// Below the axis.
    pub x_label: String,
    /// Beside the axis.
    pub y_label: String,
    /// Ticks: place and text.
    pub ticks: Vec<(f64, String)>,
    /// The lines.
    pub series: Vec<Series>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 52.0;
/// Colours that people with any colour vision tell apart.
/// Source: Okabe and Ito, "Color Universal Design", 2008.
const COLOURS: [&str; 5] = ["#d55e00", "#e69f00", "#0072b2", "#009e73", "#cc79a7"];

/// Renders the chart.
pub fn render(chart: &Chart) -> String {
    let all = || chart.series.iter().flat_map(|s| s.points.iter());
    let x_low = all().map(|p| p.0).fold(f64::INFINITY, f64::min);
    let x_high = all().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
    let y_high = nice_ceiling(all().map(|p| p.1).fold(0.0, f64::max));
    let x_of = |x: f64| LEFT + (x - x_low) / (x_high - x_low).max(1e-9) * (WIDTH - LEFT - RIGHT);
    let y_of = |y: f64| HEIGHT - BOTTOM - y / y_high * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{0}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"14\" fill=\"#222\">{0}</text>\n",
        chart.title
    );
    for step in 0..=4 {
        let value = y_high * f64::from(step) / 4.0;
        let y = y_of(value);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}H{:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444\">{value:.0}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y + 4.0
        );
    }
    for (place, text) in &chart.ticks {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444\">{text}</text>",
            x_of(*place),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#222\">{}</text>\n\
         <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\" \
         fill=\"#222\">{}</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 12.0,
        chart.x_label,
        (TOP + HEIGHT - BOTTOM) / 2.0,
        chart.y_label
    );
    for (index, series) in chart.series.iter().enumerate() {
        let colour = COLOURS[series.colour % COLOURS.len()];
        draw_series(&mut svg, series, colour, &x_of, &y_of);
        let y = TOP + 18.0 * index as f64 + 8.0;
        let fill = if series.published { "#ffffff" } else { colour };
        let _ = writeln!(
            svg,
            "<circle cx=\"{0:.1}\" cy=\"{1:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"{colour}\" \
             stroke-width=\"1.5\"/><text x=\"{2:.1}\" y=\"{3:.1}\" fill=\"#222\">{4}</text>",
            WIDTH - RIGHT + 16.0,
            y,
            WIDTH - RIGHT + 26.0,
            y + 4.0,
            series.name
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_series(
    svg: &mut String,
    series: &Series,
    colour: &str,
    x_of: &impl Fn(f64) -> f64,
    y_of: &impl Fn(f64) -> f64,
) {
    if !series.published {
        let points: Vec<String> = series
            .points
            .iter()
            .map(|p| format!("{:.1},{:.1}", x_of(p.0), y_of(p.1)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
    }
    let (radius, fill) = if series.published {
        (5.0, "none")
    } else {
        (3.0, colour)
    };
    for (x, y) in &series.points {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{fill}\" \
             stroke=\"{colour}\" stroke-width=\"1.5\"/>",
            x_of(*x),
            y_of(*y)
        );
    }
}

/// The least of 1, 2, 4, 6, 8 times a power of ten that is not below `value`.
fn nice_ceiling(value: f64) -> f64 {
    let mut power = 1.0;
    while power * 10.0 <= value {
        power *= 10.0;
    }
    [1.0, 2.0, 4.0, 6.0, 8.0, 10.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|ceiling| *ceiling >= value)
        .unwrap_or(10.0 * power)
}
