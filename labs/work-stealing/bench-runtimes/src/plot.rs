//! The plot: how much faster than its serial elision each program runs.

use std::fmt::Write as _;

use crate::peer::Peer;
use crate::program::Program;
use crate::report::Results;

/// Pixels.
const BAR: f64 = 15.0;
const GAP: f64 = 12.0;
const LEFT: f64 = 92.0;
const PLOT_WIDTH: f64 = 500.0;
const TOP: f64 = 46.0;

/// Colours that differ in lightness too, for readers who do not tell hues apart.
const FILLS: [&str; 4] = ["#1f6f8b", "#d98c3f", "#9bb4a3", "#7d5a8c"];

/// Horizontal bars in groups, one group a program, as a self-contained SVG.
#[expect(clippy::cast_precision_loss, reason = "a handful of bars and workers")]
pub(crate) fn svg(results: &Results) -> String {
    let workers = results.workers;
    let speeds: Vec<Vec<f64>> = Program::FIVE
        .iter()
        .map(|&program| {
            let serial = results.ms(Peer::Serial, program, 1).unwrap_or(0.0);
            let speed = |&peer: &Peer| {
                results
                    .ms(peer, program, workers)
                    .map_or(0.0, |ms| serial / ms)
            };
            Peer::RUNTIMES.iter().map(speed).collect()
        })
        .collect();
    let top_speed = speeds
        .iter()
        .flatten()
        .copied()
        .fold(workers as f64, f64::max);
    // To the next tick.
    let top_speed = (2.0 * top_speed).ceil() / 2.0;
    let x = |speed: f64| LEFT + speed / top_speed * PLOT_WIDTH;
    let group = BAR * Peer::RUNTIMES.len() as f64 + GAP;
    let bottom = TOP + group * Program::FIVE.len() as f64;
    let (width, height) = (LEFT + PLOT_WIDTH + 48.0, bottom + 34.0);

    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>Speed of five programs with {workers} workers, the serial elision being 1</title>\n\
         <style>text{{fill:#222}}line{{stroke:#999}}@media(prefers-color-scheme:dark){{text{{fill:#ddd}}}}</style>\n"
    );
    for (i, (peer, fill)) in Peer::RUNTIMES.iter().zip(FILLS).enumerate() {
        let at = LEFT + 90.0 * i as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{at}\" y=\"12\" width=\"12\" height=\"12\" fill=\"{fill}\"/>"
        );
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"22\">{}</text>",
            at + 18.0,
            peer.name()
        );
    }
    let mut tick = 0.0;
    while tick <= top_speed {
        let dash = if tick == 1.0 {
            ""
        } else {
            " stroke-dasharray=\"2 4\""
        };
        let _ = writeln!(
            out,
            "<line x1=\"{0:.1}\" y1=\"{TOP}\" x2=\"{0:.1}\" y2=\"{bottom}\"{dash}/>",
            x(tick)
        );
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
            x(tick),
            bottom + 14.0
        );
        tick += 0.5;
    }
    for (g, (program, speeds)) in Program::FIVE.iter().zip(&speeds).enumerate() {
        let y = TOP + GAP / 2.0 + group * g as f64;
        let middle = y + BAR * Peer::RUNTIMES.len() as f64 / 2.0 + 4.0;
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            program.name()
        );
        for (i, (speed, fill)) in speeds.iter().zip(FILLS).enumerate() {
            let y = y + BAR * i as f64;
            let _ = writeln!(
                out,
                "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{:.1}\" height=\"{}\" fill=\"{fill}\"/>",
                x(*speed) - LEFT,
                BAR - 2.0
            );
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{}\">{speed:.2}</text>",
                x(*speed) + 5.0,
                y + BAR - 4.0
            );
        }
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">times as fast as the serial elision, {workers} workers</text>\n</svg>",
        LEFT + PLOT_WIDTH / 2.0,
        bottom + 30.0
    );
    out
}
