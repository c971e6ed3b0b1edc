//! What happens to one worker's frames.

use lab_kit::Seed;

/// One event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A job is spawned with this argument: it takes a frame.
    Spawn(u64),
    /// The youngest job ends: its frame comes back.
    Sync,
    /// This worker has run a job that another one had spawned, and the frame stays here.
    Ended,
}

/// What the jobs and the system saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The arguments that the jobs found in their frames, folded.
    pub arguments: u64,
    /// Whether more frames were kept than allowed, at any time.
    pub kept_too_many: bool,
    /// Frames that were mapped and that neither a job had used nor another worker brought.
    pub mapped_ahead: bool,
    /// Frames that are mapped after the end.
    pub left_mapped: usize,
}

lab_kit::compare_fields!(Seen: arguments, kept_too_many, mapped_ahead, left_mapped);

/// The events of a fork-join program of `jobs` jobs, up to `depth` open at a time; one event in
/// `strangers_every` is a frame from another worker, none if 0.
pub fn recursion(jobs: u64, depth: usize, strangers_every: usize, seed: &mut Seed) -> Vec<Event> {
    let mut events = Vec::new();
    let (mut spawned, mut open) = (0, 0);
    while spawned < jobs || open > 0 {
        if spawned < jobs && open < depth && (open == 0 || seed.one_in(2)) {
            events.push(Event::Spawn(spawned));
            spawned += 1;
            open += 1;
        } else {
            events.push(Event::Sync);
            open -= 1;
        }
        if strangers_every > 0 && seed.one_in(strangers_every) {
            events.push(Event::Ended);
        }
    }
    events
}

/// Plays events against a supply of frames.
#[macro_export]
macro_rules! play {
    ($frames:ty) => {
        |events: &[$crate::Event]| {
            let mut system = $crate::System::default();
            let mut frames = <$frames>::default();
            let mut open: Vec<$crate::Frame> = Vec::new();
            // Frames that are here for a reason: the most jobs at a time, and what others brought.
            let (mut most_open, mut brought) = (0, 0);
            let mut seen = $crate::Seen {
                arguments: 0,
                kept_too_many: false,
                mapped_ahead: false,
                left_mapped: 0,
            };
            for &event in events {
                match event {
                    $crate::Event::Spawn(argument) => {
                        let mut frame = frames.take(&mut system);
                        frame.write(argument);
                        open.push(frame);
                    }
                    $crate::Event::Sync => {
                        if let Some(frame) = open.pop() {
                            seen.arguments = seen.arguments.wrapping_mul(31) + frame.read();
                            frames.give_back(&mut system, frame);
                        }
                    }
                    $crate::Event::Ended => {
                        let frame = system.map();
                        brought += 1;
                        frames.give_back(&mut system, frame);
                    }
                }
                most_open = open.len().max(most_open);
                seen.kept_too_many |= system.mapped() > open.len() + $crate::MOST_KEPT;
                seen.mapped_ahead |= system.mapped() > most_open + brought;
            }
            for frame in open.drain(..) {
                frames.give_back(&mut system, frame);
            }
            frames.end(&mut system);
            seen.left_mapped = system.mapped();
            seen
        }
    };
}
