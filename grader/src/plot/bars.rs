//! Pairs of bars: two histograms side by side.

use super::{Canvas, Scale};

/// Height of the data, in SVG user units.
const HEIGHT: f64 = 240.0;
/// Share of a group's width that its bars fill.
const FILLED: f64 = 0.8;
/// At most so many groups are labelled.
const LABELS: usize = 12;

/// Bars that stand together, one per series.
#[derive(Clone, Debug, PartialEq)]
pub struct BarGroup {
    /// Label below the group.
    pub name: String,
    /// Heights.
    pub values: [f64; 2],
}

/// Two histograms over the same bins. The vertical axis starts at 0.
#[derive(Clone, Debug, PartialEq)]
pub struct BarChart {
    /// What is shown.
    pub title: String,
    /// Unit of the bins.
    pub x_label: String,
    /// Unit of the heights.
    pub y_label: String,
    /// What the two series are.
    pub names: [String; 2],
    /// The bins.
    pub groups: Vec<BarGroup>,
}

impl BarChart {
    /// Draws the chart below what is on the canvas.
    pub fn draw(&self, canvas: &mut Canvas) {
        let panel = canvas.panel(&self.title, HEIGHT);
        let values = self.groups.iter().flat_map(|group| group.values);
        let scale = Scale::linear(0.0, values.fold(0.0, f64::max) * 1.05);
        canvas.vertical_axis(&panel, &scale, &self.y_label, &super::with_prefix);
        let count = u32::try_from(self.groups.len().max(1)).unwrap_or(u32::MAX);
        let slot = panel.width() / f64::from(count);
        let bar = slot * FILLED / 2.0;
        let label_every = self.groups.len().div_ceil(LABELS).max(1);
        let mut labels = Vec::new();
        let mut left = panel.left();
        for (index, group) in self.groups.iter().enumerate() {
            let mut x = left + slot * (1.0 - FILLED) / 2.0;
            for (series, &value) in group.values.iter().enumerate() {
                let top = panel.y(&scale, value);
                let class = format!("f{series}");
                canvas.rectangle((x, top), (bar, panel.bottom() - top), &class);
                x += bar;
            }
            if index % label_every == 0 {
                labels.push((left + slot / 2.0, group.name.clone()));
            }
            left += slot;
        }
        canvas.horizontal_axis(&panel, &self.x_label, &labels);
        let mut x = panel.left() + 60.0;
        for (series, name) in self.names.iter().enumerate() {
            canvas.rectangle((x, panel.top() - 22.0), (12.0, 12.0), &format!("f{series}"));
            canvas.text((x + 18.0, panel.top() - 12.0), "start", "", name);
            x += 180.0;
        }
    }
}
