//! The cycle-level model against its slow, obvious twin: three lower bounds, counted by hand.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::{TextLoop, build_program};
use crate::pipeline::{Limits, machines::MACHINES, simulate_loop};

const REGISTERS: [&str; 6] = ["rax", "rbx", "rcx", "rdx", "rsi", "rdi"];

/// `add` or `imul` of two of the registers: one or three cycles on every machine.
#[derive(Clone, Copy, Debug)]
struct Operation {
    multiply: bool,
    to: usize,
    from: usize,
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let one = (any::<bool>(), 0..REGISTERS.len(), 0..REGISTERS.len())
        .prop_map(|(multiply, to, from)| Operation { multiply, to, from });
    prop::collection::vec(one, 1..24)
}

fn text_of(operations: &[Operation]) -> String {
    let body = operations.iter().map(|operation| {
        let name = if operation.multiply { "imul" } else { "add" };
        format!(
            "{name} {}, {}\n",
            REGISTERS[operation.to], REGISTERS[operation.from]
        )
    });
    format!("loop:\n{}dec r15\njnz loop\n", body.collect::<String>())
}

/// Cycles per iteration of a core with endless resources: only values are waited for.
fn latency_bound(operations: &[Operation]) -> f64 {
    let mut known_at = [0_u32; REGISTERS.len()];
    let mut after_half = 0;
    for iteration in 0..200 {
        for operation in operations {
            let ready = known_at[operation.to].max(known_at[operation.from]);
            known_at[operation.to] = ready + if operation.multiply { 3 } else { 1 };
        }
        if iteration == 99 {
            after_half = *known_at.iter().max().unwrap();
        }
    }
    f64::from(known_at.iter().max().unwrap() - after_half) / 100.0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_loop_is_faster_than_its_bounds_or_much_slower_than_the_largest(ops in operations()) {
        let text = TextLoop::parse(&text_of(&ops)).unwrap();
        for machine in MACHINES {
            let built = text.build(machine);
            let (steps, _) = text.steps(300).unwrap();
            let report = simulate_loop(machine, &built.program, 150, 150, 0..0, steps.into_iter());
            let multiplications = ops.iter().filter(|op| op.multiply).count() as f64;
            let slots = ops.len() as f64 + 1.0;
            let bound = latency_bound(&ops)
                .max(multiplications)
                .max(slots / f64::from(machine.dispatch_width));
            let cycles = report.cycles_per_iteration;
            // The counted stretch starts and ends at a retirement, a cycle or so off the steady pace.
            prop_assert!(cycles >= bound - 0.1, "{}: {cycles} under {bound}", machine.name);
            prop_assert!(cycles <= 1.5 * bound + 1.0, "{}: {cycles} over {bound}", machine.name);
            prop_assert_eq!(report.run.split.total(), report.run.cycles);
        }
    }

    #[test]
    fn the_same_stream_gives_the_same_report(ops in operations()) {
        let text = TextLoop::parse(&text_of(&ops)).unwrap();
        let instructions: Vec<_> = text.body.iter().map(|line| line.instruction).collect();
        let program = build_program(MACHINES[0], &instructions).program;
        let run = || {
            let (steps, _) = text.steps(50).unwrap();
            crate::pipeline::Core::new(MACHINES[0], &program, Limits::default())
                .run(steps.into_iter())
        };
        prop_assert_eq!(run(), run());
    }
}
