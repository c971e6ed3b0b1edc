//! The comparison as text.

use std::fmt::Write as _;

use models::scheduler::Scale;

use super::{Comparison, verdicts};
use crate::schedule::paper::published;

/// The comparison as text: misses, active times, and the verdicts.
pub fn render(comparisons: &[Comparison], scale: Scale) -> String {
    let mut text = String::new();
    let line = &mut text;
    misses(line, comparisons, scale);
    active_times(line, comparisons);
    reductions(line, comparisons);
    line.push_str("\nDoes the model owe nothing?\n\n");
    for verdict in verdicts(comparisons) {
        let answer = if verdict.holds { "yes" } else { "NO" };
        let _ = writeln!(line, "{answer:<4}{}", verdict.claim);
    }
    text
}

fn misses(text: &mut String, comparisons: &[Comparison], scale: Scale) {
    let scale = match scale.divisor() {
        1 => "full size".to_string(),
        divisor => format!("scale 1/{divisor} (scaled back)"),
    };
    let _ = writeln!(
        text,
        "L3 misses in millions, ours and the paper's, at {scale}\n\n\
         program            WS              PWS             SB              SB-D"
    );
    for c in comparisons {
        let _ = write!(text, "{:<17}", c.program);
        for (ours, gap) in c.misses_millions.iter().zip(c.gaps()) {
            let _ = write!(text, "{ours:>7.2} {:>+6.1}%", gap * 100.0);
        }
        let _ = write!(text, "\n{:<17}", "  paper");
        let [stealing @ .., last] = c.published_misses_millions;
        for paper in stealing {
            let _ = write!(text, "{paper:>7.2}        ");
        }
        let _ = writeln!(text, "{last:>7.2}");
    }
}

fn active_times(text: &mut String, comparisons: &[Comparison]) {
    text.push_str(
        "\nActive ms (paper) at 100 % and 25 % of the bandwidth; order as published?\n\n",
    );
    for c in comparisons {
        let published = published(c.program).expect("compared programs are published");
        let lines = [
            ("100 %", &c.active_ms, &published.active_ms, c.same_order[0]),
            (
                "25 %",
                &c.active_quarter_ms,
                &published.active_quarter_ms,
                c.same_order[1],
            ),
        ];
        for (label, ours, paper, same) in lines {
            let _ = write!(text, "{:<17}{label:>5} ", c.program);
            for (ours, paper) in ours.iter().zip(paper) {
                let _ = write!(text, " {ours:>5.0} ({paper:>4.0})");
            }
            let _ = writeln!(text, "{}", if same { "  yes" } else { "  NO" });
        }
    }
}

fn reductions(text: &mut String, comparisons: &[Comparison]) {
    text.push_str("\nSB misses less than WS by, ours (paper):\n");
    for c in comparisons {
        let [ours, paper] = c.reductions();
        let _ = writeln!(
            text,
            "  {:<17}{:>5.0} % ({:.0} %)",
            c.program,
            ours * 100.0,
            paper * 100.0
        );
    }
}
