//! Work stealing with the reader's choice of victim, on the model.

use std::collections::VecDeque;

use models::scheduler::programs::{Rrg, Rrm};
use models::scheduler::{
    Job, JobId, Machine, Next, Options, Outcome, Prng, Program, Scale, Scheduler, WorkerId,
    simulate,
};

use crate::ChooseVictim;

/// Attempts of a worker that are in vain while jobs wait, after which it counts as starved.
const PATIENCE: u64 = 200;

/// Where a thief stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbourhood {
    /// The thief, `0..workers`.
    pub thief: usize,
    /// All workers.
    pub workers: usize,
    /// Workers of one socket: `0..socket_workers` are the first, and so on.
    pub socket_workers: usize,
}

/// A program on a machine, both scaled down alike.
#[derive(Clone, Debug)]
pub struct Heist {
    machine: Machine,
    program: &'static str,
    scale: Scale,
    seed: u64,
}

/// What became of a heist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Strands that ran; the program decides how many there are.
    pub strands: u64,
    /// Why the choice is refused, with the event at which it went wrong.
    pub refused: Option<String>,
}

lab_kit::compare_fields!(Verdict: refused, strands);

struct Stealing {
    deques: Vec<VecDeque<JobId>>,
    queued: usize,
    socket_workers: usize,
    choose: ChooseVictim,
    prng: Prng,
}

impl Scheduler for Stealing {
    fn add(&mut self, job: &Job, worker: WorkerId) {
        self.deques[worker.0].push_back(job.id);
        self.queued += 1;
    }

    fn get(&mut self, worker: WorkerId) -> Next {
        if self.queued == 0 {
            return Next::Idle;
        }
        if let Some(job) = self.deques[worker.0].pop_back() {
            self.queued -= 1;
            return Next::Run(job);
        }
        let neighbourhood = Neighbourhood {
            thief: worker.0,
            workers: self.deques.len(),
            socket_workers: self.socket_workers,
        };
        let victim = (self.choose)(&neighbourhood, &mut self.prng);
        let workers = self.deques.len();
        assert!(
            victim < workers,
            "victim {victim} of {workers} workers, chosen by {worker}"
        );
        match self.deques[victim].pop_front() {
            Some(job) => {
                self.queued -= 1;
                Next::Steal {
                    victim: WorkerId(victim),
                    job,
                }
            }
            None => Next::Retry,
        }
    }

    fn done(&mut self, _job: &Job, _worker: WorkerId, _task_ended: bool) {}
}

impl Heist {
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

    /// Runs it; the counts are there unless the choice is refused.
    pub fn run(&self, choose: ChooseVictim) -> (Verdict, Option<Outcome>) {
        match self.program {
            "rrm" => self.run_program(&Rrm::new(self.scale), choose),
            _ => self.run_program(&Rrg::new(self.scale), choose),
        }
    }

    fn run_program<P: Program>(
        &self,
        program: &P,
        choose: ChooseVictim,
    ) -> (Verdict, Option<Outcome>) {
        let workers = self.machine.workers();
        let flat = self.machine.levels.is_empty();
        let mut stealing = Stealing {
            deques: vec![VecDeque::new(); workers],
            queued: 0,
            socket_workers: if flat {
                workers
            } else {
                self.machine.workers_under(0)
            },
            choose,
            prng: Prng::new(self.seed),
        };
        let options = Options {
            burst_lines: 4,
            seed: self.seed,
            ..Options::default()
        };
        let counted = simulate(&self.machine, program, &mut stealing, options)
            .and_then(|outcome| outcome.check_starvation(PATIENCE).map(|()| outcome));
        match counted {
            Ok(outcome) => {
                let strands = outcome.strands;
                (
                    Verdict {
                        strands,
                        refused: None,
                    },
                    Some(outcome),
                )
            }
            Err(error) => {
                let what = format!("{} on {}: {error}", self.program, self.machine.name);
                (
                    Verdict {
                        strands: 0,
                        refused: Some(what),
                    },
                    None,
                )
            }
        }
    }
}
