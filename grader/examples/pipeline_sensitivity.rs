//! Prints what the accuracy set makes of a machine's numbers when each is a quarter off.
//!
//! `cargo run --release -p grader --example pipeline_sensitivity -- zen4`
//!
//! For every number: its value, how many loops of the set (those that others measured included) change
//! by more than one percent when it is a quarter smaller and larger, and the mean error then. A number
//! that changes nothing here matters for code that misses or mispredicts only.

use grader::pipeline::accuracy::{expectations, independent_loops, loops, modelled};
use models::pipeline::{CacheLevel, Machine, SchedulerGroup, machines};

/// A change of a machine by a factor.
type Change = fn(&mut Machine, f64);

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers are small and positive"
)]
fn scale(number: u32, factor: f64) -> u32 {
    let scaled = (f64::from(number) * factor).round() as u32;
    // A small number moves by one at least, and stays one at least.
    let least = if factor < 1.0 {
        number.saturating_sub(1)
    } else {
        number + 1
    };
    let moved = if factor < 1.0 {
        scaled.min(least)
    } else {
        scaled.max(least)
    };
    moved.max(1)
}

fn scale_byte(number: u8, factor: f64) -> u8 {
    u8::try_from(scale(number.into(), factor)).unwrap_or(u8::MAX)
}

fn scale_bytes(number: u64, factor: f64) -> u64 {
    // Sizes stay powers of two: half and double.
    if factor < 1.0 { number / 2 } else { number * 2 }
}

fn schedulers(machine: &mut Machine, factor: f64) {
    let scaled = machine.schedulers.iter().map(|group| SchedulerGroup {
        entries: scale(group.entries, factor),
        ..*group
    });
    machine.schedulers = Box::leak(scaled.collect());
}

fn level(machine: &mut Machine, at: usize, factor: f64) {
    let old = machine.caches[at];
    machine.caches[at] = CacheLevel {
        latency_cycles: scale(old.latency_cycles, factor),
        ..old
    };
}

/// The numbers of a machine.
const NUMBERS: &[(&str, Change)] = &[
    ("uop_cache_width", |m, f| {
        m.uop_cache_width = scale(m.uop_cache_width, f)
    }),
    ("decode_width", |m, f| {
        m.decode_width = scale(m.decode_width, f)
    }),
    ("fetch_bytes (half, double)", |m, f| {
        m.fetch_bytes = scale_bytes(m.fetch_bytes, f)
    }),
    ("predecode_width", |m, f| {
        m.predecode_width = scale(m.predecode_width, f)
    }),
    ("queue_slots", |m, f| {
        m.queue_slots = scale(m.queue_slots, f)
    }),
    ("mispredict_cycles", |m, f| {
        m.mispredict_cycles = scale(m.mispredict_cycles, f)
    }),
    ("dispatch_width", |m, f| {
        m.dispatch_width = scale(m.dispatch_width, f)
    }),
    ("retire_width", |m, f| {
        m.retire_width = scale(m.retire_width, f)
    }),
    ("reorder_slots", |m, f| {
        m.reorder_slots = scale(m.reorder_slots, f)
    }),
    ("schedulers", schedulers),
    ("load_entries", |m, f| {
        m.load_entries = scale(m.load_entries, f)
    }),
    ("store_entries", |m, f| {
        m.store_entries = scale(m.store_entries, f)
    }),
    ("load_cycles", |m, f| {
        m.load_cycles = scale_byte(m.load_cycles, f)
    }),
    ("load_chased_cycles", |m, f| {
        m.load_chased_cycles = scale_byte(m.load_chased_cycles, f)
    }),
    ("load_indexed_cycles", |m, f| {
        m.load_indexed_cycles = scale_byte(m.load_indexed_cycles, f)
    }),
    ("load_vector_cycles", |m, f| {
        m.load_vector_cycles = scale_byte(m.load_vector_cycles, f)
    }),
    ("load_wide_cycles", |m, f| {
        m.load_wide_cycles = scale_byte(m.load_wide_cycles, f)
    }),
    ("forward_cycles", |m, f| {
        m.forward_cycles = scale(m.forward_cycles, f)
    }),
    ("forward_vector_cycles", |m, f| {
        m.forward_vector_cycles = scale(m.forward_vector_cycles, f)
    }),
    ("blocked_forward_cycles", |m, f| {
        m.blocked_forward_cycles = scale(m.blocked_forward_cycles, f)
    }),
    ("second level, latency", |m, f| level(m, 1, f)),
    ("third level, latency", |m, f| level(m, 2, f)),
    ("memory_cycles", |m, f| {
        m.memory_cycles = scale(m.memory_cycles, f)
    }),
    ("fill_buffers", |m, f| {
        m.fill_buffers = scale(m.fill_buffers, f)
    }),
    ("line_interval_cycles", |m, f| {
        m.line_interval_cycles = scale(m.line_interval_cycles, f)
    }),
    ("page_walk_cycles", |m, f| {
        m.page_walk_cycles = scale(m.page_walk_cycles, f)
    }),
];

/// Text and expected cycles of every loop of the set for `machine`.
fn set(machine: &'static Machine) -> Vec<(String, f64)> {
    let texts = loops();
    let mine = expectations()
        .into_iter()
        .filter(|expected| expected.machine == machine.name);
    let mut all: Vec<(String, f64)> = mine
        .filter_map(|expected| {
            let found = texts.iter().find(|one| one.name == expected.name)?;
            Some((found.text.clone(), expected.cycles))
        })
        .collect();
    all.extend(
        independent_loops(machine)
            .into_iter()
            .map(|one| (one.text, one.cycles)),
    );
    all
}

fn answers(set: &[(String, f64)], machine: &'static Machine) -> Vec<f64> {
    set.iter()
        .map(|(text, _)| modelled(text, machine))
        .collect()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "there are about a hundred loops"
)]
fn mean_error(set: &[(String, f64)], answers: &[f64]) -> f64 {
    let errors = set
        .iter()
        .zip(answers)
        .map(|((_, expected), answer)| 100.0 * (answer - expected).abs() / expected);
    errors.sum::<f64>() / set.len().max(1) as f64
}

#[expect(clippy::print_stdout, reason = "an example prints its result")]
fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(machine) = machines::by_name(&name) else {
        println!("usage: pipeline_sensitivity MACHINE");
        return;
    };
    let set = set(machine);
    let base = answers(&set, machine);
    println!(
        "{}: {} loops, mean error {:.2} %\n",
        machine.title,
        set.len(),
        mean_error(&set, &base)
    );
    println!("| number | loops changed at -25 % | error | loops changed at +25 % | error |");
    println!("|---|---:|---:|---:|---:|");
    for (number, change) in NUMBERS {
        let cells = [0.75, 1.25].map(|factor| {
            let mut moved = *machine;
            change(&mut moved, factor);
            let answers = answers(&set, Box::leak(Box::new(moved)));
            let changed = base
                .iter()
                .zip(&answers)
                .filter(|(old, new)| (*new - *old).abs() > 0.01 * *old)
                .count();
            format!("{changed} | {:.2} %", mean_error(&set, &answers))
        });
        println!("| {number} | {} | {} |", cells[0], cells[1]);
    }
}
