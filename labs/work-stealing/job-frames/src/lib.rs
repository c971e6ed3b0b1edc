//! A frame for every spawned job: mapped and unmapped each time, or kept.
//!
//! What is under test is a supply of frames. It is driven by the events of one worker: jobs that it
//! spawns and ends in the order of a recursion, and frames of other workers' jobs that it has ended.

mod baseline;
mod events;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;
mod system;

pub use events::{Event, Seen, recursion};
pub use system::{FRAME_BYTES, Frame, System};

use lab_kit::{Case, Lab, Seed};

/// A worker may keep this many frames that no job uses. With more, a worker that ends other
/// workers' jobs would collect all the memory there is.
pub const MOST_KEPT: usize = 64;

/// Plays a worker's events.
pub type Play = fn(&[Event]) -> Seen;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct JobFrames;

impl Lab for JobFrames {
    type Input = Vec<Event>;
    type Output = Seen;
    type Function = Play;

    const BASELINE: Play = play!(baseline::Frames);
    const SOLUTION: Play = play!(solution::Frames);

    fn call(play: Play, events: &mut Self::Input) -> Seen {
        play(events)
    }

    fn examples() -> Vec<Case<Self::Input>> {
        use Event::{Ended, Spawn, Sync};
        vec![
            Case::new("two jobs", vec![Spawn(7), Spawn(8), Sync, Sync]),
            Case::new("a job of another worker", vec![Spawn(7), Ended, Sync]),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        let strangers = std::iter::repeat_n(Event::Ended, 3 * MOST_KEPT).collect();
        let deep = (0..200)
            .map(Event::Spawn)
            .chain([Event::Sync; 200])
            .collect();
        vec![
            Case::new("no events", vec![]),
            Case::new("one job", vec![Event::Spawn(1), Event::Sync]),
            Case::new("two hundred jobs deep", deep),
            Case::new("many jobs of other workers", strangers),
            Case::new("a small recursion", recursion(100, 8, 0, seed)),
            Case::new(
                "a recursion and other workers' jobs",
                recursion(200, 12, 10, seed),
            ),
        ]
    }

    /// Small enough that the baseline's stand-in for the kernel takes Valgrind a second or two.
    fn metered() -> Self::Input {
        recursion(1500, 24, 100, &mut Seed::new(1))
    }
}
