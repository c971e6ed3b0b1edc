//! The pipeline diagram as SVG: bars per stage, the critical path outlined, details as tooltips.

use std::fmt::Write as _;

use super::analysis::{Analysis, Event};

const ROW: u64 = 18;
const LABEL: u64 = 240;
const TOP: u64 = 54;
/// Widest drawing of the time axis, in SVG units.
const WIDEST: u64 = 960;

/// Least distance of two labels of the time axis.
const TICK_WIDTH: u64 = 50;

/// A stage of the drawing: name, colour.
const STAGES: [(&str, &str); 5] = [
    ("dispatch", "#8da0cb"),
    ("waits for values", "#fdd9a0"),
    ("waits for a port", "#fc8d62"),
    ("executes", "#4daf4a"),
    ("waits to retire", "#d9d9d9"),
];

/// The drawing of the followed iterations; empty without any.
pub fn render(analysis: &Analysis) -> String {
    let Some(start) = analysis.timeline.iter().map(|event| event.dispatched).min() else {
        return String::new();
    };
    // Time starts with the first event: when the drawn iterations come depends on what ran before.
    let events: Vec<Event> = analysis
        .timeline
        .iter()
        .map(|event| event.since(start))
        .collect();
    let first = 0;
    let last = events
        .iter()
        .map(|event| event.retired)
        .max()
        .unwrap_or(first)
        + 1;
    let axis = Axis::new(first, last);
    let width = axis.x(last) + 20;
    let height = TOP + ROW * events.len() as u64 + 12;
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<title>{}, {}: {:.2} cycles per iteration</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        escape(&analysis.name),
        analysis.machine_title,
        analysis.cycles_per_iteration
    );
    push_legend(&mut svg);
    push_axis(&mut svg, &axis, height);
    for (row, event) in events.iter().enumerate() {
        push_row(&mut svg, analysis, event, TOP + ROW * row as u64, &axis);
    }
    svg.push_str("</svg>\n");
    svg
}

fn push_legend(svg: &mut String) {
    for (at, (name, colour)) in (0_u64..).zip(STAGES) {
        let x = 10 + at * 130;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"8\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"18\" fill=\"#222222\">{name}</text>",
            x + 17
        );
    }
    let _ = writeln!(
        svg,
        "<rect x=\"660\" y=\"8\" width=\"12\" height=\"12\" fill=\"none\" stroke=\"#c00000\" \
         stroke-width=\"2\"/><text x=\"677\" y=\"18\" fill=\"#222222\">critical path</text>"
    );
}

/// Where cycles are drawn.
struct Axis {
    first: u64,
    last: u64,
    /// Units per cycle: whole ones where the span allows, so that edges fall on pixels.
    scale: u64,
    /// Cycles per unit where it does not, else 1.
    shrink: u64,
}

impl Axis {
    fn new(first: u64, last: u64) -> Self {
        let span = (last - first).max(1);
        Self {
            first,
            last,
            scale: (WIDEST / span).clamp(1, 14),
            shrink: span.div_ceil(WIDEST),
        }
    }

    fn x(&self, cycle: u64) -> u64 {
        LABEL + self.width(cycle - self.first)
    }

    fn width(&self, cycles: u64) -> u64 {
        cycles * self.scale / self.shrink
    }

    /// Cycles between two labels: a round number that leaves each label some room.
    fn tick(&self) -> u64 {
        let steps = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
        let has_room = |tick: &u64| self.width(*tick) >= TICK_WIDTH;
        steps.into_iter().find(has_room).unwrap_or(10_000)
    }
}

fn push_axis(svg: &mut String, axis: &Axis, height: u64) {
    let tick = axis.tick();
    for cycle in (axis.first..=axis.last).filter(|cycle| cycle.is_multiple_of(tick)) {
        let x = axis.x(cycle);
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{}\" stroke=\"#eeeeee\"/>\
             <text x=\"{x}\" y=\"42\" fill=\"#666666\" text-anchor=\"middle\">{cycle}</text>",
            TOP - 8,
            height - 8
        );
    }
}

fn push_row(svg: &mut String, analysis: &Analysis, event: &Event, y: u64, axis: &Axis) {
    let line = &analysis.instructions[event.instruction];
    let colour = if line.critical { "#c00000" } else { "#222222" };
    let _ = writeln!(
        svg,
        "<text x=\"10\" y=\"{}\" fill=\"{colour}\" font-family=\"monospace\">[{}] {}</text>",
        y + 12,
        event.iteration,
        escape(&line.text.chars().take(28).collect::<String>())
    );
    let moments = [
        event.dispatched,
        event.dispatched + 1,
        event.ready,
        event.issued,
        event.completed,
        event.retired,
    ];
    let _ = writeln!(
        svg,
        "<g><title>{}: dispatched {}, ready {}, issued {}, executed {}, retired {}</title>",
        escape(&line.text),
        event.dispatched,
        event.ready,
        event.issued,
        event.completed,
        event.retired
    );
    for ((_, colour), pair) in STAGES.iter().zip(moments.windows(2)) {
        let (from, to) = (pair[0].min(event.retired), pair[1].min(event.retired));
        if to > from {
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{colour}\"/>",
                axis.x(from),
                y + 2,
                axis.x(to) - axis.x(from),
                ROW - 4
            );
        }
    }
    let retired = axis.x(event.retired);
    let _ = writeln!(
        svg,
        "<rect x=\"{retired}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#444444\"/>",
        y + 2,
        axis.scale.clamp(1, 3),
        ROW - 4
    );
    if line.critical {
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" \
             stroke=\"#c00000\" stroke-width=\"1.5\"/>",
            axis.x(event.issued),
            y + 2,
            axis.x(event.completed.max(event.issued + 1)) - axis.x(event.issued),
            ROW - 4
        );
    }
    svg.push_str("</g>\n");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
