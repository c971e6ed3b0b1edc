//! What a scheduler did wrong, and when.

use super::{Simulation, State};
use crate::scheduler::error::{Fault, ScheduleError};
use crate::scheduler::program::Program;

impl<P: Program> Simulation<'_, P> {
    pub(super) fn error(&self, now: u64, fault: Fault) -> ScheduleError {
        ScheduleError {
            event: self.events,
            at_cycles: now,
            fault,
        }
    }

    pub(super) fn fault_about_waiting(&self, now: u64, lost: bool) -> ScheduleError {
        let waiting = self.jobs.iter().filter(|ready| !ready.running);
        let oldest = waiting
            .min_by_key(|ready| ready.added_at_event)
            .expect("the program is not over");
        let (job, added_at_event) = (oldest.job.id, oldest.added_at_event);
        let waiting = self.waiting_jobs;
        let now = self
            .workers
            .iter()
            .map(|w| {
                if let State::Waiting { since, .. } = w.state {
                    since
                } else {
                    now
                }
            })
            .max()
            .unwrap_or(now);
        let fault = if lost {
            Fault::Lost {
                job,
                waiting,
                added_at_event,
            }
        } else {
            Fault::Stuck {
                job,
                waiting,
                added_at_event,
            }
        };
        self.error(now, fault)
    }
}
