//! What goes wrong at the worst moment: panics under panics, pools that die at work, too many workers.

mod limit;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, mpsc};

use limit::{sized, within_limit};
use magpie::{Pool, PoolError, Worker};

/// Joins so that `b` runs on another worker for certain.
fn with_stolen_b<RA: Send, RB: Send>(
    worker: &Worker,
    a: impl FnOnce(&Worker) -> RA + Send,
    b: impl FnOnce(&Worker) -> RB + Send,
) -> (RA, RB) {
    let met = Barrier::new(2);
    worker.join(
        |w| {
            w.publish();
            met.wait();
            a(w)
        },
        |w| {
            met.wait();
            b(w)
        },
    )
}

fn text(caught: std::thread::Result<()>) -> &'static str {
    match caught {
        Ok(()) => "no panic",
        Err(payload) => payload.downcast_ref::<&str>().copied().unwrap_or("no text"),
    }
}

#[test]
fn a_panic_two_thefts_deep_reaches_the_top() {
    within_limit(|| {
        let pool = Pool::new(3).unwrap();
        for _ in 0..sized(50, 3) {
            let caught = catch_unwind(AssertUnwindSafe(|| {
                pool.run(|w| {
                    with_stolen_b(
                        w,
                        |_| (),
                        |w| {
                            with_stolen_b(w, |_| (), |_| -> () { panic!("deep") });
                        },
                    );
                });
            }));
            assert_eq!(text(caught), "deep");
        }
    });
}

#[test]
fn a_join_entered_while_a_panic_unwinds_still_ends() {
    /// Forks when it is dropped, as a guard that cleans up in parallel would.
    struct ForksOnDrop<'w>(&'w Worker, &'w AtomicUsize);
    impl Drop for ForksOnDrop<'_> {
        fn drop(&mut self) {
            let count = self.1;
            with_stolen_b(
                self.0,
                |_| count.fetch_add(1, Ordering::Relaxed),
                |_| count.fetch_add(1, Ordering::Relaxed),
            );
        }
    }
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        let count = AtomicUsize::new(0);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            pool.run(|w| {
                let _guard = ForksOnDrop(w, &count);
                w.join(|_| -> () { panic!("first") }, |_| ());
            });
        }));
        assert_eq!(text(caught), "first");
        assert_eq!(count.into_inner(), 2, "both branches of the guard ran");
    });
}

#[test]
fn a_panic_of_the_first_branch_waits_for_a_stolen_one_that_borrows() {
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        for _ in 0..sized(50, 3) {
            let ended = AtomicUsize::new(0);
            let caught = catch_unwind(AssertUnwindSafe(|| {
                pool.run(|w| {
                    with_stolen_b(
                        w,
                        |_| -> () { panic!("first") },
                        |_| {
                            std::thread::yield_now();
                            ended.store(1, Ordering::Relaxed);
                        },
                    );
                });
            }));
            assert_eq!(text(caught), "first");
            assert_eq!(ended.into_inner(), 1, "the frame outlived the thief");
        }
    });
}

#[test]
fn a_pool_dropped_while_a_task_runs_waits_for_it() {
    within_limit(|| {
        let (begun, has_begun) = mpsc::channel();
        let (go, wait) = mpsc::channel::<()>();
        let ended = Arc::new(AtomicUsize::new(0));
        let pool = Pool::new(2).unwrap();
        let counted = Arc::clone(&ended);
        drop(pool.spawn(move |w| {
            begun.send(()).unwrap();
            wait.recv().unwrap();
            w.join(
                |_| counted.fetch_add(1, Ordering::Relaxed),
                |_| counted.fetch_add(1, Ordering::Relaxed),
            );
        }));
        has_begun.recv().unwrap();
        let dropper = std::thread::spawn(move || drop(pool));
        go.send(()).unwrap();
        dropper.join().unwrap();
        assert_eq!(ended.load(Ordering::Relaxed), 2);
    });
}

#[test]
fn a_task_that_panics_in_a_pool_being_dropped_harms_nobody() {
    const TASKS: usize = sized(100, 10);
    within_limit(|| {
        let ended = Arc::new(AtomicUsize::new(0));
        let pool = Pool::new(2).unwrap();
        for i in 0..TASKS {
            let ended = Arc::clone(&ended);
            drop(pool.spawn(move |_| {
                ended.fetch_add(1, Ordering::Relaxed);
                assert!(i % 3 != 0, "every third");
            }));
        }
        drop(pool);
        assert_eq!(ended.load(Ordering::Relaxed), TASKS);
    });
}

#[test]
fn thousands_of_workers_work_or_are_refused_by_the_system() {
    const WORKERS: usize = sized(3000, 8);
    within_limit(|| {
        let built = Pool::builder()
            .workers(WORKERS)
            .stack_bytes(64 << 10)
            .build();
        match built {
            Ok(pool) => assert_eq!(pool.run(|w| w.join(|_| 6, |_| 7)), (6, 7)),
            // Where processes may not have so many threads; those that started have ended.
            Err(PoolError::Spawn {
                asked: WORKERS,
                started,
                ..
            }) => assert!(started < WORKERS),
            Err(other) => panic!("refused for another reason: {other}"),
        }
    });
}
