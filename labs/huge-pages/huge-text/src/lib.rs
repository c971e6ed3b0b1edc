//! A program with 20 MiB of code, 16 of them hot: its instructions lie on more pages than the TLB has entries.

mod baseline;
mod code;
mod linked;
mod program;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

pub use code::Code;
pub use program::{Ended, Program};

use std::sync::{Mutex, PoisonError};

use lab_kit::{Case, Lab, Seed};

/// `start(code)` is called once before the program runs.
pub type Start = fn(&Code);

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct HugeText;

impl Lab for HugeText {
    type Input = Program;
    type Output = Ended;
    type Function = Start;

    const BASELINE: Start = baseline::start;
    const SOLUTION: Start = solution::start;

    fn call(start: Start, program: &mut Program) -> Ended {
        // The code is one for all threads: who changes it is alone, and what broke is mended.
        static ALONE: Mutex<()> = Mutex::new(());
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let code = Code::of_program();
        let linked = linked::linked(&code);
        start(&code);
        let ended = program.run(&code, linked);
        if ended.first_changed_byte.is_some() || ended.rights != linked::RIGHTS {
            linked::put_back(&code);
        }
        ended
    }

    fn examples() -> Vec<Case<Program>> {
        vec![
            Case::new("no call", Program { seed: 5, calls: 0 }),
            Case::new("three calls", Program { seed: 1, calls: 3 }),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Program>> {
        let calls = [1, 100, 20_000];
        calls
            .into_iter()
            .map(|calls| {
                let seed = seed.bits();
                Case::new(
                    format!("{calls} calls from {seed}"),
                    Program { seed, calls },
                )
            })
            .collect()
    }

    /// Some fifteen calls of each function, in no order.
    fn metered() -> Program {
        Program {
            seed: 1974,
            calls: 60_000,
        }
    }

    fn remark(start: Start) -> Option<String> {
        let code = Code::of_program();
        start(&code);
        let mapping = code.mapping()?;
        // What was never moved is still the file's; nobody asked for anything then.
        if mapping.name.starts_with('/') {
            return None;
        }
        let whole = huge::huge_pages_within(code.range()).len();
        let huge_bytes = mapping.huge_bytes();
        (huge_bytes < whole).then(|| {
            format!(
                "the code was moved, and {} of its {} MiB are on huge pages: advise before the \
                 first write to the copy, and look whether huge pages are free (`grader pages`)",
                huge_bytes >> 20,
                whole >> 20
            )
        })
    }
}
