//! An analysis as text: the split, the listing with the chain marked, the ports.

use std::fmt::Write as _;

use models::pipeline::Limit;

use super::analysis::{Analysis, Line, Split};
use crate::host::terminal::{BAD, GOOD, QUIET, STRONG, WARN, paint, wrap};

/// Characters of an instruction's text that fit the listing.
const TEXT_WIDTH: usize = 26;
/// Ports per line of the port table.
pub(super) const PORTS_PER_LINE: usize = 10;

/// The whole report.
pub fn render(analysis: &Analysis) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} on {}: {} cycles per iteration",
        paint(STRONG, &analysis.name),
        analysis.machine_title,
        paint(STRONG, format!("{:.2}", analysis.cycles_per_iteration)),
    );
    let _ = writeln!(
        text,
        "{:.2} instructions per cycle, {:.2} mispredicted branches per iteration\n",
        analysis.instructions_per_cycle, analysis.mispredicts_per_iteration
    );
    push_split(&mut text, &analysis.split, analysis.limit);
    push_listing(&mut text, analysis);
    push_ports(&mut text, analysis);
    push_warnings(&mut text, analysis);
    text
}

/// The four shares as bars, the largest emphasised.
pub(super) fn push_split(text: &mut String, split: &Split, largest: &str) {
    let _ = writeln!(text, "{}", paint(STRONG, "The four limits"));
    for limit in Limit::ALL {
        let share = split.of(limit);
        let bar: String = std::iter::repeat_n('█', blocks(share)).collect();
        let row = format!("  {:24}{share:6.1} %  {bar}", limit.title());
        let row = row.trim_end();
        let style = if limit.name() == largest {
            STRONG
        } else {
            QUIET
        };
        let _ = writeln!(text, "{}", paint(style, row));
    }
    text.push('\n');
}

/// Blocks of a bar of at most forty, for a share in percent.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "shares lie between 0 and 100"
)]
fn blocks(share: f64) -> usize {
    (share * 0.4).round() as usize
}

fn push_listing(text: &mut String, analysis: &Analysis) {
    let _ = writeln!(
        text,
        "{}",
        paint(
            STRONG,
            "The loop, averages per execution in cycles; waits from `values` on"
        )
    );
    let names = [
        "chain", "E→R", "values", "port", "memory", "front", "window",
    ];
    let head = names
        .iter()
        .fold(String::new(), |head, name| head + &format!("{name:>7}"));
    let _ = writeln!(text, "  {head}");
    for line in &analysis.instructions {
        let _ = writeln!(text, "{}", row(line));
    }
    let _ = writeln!(
        text,
        "{}",
        paint(
            QUIET,
            "● on the critical path, ○ short E→R distance only; chain: cycles of the path"
        )
    );
    text.push('\n');
}

fn row(line: &Line) -> String {
    let mark = match (line.critical, line.short_er) {
        (true, _) => paint(BAD, "●"),
        (false, true) => paint(WARN, "○"),
        (false, false) => " ".to_string(),
    };
    if line.fused_with_next {
        let note = paint(QUIET, format!("{:>49}", "fused with the next"));
        return format!("{mark} {note}  {}", cut(&line.text, TEXT_WIDTH));
    }
    let figures = format!(
        "{:7.2}{:7.1}{:7.1}{:7.1}{:7.1}{:7.1}{:7.1}",
        line.path_cycles,
        line.er_distance,
        line.wait_operands,
        line.wait_port,
        line.wait_memory,
        line.wait_front_end,
        line.wait_window,
    );
    format!("{mark} {figures}  {}", cut(&line.text, TEXT_WIDTH))
}

/// `text` with single spaces, cut to so many characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    if text.chars().count() <= most {
        return text;
    }
    let start: String = text.chars().take(most - 1).collect();
    format!("{start}…")
}

fn push_ports(text: &mut String, analysis: &Analysis) {
    let _ = writeln!(
        text,
        "{}",
        paint(STRONG, "Ports, micro-operations per iteration")
    );
    let full = |uops: f64| uops >= 0.95 * analysis.cycles_per_iteration;
    for ports in analysis.ports.chunks(PORTS_PER_LINE) {
        let names = ports.iter().fold(String::new(), |row, port| {
            row + &format!("{:>7}", port.port)
        });
        let uses = ports.iter().fold(String::new(), |row, port| {
            let cell = format!("{:7.2}", port.uops_per_iteration);
            row + &if full(port.uops_per_iteration) {
                paint(BAD, cell)
            } else {
                cell
            }
        });
        let _ = writeln!(text, "{}\n{uses}", paint(QUIET, names));
    }
    if analysis
        .ports
        .iter()
        .any(|port| full(port.uops_per_iteration))
    {
        let names = analysis
            .ports
            .iter()
            .filter(|port| full(port.uops_per_iteration));
        let names: Vec<&str> = names.map(|port| port.port).collect();
        let _ = writeln!(text, "busy in (nearly) every cycle: {}", names.join(", "));
    }
}

fn push_warnings(text: &mut String, analysis: &Analysis) {
    if !analysis.unknown.is_empty() {
        let _ = writeln!(
            text,
            "\n{}",
            paint(
                WARN,
                format!("{} instructions without figures", analysis.unknown.len())
            )
        );
        for unknown in &analysis.unknown {
            let _ = writeln!(text, "  {unknown}");
        }
        text.push_str(&wrap(
            "They took a slot, but no port and no time: the cycles above are a lower bound. Leave \
             them out, or add a row with a source to the model's instruction table.",
            80,
            2,
        ));
    }
    if analysis.unknown_branches > 0 {
        text.push('\n');
        text.push_str(&wrap(
            &format!(
                "{} branches depended on values that are not interpreted (vector registers); those \
                 that jump forward were taken as not taken.",
                analysis.unknown_branches
            ),
            80,
            0,
        ));
    }
    if analysis.unknown.is_empty() && analysis.unknown_branches == 0 {
        let _ = writeln!(text, "{}", paint(GOOD, "every instruction has figures"));
    }
}
