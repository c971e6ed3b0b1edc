//! An analysis of recorded code as text: what was recorded, the split, the chains, the ports.

use std::fmt::Write as _;

use super::{RecordedAnalysis, RecordedLine, chains::Chain};
use crate::host::terminal::{BAD, GOOD, QUIET, STRONG, WARN, paint, wrap};
use crate::pipeline::analysis::ratio;
use crate::pipeline::text::{PORTS_PER_LINE, cut, push_split};

/// Columns of an instruction's text.
const TEXT_WIDTH: usize = 25;
/// Columns of its file and line.
const PLACE_WIDTH: usize = 15;
/// Instructions of a chain that are shown whole; of longer ones only those on the path.
const SHOWN_WHOLE: usize = 32;
/// Share of a chain's cycles from which an instruction of a long chain is shown.
const SHOWN_SHARE: f64 = 0.01;
/// Names of instructions without figures that are shown.
const UNKNOWN_SHOWN: usize = 8;

/// The whole report, with so many chains.
pub fn render(analysis: &RecordedAnalysis, chains: usize) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} on {}: {} cycles, {:.2} instructions per cycle",
        paint(STRONG, &analysis.name),
        analysis.machine_title,
        paint(STRONG, analysis.cycles),
        analysis.ipc,
    );
    text.push_str(&wrap(&covered(analysis), 80, 0));
    text.push('\n');
    push_split(&mut text, &analysis.split, analysis.limit);
    for (rank, chain) in analysis.chains.iter().take(chains).enumerate() {
        if chain.cycles > 0 {
            push_chain(&mut text, analysis, chain, rank == 0);
        }
    }
    let rest: f64 = analysis
        .chains
        .iter()
        .skip(chains)
        .map(|chain| chain.percent)
        .sum();
    if rest >= 0.05 {
        let _ = writeln!(
            text,
            "{}\n",
            paint(
                QUIET,
                format!("{rest:.1} % of the cycles elsewhere; --chains N shows more")
            )
        );
    }
    push_ports(&mut text, analysis);
    push_unknown(&mut text, analysis);
    text
}

fn covered(analysis: &RecordedAnalysis) -> String {
    let coverage = &analysis.coverage;
    let mut text = format!(
        "{} instructions of {} in {}, {} of {} branches mispredicted; caches and predictor \
         started empty.",
        coverage.instructions,
        coverage.instructions_in_all,
        calls(coverage.calls, coverage.calls_in_all),
        analysis.mispredicts,
        analysis.branches,
    );
    let skipped = coverage.skipped_instructions;
    if skipped > 0 {
        let _ = write!(text, " {skipped} instructions were let pass first.");
    }
    text
}

fn calls(recorded: u64, all: u64) -> String {
    match (recorded, all) {
        (_, 1) => "one call".to_owned(),
        (recorded, all) if recorded == all => format!("{all} calls"),
        (recorded, all) => format!("{recorded} of {all} calls"),
    }
}

fn push_chain(text: &mut String, analysis: &RecordedAnalysis, chain: &Chain, first: bool) {
    let what = if chain.is_loop { "loop" } else { "code" };
    let place = chain.line.as_deref().unwrap_or("no line known");
    let _ = writeln!(
        text,
        "{}",
        paint(
            STRONG,
            format!("{:.1} % of the cycles: {what} at {place}", chain.percent)
        )
    );
    let times = if chain.is_loop {
        "iterations"
    } else {
        "executions"
    };
    text.push_str(&wrap(
        &format!(
            "in {}, {} {times} of {:.2} cycles",
            chain.function, chain.times, chain.cycles_per_time
        ),
        80,
        2,
    ));
    let names = ["chain", "E→R", "values", "port", "memory"];
    let head = names
        .iter()
        .fold(String::new(), |head, name| head + &format!("{name:>7}"));
    let _ = writeln!(text, "  {head}");
    let whole = chain.instructions.len() <= SHOWN_WHOLE;
    let mut left_out = 0;
    for &at in &chain.instructions {
        let line = &analysis.instructions[at];
        if whole || ratio(line.path_cycles, chain.cycles) >= SHOWN_SHARE {
            push_left_out(text, &mut left_out);
            let _ = writeln!(text, "{}", row(line));
        } else {
            left_out += 1;
        }
    }
    push_left_out(text, &mut left_out);
    if first {
        let note = "● on the critical path, ○ short E→R distance only; averages per execution in \
                    cycles; chain: cycles of the path; values, port, memory: what it waited for";
        for line in wrap(note, 80, 0).lines() {
            let _ = writeln!(text, "{}", paint(QUIET, line));
        }
    }
    text.push('\n');
}

fn push_left_out(text: &mut String, count: &mut u64) {
    if *count > 0 {
        let note = format!("{:>37}  … {count} off the path", "");
        let _ = writeln!(text, "{}", paint(QUIET, note));
        *count = 0;
    }
}

fn row(line: &RecordedLine) -> String {
    let mark = match (line.critical, line.short_er) {
        (true, _) => paint(BAD, "●"),
        (false, true) => paint(WARN, "○"),
        (false, false) => " ".to_string(),
    };
    let code = cut(&line.text, TEXT_WIDTH);
    let place = place(line);
    let place = paint(QUIET, place);
    if line.fused_with_next {
        let note = paint(QUIET, format!("{:>35}", "fused with the next"));
        return format!("{mark} {note}  {code:TEXT_WIDTH$} {place}");
    }
    let averages = [
        line.er_distance,
        line.wait_operands,
        line.wait_port,
        line.wait_memory,
    ];
    let figures = averages.iter().fold(
        cell(ratio(line.path_cycles, line.executions), 2),
        |row, &average| row + &cell(average, 1),
    );
    format!("{mark} {figures}  {code:TEXT_WIDTH$} {place}")
}

/// A number in seven columns, with fewer decimals if it is long.
fn cell(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    if text.len() < 7 {
        format!("{text:>7}")
    } else {
        format!("{number:>7.0}")
    }
}

/// The file without its folders, and the line; its end if it is too long.
fn place(line: &RecordedLine) -> String {
    let Some(place) = &line.source.line else {
        return String::new();
    };
    let place = place.rsplit('/').next().unwrap_or(place);
    let place = place.strip_suffix(" (several lines)").unwrap_or(place);
    let long = place.chars().count();
    if long <= PLACE_WIDTH {
        return place.to_owned();
    }
    let end: String = place.chars().skip(long + 1 - PLACE_WIDTH).collect();
    format!("…{end}")
}

fn push_ports(text: &mut String, analysis: &RecordedAnalysis) {
    let _ = writeln!(
        text,
        "{}",
        paint(STRONG, "Ports, micro-operations per cycle")
    );
    for ports in analysis.ports.chunks(PORTS_PER_LINE) {
        let names = ports.iter().fold(String::new(), |row, port| {
            row + &format!("{:>7}", port.port)
        });
        let uses = ports.iter().fold(String::new(), |row, port| {
            let cell = format!("{:7.2}", port.uops_per_cycle);
            row + &if port.uops_per_cycle >= 0.95 {
                paint(BAD, cell)
            } else {
                cell
            }
        });
        let _ = writeln!(text, "{}\n{uses}", paint(QUIET, names));
    }
}

fn push_unknown(text: &mut String, analysis: &RecordedAnalysis) {
    if analysis.unknown.is_empty() {
        let _ = writeln!(text, "{}", paint(GOOD, "every instruction has figures"));
        return;
    }
    let executions: u64 = analysis
        .unknown
        .iter()
        .map(|unknown| unknown.executions)
        .sum();
    let percent = 100.0 * ratio(executions, analysis.coverage.instructions);
    let _ = writeln!(
        text,
        "\n{}",
        paint(
            WARN,
            format!("{executions} executions ({percent:.2} %) of instructions without figures")
        )
    );
    for unknown in analysis.unknown.iter().take(UNKNOWN_SHOWN) {
        let _ = writeln!(text, "  {:>10}  {}", unknown.executions, unknown.name);
    }
    if let Some(more @ 1..) = analysis.unknown.len().checked_sub(UNKNOWN_SHOWN) {
        let _ = writeln!(text, "  and {more} more; --json names all");
    }
    text.push_str(&wrap(
        "They took a slot, but no port and no time: the cycles above are a lower bound. A row with \
         a source in the model's instruction table would count them.",
        80,
        2,
    ));
}

#[cfg(test)]
mod tests {
    use super::{calls, cell};

    #[test]
    fn long_numbers_give_up_their_decimals_and_stay_apart() {
        assert_eq!(cell(3.0, 2), "   3.00");
        assert_eq!(cell(8666.3, 1), " 8666.3");
        assert_eq!(cell(18_127.04, 1), "  18127");
    }

    #[test]
    fn a_part_of_the_calls_is_named_as_a_part() {
        assert_eq!(calls(1, 1), "one call");
        assert_eq!(calls(7, 7), "7 calls");
        assert_eq!(calls(7, 9), "7 of 9 calls");
    }
}
