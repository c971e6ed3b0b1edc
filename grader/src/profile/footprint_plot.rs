//! The footprint over time: units per interval solid, new ones dashed.

use super::{
    footprint_report::{FootprintReport, Row},
    sizes::{Unit, bytes},
};
use crate::plot::{Canvas, LineChart, Series, with_prefix};

/// The plot as an SVG document. The table of the same report has the numbers.
#[must_use]
pub fn plot(report: &FootprintReport) -> String {
    let unit: Unit = report.unit_bytes.to_string().parse().unwrap_or(Unit::LINE);
    let mut canvas = Canvas::new(&format!(
        "Distinct {} that `{}` touches over time, and those of them that are new",
        unit.plural(),
        report.command
    ));
    let chart = LineChart {
        title: format!(
            "Footprint of {}, per {} instructions",
            shortened(&report.command),
            with_prefix(float(report.interval))
        ),
        x_label: "instructions".to_owned(),
        y_label: format!("{} of {}", unit.plural(), bytes(report.unit_bytes)),
        x_logarithmic: false,
        x_name: with_prefix,
        series: vec![
            series("touched", false, report, |row| row.touched),
            series("NEW", true, report, |row| row.new),
        ],
        marks: Vec::new(),
    };
    chart.draw(&mut canvas);
    canvas.finish()
}

/// Command lines with long paths would run out of the picture.
fn shortened(command: &str) -> String {
    let program = command.split(' ').next().unwrap_or(command);
    program.rsplit('/').next().unwrap_or(program).to_owned()
}

/// A point at the end of each interval, so that a short run shows as more than one point.
fn series(name: &str, dashed: bool, report: &FootprintReport, of: fn(&Row) -> u64) -> Series {
    let ends = report.intervals.iter().skip(1).map(|row| row.instructions);
    let ends = ends.chain([report.totals.instructions]);
    let points = report.intervals.iter().zip(ends);
    Series {
        name: name.to_owned(),
        dashed,
        points: points
            .map(|(row, end)| (float(end), float(of(row))))
            .collect(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a position in a picture")]
fn float(count: u64) -> f64 {
    count as f64
}
