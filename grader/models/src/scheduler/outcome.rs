//! What a run counted. Data only: views print it.

use alloc::string::String;
use alloc::vec::Vec;

use super::error::{Fault, ScheduleError};
use super::hierarchy::LevelCount;
use super::policy::WorkerId;

/// Where one worker's time went, in cycles. The five add up to the makespan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerTimes {
    /// Running strands.
    pub active: u64,
    /// In `add`.
    pub add: u64,
    /// In `done`.
    pub done: u64,
    /// In `get` calls that returned a job.
    pub get: u64,
    /// Without a job: failed attempts, and waiting between them.
    pub empty_queue: u64,
    /// Strands that it ran.
    pub strands: u64,
    /// Of those, stolen from another worker.
    pub steals: u64,
    /// `get` calls that returned nothing while jobs waited.
    pub failed_while_jobs_waited: u64,
}

impl WorkerTimes {
    /// Everything but running strands and the empty queue.
    pub fn callbacks(&self) -> u64 {
        self.add + self.done + self.get
    }
}

/// A strand on the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Who ran it.
    pub worker: WorkerId,
    /// When it began, in cycles.
    pub from_cycles: u64,
    /// When it ended.
    pub to_cycles: u64,
    /// What its task said it touches.
    pub task_bytes: u64,
    /// The first byte that it touched, if it touched any.
    pub first_byte: Option<u64>,
    /// Whether it had been stolen.
    pub stolen: bool,
    /// Whether it forked.
    pub forked: bool,
}

/// A task that touches more than it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Understated {
    /// Its strand, as the program's author wrote it down (`Debug`).
    pub strand: String,
    /// The event at which the strand started.
    pub event: u64,
    /// The task's annotation.
    pub task_bytes: u64,
    /// What one of its strands touches.
    pub touched_bytes: u64,
}

/// The counts of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// From the start to the end of the last strand.
    pub makespan_cycles: u64,
    /// The longest chain of dependent strands, each as long as it took.
    pub span_cycles: u64,
    /// Simulated levels, memory side first.
    pub levels: Vec<LevelCount>,
    /// Misses of the level nearest to the memory, by part of the program.
    pub part_misses: Vec<u64>,
    /// Lines that strands touched, as often as they touched them, by part of the program.
    pub part_touches: Vec<u64>,
    /// Of the misses nearest to the memory, those of lines prefetched past the end of a row.
    pub prefetched: u64,
    /// Lines that a write took from another cache.
    pub invalidations: u64,
    /// Per worker.
    pub workers: Vec<WorkerTimes>,
    /// Strands in all.
    pub strands: u64,
    /// Callbacks in all.
    pub events: u64,
    /// Tasks found that touch more than they say.
    pub understated_tasks: u64,
    /// The first of them.
    pub first_understated: Option<Understated>,
    /// Every strand, if recording was asked for.
    pub timeline: Vec<Segment>,
}

impl Outcome {
    /// Misses of the level nearest to the memory; 0 without caches.
    pub fn outer_misses(&self) -> u64 {
        self.levels.first().map_or(0, |level| level.misses)
    }

    /// Cycles of strands over all workers: T₁ as this run paid it.
    pub fn work_cycles(&self) -> u64 {
        self.workers.iter().map(|w| w.active).sum()
    }

    /// Steals over all workers.
    pub fn steals(&self) -> u64 {
        self.workers.iter().map(|w| w.steals).sum()
    }

    /// A mean over workers, in cycles.
    pub fn mean(&self, part: impl Fn(&WorkerTimes) -> u64) -> u64 {
        let total: u64 = self.workers.iter().map(part).sum();
        total / self.workers.len().max(1) as u64
    }

    /// Refuses a run in which a worker got nothing though it asked at least `patience` times while
    /// jobs waited.
    ///
    /// # Errors
    /// Names the first such worker.
    pub fn check_starvation(&self, patience: u64) -> Result<(), ScheduleError> {
        for (index, worker) in self.workers.iter().enumerate() {
            if worker.strands == 0 && worker.failed_while_jobs_waited >= patience {
                return Err(ScheduleError {
                    event: self.events,
                    at_cycles: self.makespan_cycles,
                    fault: Fault::Starved {
                        worker: WorkerId(index),
                        asked: worker.failed_while_jobs_waited,
                    },
                });
            }
        }
        Ok(())
    }
}
