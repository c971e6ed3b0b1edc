//! Tasks that fit half of a shared cache stay under it: a space-bounded scheduler of one level.

use models::scheduler::{Job, JobId, Machine, Next, Scheduler, WorkerId};

/// A scheduler for `machine`; it draws nothing.
pub(crate) fn make(machine: &Machine, _seed: u64) -> Box<dyn Scheduler> {
    let outer = machine.levels.first();
    let sockets = if outer.is_some() {
        machine.caches_at(1)
    } else {
        1
    };
    Box::new(Anchored {
        capacity_bytes: outer.map_or(u64::MAX, |level| level.size_bytes),
        workers_per_socket: machine.workers() / sockets,
        sockets: (0..sockets).map(|_| Socket::default()).collect(),
        large: Vec::new(),
        unanchored: Vec::new(),
        anchor_of: Vec::new(),
        queued: 0,
    })
}

// ANCHOR: scheduler
#[derive(Default)]
struct Socket {
    reserved_bytes: u64,
    jobs: Vec<JobId>,
}

#[derive(Clone, Copy, Default)]
struct Anchor {
    socket: Option<usize>,
    /// Whether this very task reserved space, and not one that it is part of.
    reserved: bool,
}

/// A stack per socket for what is anchored there, and two for what is anchored nowhere yet.
struct Anchored {
    capacity_bytes: u64,
    workers_per_socket: usize,
    sockets: Vec<Socket>,
    /// Strands of tasks that fit no cache: anybody's.
    large: Vec<JobId>,
    /// Tasks that fit a cache and wait for one with room.
    unanchored: Vec<(JobId, usize, u64)>,
    anchor_of: Vec<Anchor>,
    queued: usize,
}

impl Scheduler for Anchored {
    fn add(&mut self, job: &Job, _worker: WorkerId) {
        self.queued += 1;
        if job.starts_task {
            let inherited = job
                .parent
                .and_then(|parent| self.anchor_of[parent.0].socket);
            if self.anchor_of.len() <= job.task.0 {
                self.anchor_of.resize(job.task.0 + 1, Anchor::default());
            }
            self.anchor_of[job.task.0] = Anchor {
                socket: inherited,
                reserved: false,
            };
        }
        match self.anchor_of[job.task.0].socket {
            Some(socket) => self.sockets[socket].jobs.push(job.id),
            None if job.starts_task && job.task_bytes <= self.capacity_bytes / 2 => {
                self.unanchored.push((job.id, job.task.0, job.task_bytes));
            }
            None => self.large.push(job.id),
        }
    }

    fn get(&mut self, worker: WorkerId) -> Next {
        if self.queued == 0 {
            return Next::Idle;
        }
        let socket = worker.0 / self.workers_per_socket;
        let found = self.sockets[socket]
            .jobs
            .pop()
            .or_else(|| self.large.pop())
            .or_else(|| self.anchor_one(socket));
        let Some(job) = found else {
            return Next::Blocked;
        };
        self.queued -= 1;
        Next::Run(job)
    }

    fn done(&mut self, job: &Job, _worker: WorkerId, task_ended: bool) {
        let Anchor {
            socket: Some(socket),
            reserved: true,
        } = self.anchor_of[job.task.0]
        else {
            return;
        };
        if task_ended {
            self.sockets[socket].reserved_bytes -= job.task_bytes;
        }
    }
}

impl Anchored {
    /// The youngest task that this socket has room for.
    fn anchor_one(&mut self, socket: usize) -> Option<JobId> {
        let room = self.capacity_bytes - self.sockets[socket].reserved_bytes;
        let place = self
            .unanchored
            .iter()
            .rposition(|&(_, _, bytes)| bytes <= room)?;
        let (job, task, bytes) = self.unanchored.remove(place);
        self.sockets[socket].reserved_bytes += bytes;
        self.anchor_of[task] = Anchor {
            socket: Some(socket),
            reserved: true,
        };
        Some(job)
    }
}
// ANCHOR_END: scheduler
