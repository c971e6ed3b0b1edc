//! A timeline of the workers as SVG: a row per worker, coloured by the place in memory.
//!
//! Colour goes once around from the first byte of the address space to the last, so workers that
//! share a colour share data. Strands shorter than a column of the drawing are merged into it.

use std::fmt::Write as _;

use models::scheduler::Segment;

use super::{Report, Run};
use crate::report::grouped;

const WIDTH: usize = 600;
const LEFT: usize = 90;
/// Height of a row where there are many workers, and where there are few.
const ROWS: [usize; 2] = [7, 22];
/// Up to so many workers are few.
const FEW_WORKERS: usize = 16;
const TOP: usize = 34;

/// One colour per this many parts of the address space.
const HUES: usize = 24;

/// Renders one panel per run.
pub fn render(report: &Report) -> String {
    let panel = TOP + report.workers * row_height(report) + 26;
    let height = panel * report.runs.len();
    let width = LEFT + WIDTH + 10;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{} on {}: what each worker touches, over time</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        report.program, report.machine
    );
    let longest = report
        .runs
        .iter()
        .map(|r| r.makespan_cycles)
        .max()
        .unwrap_or(1)
        .max(1);
    for (index, run) in report.runs.iter().enumerate() {
        draw(&mut svg, report, run, index * panel, longest);
    }
    svg.push_str("</svg>\n");
    svg
}

fn row_height(report: &Report) -> usize {
    ROWS[usize::from(report.workers <= FEW_WORKERS)]
}

fn draw(svg: &mut String, report: &Report, run: &Run, top: usize, longest: u64) {
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{}\" fill=\"#222\">{} · {} {} misses · makespan {} cycles</text>",
        top + 20,
        run.scheduler,
        grouped(run.l3_misses_scaled_back),
        report.cache,
        grouped(run.makespan_cycles * report.divisor)
    );
    let last_byte = run
        .outcome
        .timeline
        .iter()
        .filter_map(|s| s.first_byte)
        .max()
        .unwrap_or(1)
        .max(1);
    // One path per hue: a rectangle for each of some ten thousand pieces would be a megabyte.
    let mut paths = vec![String::new(); HUES];
    let row = row_height(report);
    let label_every = (report.workers / 4).max(1);
    for worker in 0..report.workers {
        let y = top + TOP + worker * row;
        if worker % label_every == 0 {
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555\" font-size=\"10\">worker \
                 {worker}</text>",
                LEFT - 6,
                y + row / 2 + 4
            );
        }
        let columns = columns_of(&run.outcome.timeline, worker, longest, last_byte);
        let mut start = 0;
        for end in 1..=WIDTH {
            if end < WIDTH && columns[end] == columns[start] {
                continue;
            }
            if let Some(hue) = columns[start] {
                let _ = write!(
                    paths[hue],
                    "M{} {}h{}",
                    LEFT + start,
                    y + row / 2,
                    end - start
                );
            }
            start = end;
        }
    }
    for (hue, path) in paths
        .iter()
        .enumerate()
        .filter(|(_, path)| !path.is_empty())
    {
        let _ = writeln!(
            svg,
            "<path d=\"{path}\" stroke=\"{}\" stroke-width=\"{}\"/>",
            colour(hue),
            row - 1
        );
    }
}

/// The hue of each column: that of the strand that fills most of it, `None` when mostly idle.
fn columns_of(
    timeline: &[Segment],
    worker: usize,
    longest: u64,
    last_byte: u64,
) -> Vec<Option<usize>> {
    let width = WIDTH as u64;
    let column_cycles = longest.div_ceil(width).max(1);
    let mut most = vec![(0_u64, None); WIDTH];
    let mut busy = vec![0_u64; WIDTH];
    for segment in timeline.iter().filter(|s| s.worker.0 == worker) {
        let Some(byte) = segment.first_byte else {
            continue;
        };
        let hue = usize::try_from(byte * (HUES as u64 - 1) / last_byte).expect("a hue");
        let first = segment.from_cycles / column_cycles;
        let last = (segment.to_cycles / column_cycles).min(width - 1);
        for column in first..=last {
            let from = segment.from_cycles.max(column * column_cycles);
            let to = segment.to_cycles.min((column + 1) * column_cycles);
            let cycles = to.saturating_sub(from);
            let column = usize::try_from(column).expect("a column");
            busy[column] += cycles;
            if cycles > most[column].0 {
                most[column] = (cycles, Some(hue));
            }
        }
    }
    most.into_iter()
        .zip(busy)
        .map(|((_, hue), busy)| if busy * 2 >= column_cycles { hue } else { None })
        .collect()
}

fn colour(hue: usize) -> String {
    format!(
        "hsl({},62%,{}%)",
        hue * 360 / HUES,
        if hue.is_multiple_of(2) { 48 } else { 64 }
    )
}
