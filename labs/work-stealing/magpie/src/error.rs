//! Why a pool could not be built.

use std::io;

/// Why a [`Pool`](crate::Pool) could not be built. Nothing is left running behind it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// A pool of no workers would never run anything.
    #[error("a pool was asked for with no workers; ask for at least 1")]
    NoWorkers,
    /// More workers than any machine can use.
    #[error("a pool was asked for with {asked} workers; ask for at most {most}")]
    TooManyWorkers {
        /// How many were asked for.
        asked: usize,
        /// How many there may be.
        most: usize,
    },
    /// No memory for the workers' deques.
    #[error(
        "the deques of {workers} workers take {size_bytes} bytes, which could not be had; ask for fewer workers"
    )]
    OutOfMemory {
        /// How many were asked for.
        workers: usize,
        /// What their deques would take.
        size_bytes: usize,
    },
    /// The system would not start one more thread.
    #[error(
        "started {started} of {asked} workers, then the system refused ({source}); ask for fewer workers or for smaller stacks"
    )]
    Spawn {
        /// How many were asked for.
        asked: usize,
        /// How many had been started. They have ended again.
        started: usize,
        /// What the system said.
        source: io::Error,
    },
}
