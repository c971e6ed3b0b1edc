//! One program under the reader's scheduler, and whether the scheduler kept its contract.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use models::scheduler::programs::{Quicksort, Rrg, Rrm};
use models::scheduler::{
    Costs, Job, Machine, Next, Options, Outcome, Program, Scale, Scheduler, Simulation, WorkerId,
};

use crate::MakeScheduler;

/// Attempts of a worker that are in vain while jobs wait, after which it counts as starved.
const PATIENCE: u64 = 200;

/// A program on a machine, both scaled down alike.
#[derive(Clone, Debug)]
pub struct Trial {
    machine: Machine,
    program: &'static str,
    scale: Scale,
    seed: u64,
}

/// What became of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Strands that ran; the program decides how many there are.
    pub strands: u64,
    /// Why the scheduler is refused, with the event at which it went wrong.
    pub refused: Option<String>,
}

lab_kit::compare_fields!(Verdict: refused, strands);

/// The reader's policy at everybody's costs: a callback costs what it costs on a deque.
struct AtFixedCosts(Box<dyn Scheduler>);

impl Scheduler for AtFixedCosts {
    fn add(&mut self, job: &Job, worker: WorkerId) {
        self.0.add(job, worker);
    }

    fn get(&mut self, worker: WorkerId) -> Next {
        self.0.get(worker)
    }

    fn done(&mut self, job: &Job, worker: WorkerId, task_ended: bool) {
        self.0.done(job, worker, task_ended);
    }

    fn costs(&self, queue_cycles: u64) -> Costs {
        Costs::deque(queue_cycles)
    }
}

impl Trial {
    /// A program by its name in the model.
    ///
    /// # Panics
    ///
    /// If the scale is out of range.
    pub fn new(machine: Machine, program: &'static str, divisor: u64, seed: u64) -> Self {
        let scale = Scale::new(divisor).expect("a scale of the lab");
        // A cache that scaling leaves without a set stays as it is.
        let machine = machine.scaled(divisor).unwrap_or(machine);
        Self {
            machine,
            program,
            scale,
            seed,
        }
    }

    /// Runs the trial; the counts are there unless the scheduler is refused.
    pub fn run(&self, make: MakeScheduler) -> (Verdict, Option<Outcome>) {
        match self.program {
            "rrm" => self.run_program(&Rrm::new(self.scale), make),
            "rrg" => self.run_program(&Rrg::new(self.scale), make),
            _ => self.run_program(&Quicksort::new(self.scale), make),
        }
    }

    fn run_program<P: Program>(
        &self,
        program: &P,
        make: MakeScheduler,
    ) -> (Verdict, Option<Outcome>) {
        let options = Options {
            burst_lines: 4,
            seed: self.seed,
            ..Options::default()
        };
        let mut simulation = Simulation::new(&self.machine, program, options);
        let ended = catch_unwind(AssertUnwindSafe(|| {
            simulation.run(&mut AtFixedCosts(make(&self.machine, self.seed)))
        }));
        let refused = match ended {
            Err(panic) => {
                let event = simulation.events();
                format!(
                    "event {event}: the scheduler panicked: {}",
                    message(panic.as_ref())
                )
            }
            Ok(Err(error)) => error.to_string(),
            Ok(Ok(outcome)) => match outcome.check_starvation(PATIENCE) {
                Err(error) => error.to_string(),
                Ok(()) => {
                    let strands = outcome.strands;
                    return (
                        Verdict {
                            strands,
                            refused: None,
                        },
                        Some(outcome),
                    );
                }
            },
        };
        let what = format!("{} on {}: {refused}", self.program, self.machine.name);
        (
            Verdict {
                strands: 0,
                refused: Some(what),
            },
            None,
        )
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use models::scheduler::{Job, Machine, Next, Scheduler, WorkerId, tiny};

    use super::Trial;

    struct Panics;

    impl Scheduler for Panics {
        fn add(&mut self, _job: &Job, _worker: WorkerId) {}

        fn get(&mut self, worker: WorkerId) -> Next {
            panic!("worker {} has no queue", worker.0)
        }

        fn done(&mut self, _job: &Job, _worker: WorkerId, _task_ended: bool) {}
    }

    fn panics(_machine: &Machine, _seed: u64) -> Box<dyn Scheduler> {
        Box::new(Panics)
    }

    #[test]
    fn a_scheduler_that_panics_is_refused_with_the_event_and_its_message() {
        let (verdict, outcome) = Trial::new(tiny(), "rrm", 2048, 1).run(panics);
        let refused = verdict.refused.expect("it panicked");
        assert!(outcome.is_none());
        assert!(
            refused.contains("event 2: the scheduler panicked: worker"),
            "{refused}"
        );
    }
}
