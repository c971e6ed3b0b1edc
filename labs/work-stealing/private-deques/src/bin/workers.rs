//! How the makespan changes with the number of workers, and with the length of the tasks:
//! `cargo run --release -p private-deques --bin workers -- 10` makes them ten times as long.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use lab_kit::{Lab, Variant};
use private_deques::{Cost, MakePolicy, PrivateDeques, metered_with};

fn main() -> ExitCode {
    let stretch = match std::env::args().nth(1).map(|text| (text.parse(), text)) {
        None => 1,
        Some((Ok(stretch @ 1..=1_000_000), _)) => stretch,
        Some((_, text)) => {
            let fault =
                format!("workers: tasks cannot be `{text}` times as long; give 1 to 1000000\n");
            // A closed stderr leaves nobody to tell, as below.
            let _ = std::io::stderr().write_all(fault.as_bytes());
            return ExitCode::from(2);
        }
    };
    for variant in Variant::ALL {
        let table = table(variant, stretch);
        let _ = std::io::stdout().write_all(table.as_bytes());
    }
    ExitCode::SUCCESS
}

fn table(variant: Variant, stretch: u64) -> String {
    let mut out = format!(
        "{variant}: tasks {stretch} × as long as usual\n\
         workers    makespan  waited for locks  locks passed on\n"
    );
    for workers in [1, 2, 4, 8, 16, 32] {
        let _ = match cost(PrivateDeques::function(variant), workers, stretch) {
            Ok(Cost {
                makespan,
                waited_cycles,
                transfers,
            }) => writeln!(
                out,
                "{workers:7} {makespan:11} {waited_cycles:17} {transfers:16}"
            ),
            Err(refused) => writeln!(out, "{workers:7}  refused: {refused}"),
        };
    }
    out
}

fn cost(make: MakePolicy, workers: usize, stretch: u64) -> Result<Cost, String> {
    let mut sum = Cost {
        makespan: 0,
        waited_cycles: 0,
        transfers: 0,
    };
    for shift in metered_with(workers, stretch) {
        let (verdict, cost) = shift.run(make);
        let cost = cost.ok_or_else(|| verdict.refused.unwrap_or_default())?;
        sum.makespan += cost.makespan;
        sum.waited_cycles += cost.waited_cycles;
        sum.transfers += cost.transfers;
    }
    Ok(sum)
}
