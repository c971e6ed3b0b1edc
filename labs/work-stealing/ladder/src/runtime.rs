//! Spawn, call, sync, on any supply of frames and any queues.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::frames::Frames;
use crate::job::{Job, JobRef};

/// How many stolen calls may lie on top of each other on one stack. A worker that waits helps with
/// anything, and with one LIFO queue it would dig itself in without end.
const HELPING_DEPTH: u32 = 32;

/// The queues of all workers.
pub(crate) trait Queues: Sync {
    /// Queues for `workers` workers.
    fn new(workers: usize) -> Self;
    /// Worker `me` offers a job.
    fn push(&self, me: usize, job: JobRef);
    /// Worker `me` takes back the job that it has offered last and not taken back yet; `false` if
    /// somebody else has it.
    fn take_back(&self, me: usize, job: JobRef) -> bool;
    /// Worker `me` looks for a job of somebody else, once. `random` is different every time.
    fn steal(&self, me: usize, random: u64) -> Option<JobRef>;
}

struct Worker<'q, F, Q> {
    me: usize,
    frames: F,
    queues: &'q Q,
    random: u64,
    helping: u32,
}

/// Runs fib on `workers` threads, the calling one among them, and calls `ready` when all are there
/// and look for work.
pub(crate) fn run<F: Frames, Q: Queues>(workers: usize, n: u64, ready: impl FnOnce()) -> u64 {
    assert!(
        workers > 0,
        "fib was to be run by no workers; ask for at least 1"
    );
    let queues = Q::new(workers);
    let (arrived, done) = (AtomicUsize::new(1), AtomicBool::new(false));
    thread::scope(|scope| {
        for me in 1..workers {
            let (queues, arrived, done) = (&queues, &arrived, &done);
            scope.spawn(move || {
                let mut worker = Worker::<F, Q>::new(me, queues);
                arrived.fetch_add(1, Ordering::Relaxed);
                while !done.load(Ordering::Relaxed) {
                    worker.help();
                }
            });
        }
        while arrived.load(Ordering::Relaxed) < workers {
            thread::yield_now();
        }
        ready();
        let result = Worker::<F, Q>::new(0, &queues).fib(n);
        done.store(true, Ordering::Relaxed);
        result
    })
}

impl<'q, F: Frames, Q: Queues> Worker<'q, F, Q> {
    fn new(me: usize, queues: &'q Q) -> Self {
        let random = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(me as u64 + 1);
        Self {
            me,
            frames: F::default(),
            queues,
            random,
            helping: 0,
        }
    }

    // ANCHOR: fib
    fn fib(&mut self, n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let spawned = self.spawn(n - 2);
        let called = self.fib(n - 1);
        called + self.sync(spawned)
    }
    // ANCHOR_END: fib

    #[expect(unsafe_code, reason = "a frame is raw memory")]
    fn spawn(&mut self, n: u64) -> JobRef {
        let frame: NonNull<Job> = self.frames.allocate();
        // SAFETY: the frame is a page, large and aligned enough, and nobody else has it.
        unsafe { frame.write(Job::new(n)) };
        let job = JobRef::new(frame);
        self.queues.push(self.me, job);
        job
    }

    fn sync(&mut self, job: JobRef) -> u64 {
        let result = if self.queues.take_back(self.me, job) {
            self.fib(job.get().n)
        } else {
            self.wait(job)
        };
        if let Some(frame) = NonNull::new(job.as_ptr()) {
            self.frames.free(frame);
        }
        result
    }

    fn wait(&mut self, job: JobRef) -> u64 {
        loop {
            if let Some(result) = job.get().result() {
                return result;
            }
            if self.helping < HELPING_DEPTH {
                self.help();
            } else {
                thread::yield_now();
            }
        }
    }

    /// Runs somebody else's job, if there is one.
    fn help(&mut self) {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        if let Some(job) = self.queues.steal(self.me, self.random) {
            self.helping += 1;
            let result = self.fib(job.get().n);
            self.helping -= 1;
            job.get().finish(result);
        } else {
            thread::yield_now();
        }
    }
}

/// Another worker than `me`, if there is one.
pub(crate) fn victim(me: usize, workers: usize, random: u64) -> Option<usize> {
    let others = workers.checked_sub(1).filter(|&others| others > 0)?;
    let offset = usize::try_from(random % others as u64).expect("below a usize");
    Some((me + 1 + offset) % workers)
}
