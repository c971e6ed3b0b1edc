//! The runs of `tests/schedule`, natively. `tests/browser/schedule.test.mjs` computes the same in
//! WebAssembly and compares with the same files.

use std::path::Path;

/// One file per line: program, machine, scheduler, seed.
const RUNS: &str = include_str!("schedule/runs.txt");

#[test]
fn natively_every_run_gives_the_recorded_bytes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schedule");
    assert!(RUNS.lines().count() >= 4);
    for run in RUNS.lines() {
        let [program, machine, scheduler, seed] = run.split(' ').collect::<Vec<_>>()[..] else {
            panic!("`{run}` is not a program, a machine, a scheduler and a seed");
        };
        let seed = seed.parse().expect("a seed is a number");
        let json = widgets::schedule(program, machine, scheduler, seed).expect("a run");
        assert_eq!(
            json,
            widgets::schedule(program, machine, scheduler, seed).expect("again")
        );
        let file = folder.join(format!("{}.json", run.replace(' ', "-")));
        if std::env::var_os("RECORD").is_some() {
            std::fs::write(&file, format!("{json}\n")).expect("the folder is there");
        }
        let recorded = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            json == recorded.trim_end(),
            "{run} gives other bytes than {}; if the model was meant to change: \
             RECORD=1 cargo test -p widgets --test schedule",
            file.display()
        );
    }
}

#[test]
fn the_books_static_figure_shows_what_the_model_says() {
    let page = include_str!("../../src/work-stealing/locality-and-balance.md");
    let drawn = widgets::timeline("rrm", "xeon-7560", "ws", 1).expect("a run");
    for run in drawn.counts {
        let row = format!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            run.scheduler.to_uppercase(),
            grouped(run.misses),
            grouped(run.makespan_cycles),
            grouped(run.steals)
        );
        assert!(page.contains(&row), "the page has no row {row}");
    }
}

/// `1703908` as `1 703 908`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
