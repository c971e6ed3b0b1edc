//! Schedulers and programs that break their contract.

use std::vec::Vec;

use crate::scheduler::error::Fault;
use crate::scheduler::machine::Machine;
use crate::scheduler::machines::tiny;
use crate::scheduler::policies::WorkStealing;
use crate::scheduler::policy::{Job, JobId, Next, Scheduler, WorkerId};
use crate::scheduler::program::{Program, Script, Size, read, write};
use crate::scheduler::programs::Rrm;
use crate::scheduler::scale::Scale;
use crate::scheduler::simulation::{Options, Simulation, simulate};

/// A scheduler with one fault, on top of a queue that works.
struct Faulty {
    queue: Vec<JobId>,
    kind: Kind,
    calls: u32,
}

#[derive(Clone, Copy)]
enum Kind {
    Repeats,
    Loses,
    Hoards,
    Retries,
    StealsFromNobody,
}

impl Scheduler for Faulty {
    fn add(&mut self, job: &Job, _worker: WorkerId) {
        self.calls += 1;
        let lost = matches!(self.kind, Kind::Loses | Kind::Retries) && self.calls == 9;
        if !lost {
            self.queue.push(job.id);
        }
    }

    fn get(&mut self, worker: WorkerId) -> Next {
        if matches!(self.kind, Kind::Hoards) && worker.0 != 0 {
            return Next::Retry;
        }
        match (self.queue.last().copied(), self.kind) {
            (None, Kind::Retries) => Next::Retry,
            (None, _) => Next::Idle,
            (Some(job), Kind::Repeats) if self.calls > 9 => Next::Run(job),
            (Some(job), Kind::StealsFromNobody) => Next::Steal {
                victim: WorkerId(9),
                job,
            },
            (Some(_), _) => Next::Run(self.queue.pop().unwrap()),
        }
    }

    fn done(&mut self, _job: &Job, _worker: WorkerId, _task_ended: bool) {}
}

fn fault_of(kind: Kind) -> std::string::String {
    let machine = Machine::flat(2);
    let mut faulty = Faulty {
        queue: Vec::new(),
        kind,
        calls: 0,
    };
    let program = Rrm::new(Scale::new(2048).unwrap());
    match simulate(&machine, &program, &mut faulty, Options::default()) {
        Err(error) => std::format!("{error}"),
        Ok(outcome) => std::format!("{}", outcome.check_starvation(100).unwrap_err()),
    }
}

#[test]
fn a_broken_scheduler_is_refused_at_the_event_where_it_went_wrong() {
    let repeats = fault_of(Kind::Repeats);
    assert!(
        repeats.contains("which had been returned before"),
        "{repeats}"
    );
    assert!(repeats.starts_with("event "), "{repeats}");
    let loses = fault_of(Kind::Loses);
    assert!(
        loses.contains("every worker was told to wait, but 1 jobs"),
        "{loses}"
    );
    let retries = fault_of(Kind::Retries);
    assert!(retries.contains("told to retry, but 1 jobs"), "{retries}");
    let hoards = fault_of(Kind::Hoards);
    assert!(
        hoards.contains("worker 1 ran nothing in the whole run"),
        "{hoards}"
    );
    let nobody = fault_of(Kind::StealsFromNobody);
    assert!(
        nobody.contains("stole from worker 9, which does not exist"),
        "{nobody}"
    );
}

#[test]
fn after_a_panic_of_the_scheduler_the_run_says_at_which_event() {
    /// Breaks at its tenth callback.
    struct Panics(u32);
    impl Panics {
        fn called(&mut self) {
            self.0 += 1;
            assert!(self.0 < 10, "out of ideas");
        }
    }
    impl Scheduler for Panics {
        fn add(&mut self, _job: &Job, _worker: WorkerId) {
            self.called();
        }
        fn get(&mut self, _worker: WorkerId) -> Next {
            self.called();
            Next::Retry
        }
        fn done(&mut self, _job: &Job, _worker: WorkerId, _task_ended: bool) {
            self.called();
        }
    }
    let program = Rrm::new(Scale::new(2048).unwrap());
    let mut run = Simulation::new(&Machine::flat(2), &program, Options::default());
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run.run(&mut Panics(0))));
    assert!(ended.is_err());
    assert_eq!(run.events(), 10);
}

#[test]
fn a_job_of_another_run_is_recognised_as_invented() {
    struct Inventor(Option<JobId>);
    impl Scheduler for Inventor {
        fn add(&mut self, job: &Job, _worker: WorkerId) {
            self.0 = Some(JobId {
                slot: job.id.slot + 7,
                ..job.id
            });
        }
        fn get(&mut self, _worker: WorkerId) -> Next {
            self.0.map_or(Next::Idle, Next::Run)
        }
        fn done(&mut self, _job: &Job, _worker: WorkerId, _task_ended: bool) {}
    }
    let program = Rrm::new(Scale::new(2048).unwrap());
    let error = simulate(
        &Machine::flat(1),
        &program,
        &mut Inventor(None),
        Options::default(),
    )
    .unwrap_err();
    assert!(matches!(error.fault, Fault::Invented { .. }));
    assert_eq!(error.event, 2);
}

#[test]
fn an_understated_task_is_reported_with_what_it_touches() {
    struct Liar;
    impl Program for Liar {
        type Strand = ();
        fn root(&self) {}
        fn size(&self, _strand: &()) -> Size {
            Size::of(100)
        }
        fn run(&self, _strand: &(), script: &mut Script<()>) {
            script.stream(&[read(0, 64), write(32, 96)], 0);
        }
        fn address_space_bytes(&self) -> u64 {
            4096
        }
    }
    let mut ws = WorkStealing::new(4, 1);
    let outcome = simulate(&tiny(), &Liar, &mut ws, Options::default()).unwrap();
    assert_eq!(outcome.understated_tasks, 1);
    let first = outcome.first_understated.unwrap();
    assert_eq!((first.touched_bytes, first.strand.as_str()), (128, "()"));
}
