//! No work is left lying while everybody sleeps.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering, fence};
use loom::thread;

use crate::deque_scenarios::explore;
use crate::idle::{For, Idle};
use crate::latch::Latch;

/// One worker that wants work, one that makes some visible.
struct World {
    idle: Idle,
    work: AtomicBool,
}

/// A worker that looks, falls asleep, looks again and would then park, against one who publishes
/// once. It must not park without being picked: nobody would ever wake it.
///
/// The worker only says that it would park. Loom cannot unwind out of a deadlock, so a lost wake
/// has to show as an assertion.
fn a_sleeper_is_picked(with_last_look: bool) {
    let world = Arc::new(World {
        idle: Idle::new(),
        work: AtomicBool::new(false),
    });
    let theirs = Arc::clone(&world);
    let worker = thread::spawn(move || {
        let World { idle, work } = &*theirs;
        idle.start_searching();
        if work.load(Ordering::Acquire) {
            return false;
        }
        idle.fall_asleep(0, For::Anything);
        if with_last_look && work.load(Ordering::Relaxed) {
            idle.get_up(0);
            return false;
        }
        true
    });
    let World { idle, work } = &*world;
    work.store(true, Ordering::Release);
    fence(Ordering::SeqCst);
    let picked = idle.pick(|wants| wants == For::Anything);
    let parked = worker.join().expect("the worker did not panic");
    assert!(
        !parked || picked == Some(0),
        "work is there, and its only worker sleeps"
    );
}

#[test]
fn no_wake_is_lost() {
    explore(|| a_sleeper_is_picked(true));
}

#[test]
fn without_the_last_look_a_wake_is_lost() {
    let lost = std::panic::catch_unwind(|| explore(|| a_sleeper_is_picked(false)));
    assert!(lost.is_err(), "loom did not find the lost wake");
}

/// A joiner that announces its sleep, against the thief that finishes.
#[test]
fn a_latch_wakes_a_waiter_that_has_announced_its_sleep() {
    explore(|| {
        let shared = Arc::new((Latch::new(), loom::cell::UnsafeCell::new(0)));
        let theirs = Arc::clone(&shared);
        let waiter = thread::spawn(move || {
            let (latch, result) = &*theirs;
            while !latch.is_set() {
                if latch.announce_sleep() && !latch.is_set() {
                    thread::park();
                }
            }
            // SAFETY: the latch is set; loom reports a race if that does not order the write.
            #[expect(unsafe_code, reason = "loom's cell hands out pointers")]
            let seen = result.with(|cell| unsafe { *cell });
            assert_eq!(seen, 7);
        });
        let (latch, result) = &*shared;
        // SAFETY: the latch is not set yet.
        #[expect(unsafe_code, reason = "loom's cell hands out pointers")]
        result.with_mut(|cell| unsafe { *cell = 7 });
        // SAFETY: alive, as the tuple is shared.
        #[expect(unsafe_code, reason = "the latch may usually die in the call")]
        let wake = unsafe { Latch::set(latch) };
        if wake {
            waiter.thread().unpark();
        }
        waiter.join().expect("the waiter did not panic");
    });
}
