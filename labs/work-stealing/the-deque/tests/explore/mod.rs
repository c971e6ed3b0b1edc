//! The gate's second half: two threads on a deque of two slots, in every interleaving with at most
//! three preemptions.
//!
//! One item and one thief is not enough: most of the mistakes in `wrong/` need the buffer to wrap.
//! Many items and no bound do not end. Each mistake shows with three preemptions, one of
//! them not with two.

use lab_kit::{Case, Lab, Seed};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use the_deque::{Call, Play, Taken, TheDeque};

const PREEMPTIONS: usize = 3;

/// A deque, compiled against loom.
pub(crate) trait Explored: Send + Sync + 'static {
    fn new() -> Self;
    fn push(&self, entry: u64) -> bool;
    fn pop(&self) -> Option<u64>;
    fn steal(&self) -> Option<u64>;
}

/// Makes a deque [`Explored`]: its own functions have the same names.
macro_rules! explored {
    ($deque:ty) => {
        impl crate::explore::Explored for $deque {
            fn new() -> Self {
                Self::new()
            }
            fn push(&self, entry: u64) -> bool {
                self.push(entry)
            }
            fn pop(&self) -> Option<u64> {
                self.pop()
            }
            fn steal(&self) -> Option<u64> {
                self.steal()
            }
        }
    };
}
pub(crate) use explored;

/// Both halves of an answer.
#[derive(Clone, Copy)]
pub(crate) struct Answer {
    /// On one thread, compiled as it is measured.
    pub(crate) play: Play,
    /// On two, compiled against loom.
    pub(crate) explore: fn(),
}

/// The lab as the gate sees it: calls to play, and one input that stands for all interleavings.
pub(crate) struct Gate;

#[derive(Clone)]
pub(crate) enum Step {
    Play(Vec<Call>),
    Explore,
}

impl Lab for Gate {
    type Input = Step;
    type Output = Taken;
    type Function = Answer;

    const BASELINE: Answer = Answer {
        play: TheDeque::BASELINE,
        // A lock around everything has nothing to hide.
        explore: || {},
    };
    const SOLUTION: Answer = Answer {
        play: TheDeque::SOLUTION,
        explore: with::<crate::solution::Deque>,
    };

    fn call(answer: Answer, step: &mut Step) -> Taken {
        match step {
            Step::Play(calls) => (answer.play)(calls),
            Step::Explore => {
                (answer.explore)();
                Taken {
                    first: vec![],
                    checksum: 0,
                }
            }
        }
    }

    fn examples() -> Vec<Case<Step>> {
        TheDeque::examples().into_iter().map(played).collect()
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Step>> {
        let explore = Case::new("two threads, interleaved by loom", Step::Explore);
        TheDeque::cases(seed)
            .into_iter()
            .map(played)
            .chain([explore])
            .collect()
    }

    fn metered() -> Step {
        Step::Play(TheDeque::metered())
    }
}

fn played(case: Case<Vec<Call>>) -> Case<Step> {
    Case::new(case.name, Step::Play(case.input))
}

/// Explores one deque; panics at the first interleaving in which something goes wrong.
pub(crate) fn with<D: Explored>() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(PREEMPTIONS);
    model.check(every_entry_is_taken_once::<D>);
}

/// What the owner writes before it pushes an entry, for whoever takes it to read.
struct Payloads([UnsafeCell<u64>; 4]);

#[expect(unsafe_code, reason = "the payloads follow the deque's protocol")]
// SAFETY: loom checks every access for races; finding one is the point.
unsafe impl Sync for Payloads {}

impl Payloads {
    #[expect(unsafe_code, reason = "loom's cell hands out pointers")]
    fn write(&self, entry: u64) {
        // SAFETY: the entry is not in the deque yet; loom reports it if that is wrong.
        self.cell(entry)
            .with_mut(|payload| unsafe { *payload = entry + 1 });
    }

    #[expect(unsafe_code, reason = "loom's cell hands out pointers")]
    fn check(&self, entry: u64) {
        // SAFETY: whoever takes an entry is alone with it; loom reports it if that is wrong.
        let seen = self.cell(entry).with(|payload| unsafe { *payload });
        assert_eq!(
            seen,
            entry + 1,
            "entry {entry} was taken before what it stands for was written"
        );
    }

    fn cell(&self, entry: u64) -> &UnsafeCell<u64> {
        let index = usize::try_from(entry).expect("one of four entries");
        self.0
            .get(index)
            .expect("only entries that were pushed come out")
    }
}

/// Four pushes into two slots, with pops between them, against a thief who tries three times.
fn every_entry_is_taken_once<D: Explored>() {
    let payloads = Payloads(std::array::from_fn(|_| UnsafeCell::new(0)));
    let shared = Arc::new((D::new(), payloads));
    let theirs = Arc::clone(&shared);
    let thief = thread::spawn(move || {
        let (deque, payloads) = &*theirs;
        let mut taken = Vec::new();
        for _ in 0..3 {
            taken.extend(deque.steal().inspect(|&entry| payloads.check(entry)));
        }
        taken
    });
    let (deque, payloads) = &*shared;
    let (mut pushed, mut taken) = (Vec::new(), Vec::new());
    let pop = |taken: &mut Vec<u64>| {
        let entry = deque.pop().inspect(|&entry| payloads.check(entry));
        taken.extend(entry);
        entry.is_some()
    };
    for entry in 0..4 {
        payloads.write(entry);
        if deque.push(entry) {
            pushed.push(entry);
        }
        if entry == 1 || entry == 3 {
            pop(&mut taken);
        }
    }
    while pop(&mut taken) {}
    taken.extend(thief.join().expect("the thief does not panic"));
    while pop(&mut taken) {}
    taken.sort_unstable();
    assert_eq!(
        taken, pushed,
        "taken by anybody on the left, pushed on the right"
    );
}
