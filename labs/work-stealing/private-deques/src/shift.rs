//! A program run by workers that share queues as the reader's policy says.

use models::scheduler::{
    Costs, Job, LockCosts, Locks, Machine, Next, Options, Scheduler, WorkerId, simulate,
};

use crate::program::Running;
use crate::{Call, MakePolicy, Policy, Queues, Seat};

/// What a lock costs.
///
/// Taking and releasing a free `Mutex`: 4.4 ns on the course's reference machine, at 3.4 GHz.
/// Fetching its line from another core: the false-sharing page's 40 to 100 cycles, at the upper end,
/// since the queue's own line comes along. Two cores of the reference machine that poll for a line
/// take twice as long to hand it over (`bench-runtimes hand-over`).
const LOCK_COSTS: LockCosts = LockCosts {
    hold_cycles: 15,
    item_cycles: 5,
    transfer_cycles: 100,
};

/// Cycles of a callback beside its locks.
const CALLBACK_CYCLES: u64 = 2;

/// Cycles that a worker pauses after an attempt that found nothing.
const PAUSE_CYCLES: u64 = 20;

/// Attempts of a worker that are in vain while jobs wait, after which it counts as starved.
const PATIENCE: u64 = 400;

/// A program and who runs it.
#[derive(Debug, Clone, Copy)]
pub struct Shift {
    /// What is called.
    pub call: Call,
    /// How many workers there are.
    pub workers: usize,
    /// How many times as long as usual every task is.
    pub stretch: u64,
    /// For victims and the like.
    pub seed: u64,
}

/// What became of a shift.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Strands that ran; the program decides how many there are.
    pub strands: u64,
    /// Why the policy is refused, with the event at which it went wrong.
    pub refused: Option<String>,
}

lab_kit::compare_fields!(Verdict: refused, strands);

/// What a shift cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// From the start to the end of the last strand, in virtual cycles.
    pub makespan: u64,
    /// What all workers together waited for held locks.
    pub waited_cycles: u64,
    /// How often a lock went from one worker to another.
    pub transfers: u64,
}

struct Crew {
    policies: Vec<Box<dyn Policy>>,
    queues: Queues,
    locks: Locks,
    waiting: usize,
}

impl Scheduler for Crew {
    fn add(&mut self, job: &Job, worker: WorkerId) {
        self.waiting += 1;
        self.policies[worker.0].push(job.id, &mut self.queues);
    }

    fn get(&mut self, worker: WorkerId) -> Next {
        match self.policies[worker.0].next(&mut self.queues) {
            Some(job) => {
                self.waiting = self.waiting.saturating_sub(1);
                Next::Run(job)
            }
            None if self.waiting == 0 => Next::Idle,
            None => Next::Retry,
        }
    }

    fn done(&mut self, _job: &Job, _worker: WorkerId, _task_ended: bool) {}

    fn costs(&self, _queue_cycles: u64) -> Costs {
        Costs {
            failed_get: PAUSE_CYCLES,
            ..Costs::deque(CALLBACK_CYCLES)
        }
    }

    fn delay(&mut self, worker: WorkerId, began_cycles: u64) -> u64 {
        let uses = self.queues.take_uses();
        self.locks.take(worker, &uses, began_cycles) - began_cycles
    }
}

impl Shift {
    /// Runs it; the cost is there unless the policy is refused.
    pub fn run(&self, make: MakePolicy) -> (Verdict, Option<Cost>) {
        let seat = |worker| Seat {
            worker,
            workers: self.workers,
            seed: models::scheduler::mix(self.seed ^ worker as u64),
        };
        let mut crew = Crew {
            policies: (0..self.workers).map(|worker| make(seat(worker))).collect(),
            queues: Queues::default(),
            locks: Locks::new(LOCK_COSTS),
            waiting: 0,
        };
        let machine = Machine::flat(self.workers);
        let running = Running {
            call: self.call,
            stretch: self.stretch,
        };
        let options = Options {
            seed: self.seed,
            ..Options::default()
        };
        let ended = simulate(&machine, &running, &mut crew, options)
            .and_then(|outcome| outcome.check_starvation(PATIENCE).map(|()| outcome));
        match ended {
            Ok(outcome) => {
                let verdict = Verdict {
                    strands: outcome.strands,
                    refused: None,
                };
                let cost = Cost {
                    makespan: outcome.makespan_cycles,
                    waited_cycles: crew.locks.waited_cycles(),
                    transfers: crew.locks.transfers(),
                };
                (verdict, Some(cost))
            }
            Err(error) => {
                let Self { call, workers, .. } = self;
                let refused = Some(format!("{call:?} on {workers} workers: {error}"));
                (
                    Verdict {
                        strands: 0,
                        refused,
                    },
                    None,
                )
            }
        }
    }
}
