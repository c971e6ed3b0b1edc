//! The three programs on a model machine, forking as the reader's function says.

use std::cell::RefCell;
use std::collections::HashMap;

use models::scheduler::{Machine, Options, Program, Script, Simulation, Size, WorkStealing};

use crate::{Call, Fork, QUEUE_CYCLES};

/// A program on a machine.
#[derive(Debug, Clone, Copy)]
pub struct Trial {
    /// What is called.
    pub call: Call,
    /// How many workers there are.
    pub workers: usize,
}

/// What became of a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Virtual cycles that all strands computed, scheduling not included: the program's work.
    pub work_cycles: u64,
    /// Why the function is refused.
    pub refused: Option<String>,
}

lab_kit::compare_fields!(Verdict: refused, work_cycles);

/// One strand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strand {
    call: Call,
    /// The parts have ended, and nothing is left to do.
    ended: bool,
}

struct Forking {
    trial: Trial,
    fork: Fork,
    seen: RefCell<Seen>,
}

#[derive(Default)]
struct Seen {
    work_cycles: u64,
    refused: Option<String>,
    /// What was said of each call so far.
    answers: HashMap<Call, bool>,
}

impl Program for Forking {
    type Strand = Strand;

    fn root(&self) -> Strand {
        Strand {
            call: self.trial.call,
            ended: false,
        }
    }

    fn size(&self, _strand: &Strand) -> Size {
        Size::unknown()
    }

    fn run(&self, strand: &Strand, script: &mut Script<Strand>) {
        if strand.ended {
            return;
        }
        let Strand { call, .. } = *strand;
        let mut seen = self.seen.borrow_mut();
        let forks = (self.fork)(call, self.trial.workers);
        if *seen.answers.entry(call).or_insert(forks) != forks {
            seen.refused = Some(format!(
                "{call:?}: once it was to be forked and once not; an answer may depend on nothing \
                 but the call and the number of workers"
            ));
        }
        if forks && !call.can_fork() {
            seen.refused = Some(format!("{call:?} was to be forked and has no two parts"));
        }
        let forks = forks && call.can_fork() && seen.refused.is_none();
        let cycles = if forks {
            call.own_cycles()
        } else {
            call.serial_cycles()
        };
        seen.work_cycles += cycles;
        script.compute(cycles);
        if forks {
            let parts = call.parts().map(|call| Strand { call, ended: false });
            script.fork(parts, Strand { call, ended: true });
        }
    }

    fn address_space_bytes(&self) -> u64 {
        0
    }
}

impl Trial {
    /// Runs the trial. The second number is the makespan in virtual cycles.
    ///
    /// # Panics
    ///
    /// If the model's own scheduler breaks its contract.
    pub fn run(self, fork: Fork) -> (Verdict, u64) {
        let machine = Machine::flat(self.workers).with_queue_cycles(QUEUE_CYCLES);
        let program = Forking {
            trial: self,
            fork,
            seen: RefCell::default(),
        };
        let mut simulation = Simulation::new(&machine, &program, Options::default());
        let outcome = simulation.run(&mut WorkStealing::new(self.workers, 1));
        let makespan = outcome
            .expect("work stealing keeps the contract")
            .makespan_cycles;
        let Seen {
            work_cycles,
            refused,
            answers: _,
        } = program.seen.into_inner();
        (
            Verdict {
                work_cycles,
                refused,
            },
            makespan,
        )
    }
}
