//! What happens when the first closure of a `join` unwinds.

use super::Worker;
use crate::job::StackJob;

/// On unwinding out of the first closure of a `join`: the frame must not die while a thief may
/// still use it.
pub(super) struct Reclaim<'a, F, R>
where
    F: FnOnce(&Worker) -> R,
{
    pub(super) worker: &'a Worker,
    pub(super) job: &'a StackJob<F, R>,
}

impl<F, R> Drop for Reclaim<'_, F, R>
where
    F: FnOnce(&Worker) -> R,
{
    // In line, and only a call: the guard then lives in registers and costs nothing until needed.
    #[inline(always)]
    fn drop(&mut self) {
        reclaim(self.worker, self.job);
    }
}

#[cold]
#[inline(never)]
#[expect(unsafe_code, reason = "takes the job back or what the thief has left")]
fn reclaim<F, R>(worker: &Worker, job: &StackJob<F, R>)
where
    F: FnOnce(&Worker) -> R,
{
    if worker.deque.take_back() {
        // SAFETY: taken back, so this frame holds it.
        drop(unsafe { job.take_closure() });
    } else {
        worker.wait(job.latch());
        // SAFETY: the latch is set, and this is the only read. A second panic is dropped: one is
        // being carried already.
        drop(unsafe { job.take_result() });
    }
}
