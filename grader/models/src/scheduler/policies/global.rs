//! One queue for everybody: the plain beginning.

use alloc::collections::VecDeque;

use crate::scheduler::policy::{Job, JobId, Next, Scheduler, WorkerId};

/// Which job of the queue is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The oldest: breadth first, the queue grows with the whole program.
    Fifo,
    /// The youngest: depth first, children of one task spread over all sockets.
    Lifo,
}

/// A single queue behind a single lock.
#[derive(Clone, Debug)]
pub struct GlobalQueue {
    order: Order,
    jobs: VecDeque<JobId>,
}

impl GlobalQueue {
    /// An empty queue.
    pub fn new(order: Order) -> Self {
        Self {
            order,
            jobs: VecDeque::new(),
        }
    }
}

impl Scheduler for GlobalQueue {
    fn add(&mut self, job: &Job, _worker: WorkerId) {
        self.jobs.push_back(job.id);
    }

    fn get(&mut self, _worker: WorkerId) -> Next {
        let job = match self.order {
            Order::Fifo => self.jobs.pop_front(),
            Order::Lifo => self.jobs.pop_back(),
        };
        job.map_or(Next::Idle, Next::Run)
    }

    fn done(&mut self, _job: &Job, _worker: WorkerId, _task_ended: bool) {}
}
