//! What must hold of the deque in every interleaving, and mutants in which it does not.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

/// How many preemptions loom tries per execution. Each of the seeded bugs needs at most two.
pub(crate) const PREEMPTIONS: usize = 3;

/// The entries that the scenarios push: addresses in an array that outlives every deque.
static ENTRIES: [u8; 8] = [0; 8];

fn entry(number: usize) -> NonNull<u8> {
    NonNull::from(&ENTRIES[number])
}

fn number(entry: NonNull<u8>) -> usize {
    entry.addr().get() - (&raw const ENTRIES).addr()
}

pub(crate) fn explore(scenario: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(PREEMPTIONS);
    model.check(scenario);
}

/// Whether loom finds an interleaving in which the scenario fails.
fn refused(scenario: fn()) -> bool {
    catch_unwind(AssertUnwindSafe(|| explore(scenario))).is_err()
}

/// Writes the scenarios against one copy of the deque, shipped or mutated.
macro_rules! scenarios {
    ($deque:path) => {
        use super::{entry, number};
        use loom::sync::Arc;
        use loom::thread;
        use source::{Deque, Steal};
        use $deque as source;

        /// Two slots: the third push wraps.
        type Small = Shareable<Deque<u8, 2>>;

        fn small() -> Small {
            Shareable(Deque::new())
        }

        /// The worker's promise that only the owner calls the owner's functions.
        struct Shareable<T>(T);
        #[expect(
            unsafe_code,
            reason = "the deque holds a cell that only its owner touches"
        )]
        // SAFETY: in each scenario one thread pushes and pops; the other one only steals.
        unsafe impl<T> Sync for Shareable<T> {}
        #[expect(unsafe_code, reason = "as for Sync")]
        // SAFETY: as for `Sync`.
        unsafe impl<T> Send for Shareable<T> {}

        /// Makes an entry's payload as a task's maker does, to see that the thief sees it.
        struct Payloads([loom::cell::UnsafeCell<usize>; 8]);
        #[expect(unsafe_code, reason = "the payloads follow the deque's protocol")]
        // SAFETY: loom checks every access for races, which is the point.
        unsafe impl Sync for Payloads {}
        #[expect(unsafe_code, reason = "as for Sync")]
        // SAFETY: as for `Sync`.
        unsafe impl Send for Payloads {}

        impl Payloads {
            fn new() -> Self {
                Self(std::array::from_fn(|_| loom::cell::UnsafeCell::new(0)))
            }
            #[expect(unsafe_code, reason = "loom's cell hands out pointers")]
            fn write(&self, which: usize) {
                // SAFETY: not pushed yet; loom reports a race if that is wrong.
                self.0[which].with_mut(|cell| unsafe { *cell = which + 1 });
            }
            #[expect(unsafe_code, reason = "loom's cell hands out pointers")]
            fn check(&self, which: usize) {
                // SAFETY: whoever took the entry alone reads; loom reports a race if not.
                let seen = self.0[which].with(|cell| unsafe { *cell });
                assert_eq!(seen, which + 1, "the entry was taken before it was made");
            }
        }

        fn push(deque: &Small, payloads: &Payloads, which: usize) -> Option<usize> {
            payloads.write(which);
            deque
                .0
                .push(entry(which))
                .or_else(|| deque.0.push_public(entry(which)))
        }

        /// Four pushes into two slots with pops between them, against a thief who tries three times.
        pub(super) fn every_entry_is_taken_once() {
            let shared = Arc::new((small(), Payloads::new()));
            let theirs = Arc::clone(&shared);
            let thief = thread::spawn(move || {
                let (deque, payloads) = &*theirs;
                let mut taken = Vec::new();
                for _ in 0..3 {
                    if let Steal::Taken(found) = deque.0.steal_if(|| true) {
                        payloads.check(number(found));
                        taken.push(number(found));
                    }
                }
                taken
            });
            let (deque, payloads) = &*shared;
            let mut taken = Vec::new();
            let mut pushed = Vec::new();
            for which in 0..4 {
                if let Some(index) = push(deque, payloads, which) {
                    pushed.push(which);
                    // As `join` takes its own entry back.
                    if which == 3 && deque.0.take_back_at(index) {
                        payloads.check(which);
                        taken.push(which);
                    }
                }
                if which == 1 {
                    take(deque, payloads, &mut taken);
                }
            }
            while take(deque, payloads, &mut taken) {}
            taken.extend(thief.join().expect("the thief did not panic"));
            // A last look when everybody is done: what was pushed has been taken.
            while take(deque, payloads, &mut taken) {}
            taken.sort_unstable();
            assert_eq!(taken, pushed, "taken on the left, pushed on the right");
        }

        fn take(deque: &Small, payloads: &Payloads, taken: &mut Vec<usize>) -> bool {
            let Some(found) = deque.0.pop() else {
                return false;
            };
            payloads.check(number(found));
            taken.push(number(found));
            true
        }

        /// A follower may take what was forked while its task ran, and nothing after the skip.
        pub(super) fn a_follower_takes_nothing_after_the_skip() {
            let shared = Arc::new((small(), loom::sync::atomic::AtomicUsize::new(1)));
            let theirs = Arc::clone(&shared);
            let follower = thread::spawn(move || {
                let (deque, serving) = &*theirs;
                // Relaxed on purpose: the order must come from the deque.
                let steal = deque
                    .0
                    .steal_if(|| serving.load(std::sync::atomic::Ordering::Relaxed) == 1);
                if let Steal::Taken(found) = steal {
                    assert_eq!(
                        number(found),
                        0,
                        "took what was forked after its task had ended"
                    );
                }
            });
            let (deque, serving) = &*shared;
            let _pushed = deque
                .0
                .push(entry(0))
                .or_else(|| deque.0.push_public(entry(0)))
                .is_some();
            let _ = deque.0.pop();
            serving.store(2, std::sync::atomic::Ordering::Relaxed);
            deque.0.skip();
            let _pushed = deque
                .0
                .push(entry(1))
                .or_else(|| deque.0.push_public(entry(1)))
                .is_some();
            let _ = deque.0.pop();
            follower.join().expect("the follower did not panic");
        }

        /// Begging makes a private entry public at the next push.
        pub(super) fn begging_publishes() {
            let deque = Arc::new(small());
            for which in 0..2 {
                assert!(
                    deque
                        .0
                        .push(entry(which))
                        .or_else(|| deque.0.push_public(entry(which)))
                        .is_some()
                );
            }
            let theirs = Arc::clone(&deque);
            let thief = thread::spawn(move || {
                let first = theirs.0.steal_if(|| true);
                assert_eq!(
                    first,
                    Steal::Taken(entry(0)),
                    "the oldest is public from the start"
                );
                theirs.0.beg();
            });
            thief.join().expect("the thief did not panic");
            assert!(deque.0.push(entry(2)).is_none(), "the limit was lowered");
            assert!(deque.0.push_public(entry(2)).is_some());
            assert_eq!(deque.0.steal_if(|| true), Steal::Taken(entry(1)));
        }
    };
}

mod shipped {
    scenarios!(crate::deque);
}

#[test]
fn every_entry_is_taken_once() {
    explore(shipped::every_entry_is_taken_once);
}

#[test]
fn a_follower_takes_nothing_after_the_skip() {
    explore(shipped::a_follower_takes_nothing_after_the_skip);
}

#[test]
fn begging_publishes() {
    explore(shipped::begging_publishes);
}

macro_rules! mutants {
    ($($name:ident: $scenario:ident,)*) => {$(
        mod $name {
            #![allow(dead_code, reason = "each mutant fails one scenario and leaves the others unused")]
            mod mutated {
                include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs"));
            }
            scenarios!(mutated);

            #[test]
            fn is_refused() {
                assert!(super::refused($scenario), "loom did not find the seeded bug");
            }
        }
    )*};
}

mutants! {
    publish_without_fence: every_entry_is_taken_once,
    publish_by_a_release_store: every_entry_is_taken_once,
    pop_without_fence: every_entry_is_taken_once,
    steal_without_fence: every_entry_is_taken_once,
    pop_takes_the_last_without_a_race: every_entry_is_taken_once,
    steal_reads_after_claiming: every_entry_is_taken_once,
    push_one_past_full: every_entry_is_taken_once,
    skip_without_release: a_follower_takes_nothing_after_the_skip,
}
