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
