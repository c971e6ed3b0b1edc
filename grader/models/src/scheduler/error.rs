//! What can be wrong with a machine, a program or a scheduler, and where it showed.

use alloc::string::String;
use core::fmt;

use super::policy::{JobId, WorkerId};

/// A machine that cannot exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MachineError {
    /// A node without children.
    NoFanOut {
        /// The level at fault.
        level: String,
    },
    /// The same level twice on the way from the memory to a worker.
    Cycle {
        /// The level at fault.
        level: String,
    },
    /// A cache larger than the one above it, which could not include it.
    ChildLarger {
        /// The level at fault.
        level: String,
        /// The level above.
        parent: String,
    },
    /// Capacity is not a power of two times ways times line.
    Sets {
        /// The level at fault.
        level: String,
        /// Bytes of one set.
        set_bytes: u64,
    },
    /// The line is not a power of two.
    Line {
        /// What was given.
        bytes: u64,
    },
    /// A memory that never delivers.
    NoBandwidth,
    /// More workers than the model keeps track of.
    TooManyWorkers {
        /// What was given.
        workers: usize,
    },
    /// Scaling left a cache without a single set.
    ScaledAway {
        /// The level at fault.
        level: String,
        /// By what was scaled.
        divisor: u64,
    },
    /// No machine has this name, or a line of a machine's description makes no sense.
    Unknown {
        /// What was read.
        what: String,
    },
}

impl fmt::Display for MachineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFanOut { level } => {
                write!(
                    f,
                    "{level}: fan-out 0, so no worker is below it; give at least 1"
                )
            }
            Self::Cycle { level } => write!(
                f,
                "{level} is above itself: each level may stand once between memory and workers"
            ),
            Self::ChildLarger { level, parent } => write!(
                f,
                "{level} is larger than {parent} above it, which must include it; swap or shrink"
            ),
            Self::Sets { level, set_bytes } => write!(
                f,
                "{level}: the size must be a power of two times one set ({set_bytes} bytes)"
            ),
            Self::Line { bytes } => write!(f, "a line of {bytes} bytes; give a power of two"),
            Self::NoBandwidth => {
                write!(
                    f,
                    "no bandwidth: nothing would ever arrive; give at least 1 %"
                )
            }
            Self::TooManyWorkers { workers } => write!(
                f,
                "{workers} workers, but the model keeps track of {} at most",
                super::MAX_WORKERS
            ),
            Self::ScaledAway { level, divisor } => {
                write!(
                    f,
                    "scale 1/{divisor} leaves {level} without a set; scale down less"
                )
            }
            Self::Unknown { what } => write!(f, "{what}"),
        }
    }
}

impl core::error::Error for MachineError {}

/// A scheduler that broke its contract, at the event where it showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleError {
    /// Callbacks made before this one; counts from 1.
    pub event: u64,
    /// Virtual time of the event.
    pub at_cycles: u64,
    /// What went wrong.
    pub fault: Fault,
}

/// What a scheduler did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `get` returned a job that had been returned before.
    Repeated {
        /// Who asked.
        worker: WorkerId,
        /// The job.
        job: JobId,
    },
    /// `get` returned a job that was never added.
    Invented {
        /// Who asked.
        worker: WorkerId,
        /// The job.
        job: JobId,
    },
    /// `get` named a victim that does not exist.
    NoSuchVictim {
        /// Who asked.
        worker: WorkerId,
        /// The victim.
        victim: WorkerId,
    },
    /// Nobody runs, jobs wait, and every worker was told that there is nothing.
    Lost {
        /// A job that waits, the oldest.
        job: JobId,
        /// How many wait.
        waiting: usize,
        /// The event that added it.
        added_at_event: u64,
    },
    /// Nobody has run anything for very many attempts, though jobs wait.
    Stuck {
        /// A job that waits, the oldest.
        job: JobId,
        /// How many wait.
        waiting: usize,
        /// The event that added it.
        added_at_event: u64,
    },
    /// The program ended and this worker had never been given anything although jobs waited.
    Starved {
        /// The worker.
        worker: WorkerId,
        /// How often it asked in vain while jobs waited.
        asked: u64,
    },
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {} (cycle {}): ", self.event, self.at_cycles)?;
        match &self.fault {
            Fault::Repeated { worker, job } => write!(
                f,
                "get({worker}) returned {job}, which had been returned before; \
                 a job leaves the queue when it is returned"
            ),
            Fault::Invented { worker, job } => {
                write!(f, "get({worker}) returned {job}, which was never added")
            }
            Fault::NoSuchVictim { worker, victim } => {
                write!(f, "get({worker}) stole from {victim}, which does not exist")
            }
            Fault::Lost {
                job,
                waiting,
                added_at_event,
            } => write!(
                f,
                "nobody runs and every worker was told to wait, but {waiting} jobs were added \
                 and never returned, the oldest {job} at event {added_at_event}; \
                 look at what add does with it"
            ),
            Fault::Stuck {
                job,
                waiting,
                added_at_event,
            } => write!(
                f,
                "nobody runs and every get is told to retry, but {waiting} jobs were added and \
                 never returned, the oldest {job} at event {added_at_event}; \
                 look at what get searches"
            ),
            Fault::Starved { worker, asked } => write!(
                f,
                "{worker} ran nothing in the whole run, though it asked {asked} times while \
                 jobs waited; let every worker reach every job in the end"
            ),
        }
    }
}

impl core::error::Error for ScheduleError {}
