//! The sheet that charts are drawn on: panels with axes, and the text around them.

use super::Scale;
use std::fmt::Write as _;

/// Width of every sheet, in SVG user units.
pub(super) const WIDTH: f64 = 800.0;
/// Space for the labels of the vertical axis.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
/// Space for a panel's title and legend.
const TOP: f64 = 52.0;
/// Space for the labels of the horizontal axis.
const BOTTOM: f64 = 48.0;

/// Two colours that stay apart for colour-blind readers and on both backgrounds.
/// Source: Okabe and Ito, "Color Universal Design", 2008 (blue and vermilion).
const STYLE: &str = "\
  text { font: 13px sans-serif; fill: #222 }
  .title { font-weight: bold; font-size: 15px }
  .axis { stroke: #888; stroke-width: 1; fill: none }
  .grid { stroke: #8884; stroke-width: 1 }
  .mark { stroke: #555; stroke-width: 1; stroke-dasharray: 2 3 }
  .line { fill: none; stroke-width: 1.5; stroke-linejoin: round }
  .dashed { stroke-dasharray: 6 4 }
  .s0 { stroke: #0072b2 } .s1 { stroke: #d55e00 } .s2 { stroke: #009e73 } .s3 { stroke: #cc79a7 }
  .f0 { fill: #0072b2 } .f1 { fill: #d55e00 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd }
    .mark { stroke: #aaa }
    .s0 { stroke: #56b4e9 } .f0 { fill: #56b4e9 }
    .s1 { stroke: #e69f00 } .f1 { fill: #e69f00 }
  }
";

/// An SVG document under construction, one panel below the other.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    body: String,
    height: f64,
    description: String,
}

/// The rectangle in which a panel's data lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

/// Text as the content of an SVG element.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

impl Canvas {
    /// An empty sheet. `description` says in a sentence what it shows, for readers who cannot see it.
    #[must_use]
    pub fn new(description: &str) -> Self {
        Self {
            description: description.to_owned(),
            ..Self::default()
        }
    }

    /// The document.
    #[must_use]
    pub fn finish(self) -> String {
        let Self {
            body,
            height,
            description,
        } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             role=\"img\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n{body}</svg>\n",
            escaped(&description)
        )
    }

    /// Adds a panel with a title below what is there.
    pub(super) fn panel(&mut self, title: &str, data_height: f64) -> Panel {
        let panel = Panel {
            left: LEFT,
            top: self.height + TOP,
            width: WIDTH - LEFT - RIGHT,
            height: data_height,
        };
        self.height += TOP + data_height + BOTTOM;
        self.text((LEFT, panel.top - 32.0), "start", "title", title);
        panel
    }

    /// Adds text at a position; `anchor` is `start`, `middle` or `end`.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: &str, class: &str, text: &str) {
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{text}</text>"
        );
    }

    /// Adds a straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let _ = writeln!(
            self.body,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" class=\"{class}\"/>",
            from.0, from.1, to.0, to.1
        );
    }

    /// Adds a line through points.
    pub(super) fn polyline(&mut self, points: &[(f64, f64)], class: &str) {
        let _ = write!(self.body, "<path d=\"");
        for (index, (x, y)) in points.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let _ = write!(self.body, "{command}{x:.1} {y:.1}");
        }
        let _ = writeln!(self.body, "\" class=\"{class}\"/>");
    }

    /// Adds a filled rectangle.
    pub(super) fn rectangle(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), class: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" class=\"{class}\"/>"
        );
    }

    /// Draws the horizontal grid, its labels, and the label of the axis.
    pub(super) fn vertical_axis(
        &mut self,
        panel: &Panel,
        scale: &Scale,
        label: &str,
        name_of: &dyn Fn(f64) -> String,
    ) {
        for tick in scale.ticks(5) {
            let y = panel.y(scale, tick);
            self.line((panel.left, y), (panel.right(), y), "grid");
            self.text((panel.left - 8.0, y + 4.0), "end", "", &name_of(tick));
        }
        self.text((panel.left - 60.0, panel.top - 12.0), "start", "", label);
        self.line(
            (panel.left, panel.top),
            (panel.left, panel.bottom()),
            "axis",
        );
    }

    /// Draws the labels of the horizontal axis.
    pub(super) fn horizontal_axis(&mut self, panel: &Panel, label: &str, ticks: &[(f64, String)]) {
        for (x, name) in ticks {
            self.line((*x, panel.bottom()), (*x, panel.bottom() + 4.0), "axis");
            self.text((*x, panel.bottom() + 18.0), "middle", "", name);
        }
        let middle = panel.left + panel.width / 2.0;
        self.text((middle, panel.bottom() + 38.0), "middle", "", label);
        self.line(
            (panel.left, panel.bottom()),
            (panel.right(), panel.bottom()),
            "axis",
        );
    }
}

impl Panel {
    pub(super) fn left(&self) -> f64 {
        self.left
    }

    pub(super) fn width(&self) -> f64 {
        self.width
    }

    pub(super) fn top(&self) -> f64 {
        self.top
    }

    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Horizontal position of a value.
    pub(super) fn x(&self, scale: &Scale, value: f64) -> f64 {
        self.left + self.width * scale.position(value)
    }

    /// Vertical position of a value; the scale's first end is at the bottom.
    pub(super) fn y(&self, scale: &Scale, value: f64) -> f64 {
        self.bottom() - self.height * scale.position(value)
    }
}
