//! How the makespan changes with the number of workers: `cargo run -p private-deques --example workers`

use std::io::Write;

use lab_kit::{Lab, Variant};
use private_deques::{Cost, MakePolicy, PrivateDeques, metered_with};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    for variant in Variant::ALL {
        writeln!(out, "{variant}: the three metered programs together")?;
        writeln!(
            out,
            "workers    makespan  waited for locks  locks passed on"
        )?;
        for workers in [1, 2, 4, 8, 16, 32] {
            match cost(PrivateDeques::function(variant), workers) {
                Ok(Cost {
                    makespan,
                    waited_cycles,
                    transfers,
                }) => writeln!(
                    out,
                    "{workers:7} {makespan:11} {waited_cycles:17} {transfers:16}"
                )?,
                Err(refused) => writeln!(out, "{workers:7}  refused: {refused}")?,
            }
        }
    }
    Ok(())
}

fn cost(make: MakePolicy, workers: usize) -> Result<Cost, String> {
    let mut sum = Cost {
        makespan: 0,
        waited_cycles: 0,
        transfers: 0,
    };
    for shift in metered_with(workers) {
        let (verdict, cost) = shift.run(make);
        let cost = cost.ok_or_else(|| verdict.refused.unwrap_or_default())?;
        sum.makespan += cost.makespan;
        sum.waited_cycles += cost.waited_cycles;
        sum.transfers += cost.transfers;
    }
    Ok(sum)
}
