//! The slow version: frozen, since every score is measured against it.

use crate::{Frame, System};

// ANCHOR: frames
/// One worker's supply of frames for the jobs that it spawns.
#[derive(Default)]
pub(crate) struct Frames {}

impl Frames {
    /// A frame for a job. What is in it does not matter.
    pub(crate) fn take(&mut self, system: &mut System) -> Frame {
        system.map()
    }

    /// A frame whose job has ended. It need not be one that this worker has taken: the job may
    /// have been another's.
    pub(crate) fn give_back(&mut self, system: &mut System, frame: Frame) {
        system.unmap(frame);
    }

    /// The worker ends: everything that is still here has to be unmapped.
    pub(crate) fn end(self, system: &mut System) {
        let Self {} = self;
        debug_assert_eq!(
            system.mapped(),
            0,
            "every frame was unmapped when its job ended"
        );
    }
}
// ANCHOR_END: frames
