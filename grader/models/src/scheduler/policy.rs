//! The scheduler interface: a policy is three callbacks, and the simulator owns time.
//!
//! Source: the framework of Simhadri et al., "Experimental Analysis of Space-Bounded Schedulers",
//! ACM TOPC 3(1), 2016, section 3: `add`, `get`, `done`.

use core::fmt;

/// A worker: one hardware thread of the machine, `0..machine.workers()`, left to right in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub usize);

/// A strand that waits or runs. Never used twice within a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

/// A task: a strand and all that it forks until its last strand joins.
///
/// The number is given out again after the task has ended, so that it can index a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub usize);

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "worker {}", self.0)
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "job {}.{}", self.slot, self.generation)
    }
}

/// What a scheduler may know of a strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its name; hand it back from `get`.
    pub id: JobId,
    /// The task that it is a strand of.
    pub task: TaskId,
    /// The task that forked this one; `None` for the program itself.
    pub parent: Option<TaskId>,
    /// Whether it is the first strand of its task (else it continues after a fork).
    pub starts_task: bool,
    /// What the task said it touches, in bytes; `u64::MAX` if it said nothing.
    pub task_bytes: u64,
    /// What this strand alone touches, in bytes.
    pub strand_bytes: u64,
}

/// The answer to a worker that wants work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Run this job, from a queue that the worker may use at no extra cost.
    Run(JobId),
    /// Run this job, taken from another worker.
    Steal {
        /// From whom.
        victim: WorkerId,
        /// What.
        job: JobId,
    },
    /// This attempt failed, another may succeed: ask again after the cost of an attempt.
    Retry,
    /// There is nothing: ask again after the next `add`.
    Idle,
    /// There is something that this worker may not run now: ask again after the next `add` or
    /// `done`.
    Blocked,
}

/// What the callbacks cost, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Per job added.
    pub add: u64,
    /// Per `get` that returned a job of one's own.
    pub get: u64,
    /// Per `done`.
    pub done: u64,
    /// On top of `get`, for a job of another worker.
    pub steal: u64,
    /// Per `get` that returned nothing.
    pub failed_get: u64,
}

impl Costs {
    /// One queue operation per callback, and one more to steal.
    pub fn deque(queue_cycles: u64) -> Self {
        Self {
            add: queue_cycles,
            get: queue_cycles,
            done: queue_cycles,
            steal: queue_cycles,
            failed_get: queue_cycles,
        }
    }
}

/// A scheduling policy.
///
/// The simulator promises: every job is added once; `done` is called for a job by the worker that
/// got it, before the jobs that it makes ready are added by the same worker; the first job is added
/// by worker 0. A policy promises: every job is returned once, in the end.
pub trait Scheduler {
    /// A strand became ready on `worker`: a forked child, or what continues after the last join.
    fn add(&mut self, job: &Job, worker: WorkerId);
    /// `worker` has nothing to run.
    fn get(&mut self, worker: WorkerId) -> Next;
    /// The strand ended on `worker`, and with it the task if `task_ended`.
    fn done(&mut self, job: &Job, worker: WorkerId, task_ended: bool);

    /// What the callbacks cost, where one operation on a queue costs `queue_cycles`; a policy with
    /// more to lock costs more.
    fn costs(&self, queue_cycles: u64) -> Costs {
        Costs::deque(queue_cycles)
    }

    /// Cycles that the callback which has just returned took on top of its [`Costs`], if it began at
    /// `began_cycles`: for a policy that takes [`Locks`](super::Locks), what that came to.
    fn delay(&mut self, _worker: WorkerId, _began_cycles: u64) -> u64 {
        0
    }
}
