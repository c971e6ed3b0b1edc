//! `join`: results, panics, locks, depth, blocking.

mod limit;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};

use limit::{sized, within_limit};
use magpie::{Pool, Worker};

fn fib(worker: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = worker.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
    a + b
}

/// What a caught panic said.
fn message<R>(caught: std::thread::Result<R>) -> String {
    match caught {
        Ok(_) => "no panic".to_owned(),
        Err(payload) => payload
            .downcast_ref::<&str>()
            .map_or("no text", |text| *text)
            .to_owned(),
    }
}

/// Runs `b` on another worker for certain: `a` does not return before `b` was begun.
fn join_with_stolen_b<RA: Send, RB: Send>(
    worker: &Worker,
    a: impl FnOnce() -> RA + Send,
    b: impl FnOnce() -> RB + Send,
) -> (RA, RB) {
    let met = Barrier::new(2);
    worker.publish();
    worker.join(
        |w| {
            w.publish();
            met.wait();
            a()
        },
        |_| {
            met.wait();
            b()
        },
    )
}

#[test]
fn fib_is_right_for_any_number_of_workers() {
    within_limit(|| {
        for workers in [1, 2, 3, 4, 8] {
            assert_eq!(
                Pool::new(workers).unwrap().run(|w| fib(w, sized(22, 10))),
                sized(17_711, 55),
                "{workers} workers"
            );
        }
    });
}

#[test]
fn a_stolen_branch_returns_its_result() {
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        for i in 0..sized(200, 5) {
            let (a, b) = pool.run(|w| join_with_stolen_b(w, || i, || vec![i; 3]));
            assert_eq!((a, b), (i, vec![i; 3]));
        }
    });
}

#[test]
fn a_panic_in_the_first_branch_reaches_the_caller() {
    within_limit(|| {
        let pool = Pool::new(1).unwrap();
        let ran = AtomicUsize::new(0);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            pool.run(|w| w.join(|_| panic!("first"), |_| ran.fetch_add(1, Ordering::Relaxed)))
        }));
        assert_eq!(message(caught), "first");
        assert_eq!(
            ran.into_inner(),
            0,
            "a branch that nobody has begun is dropped"
        );
        assert_eq!(pool.run(|w| fib(w, 10)), 55, "the pool works on");
    });
}

#[test]
fn a_panic_in_the_second_branch_reaches_the_caller() {
    within_limit(|| {
        let pool = Pool::new(1).unwrap();
        let caught = catch_unwind(AssertUnwindSafe(|| {
            pool.run(|w| w.join(|_| (), |_| -> () { panic!("second") }))
        }));
        assert_eq!(message(caught), "second");
        assert_eq!(pool.run(|w| fib(w, 10)), 55);
    });
}

#[test]
fn a_panic_in_a_stolen_branch_reaches_the_caller() {
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        for _ in 0..sized(50, 3) {
            let caught = catch_unwind(AssertUnwindSafe(|| {
                pool.run(|w| join_with_stolen_b(w, || (), || -> () { panic!("stolen") }))
            }));
            assert_eq!(message(caught), "stolen");
        }
        assert_eq!(pool.run(|w| fib(w, 15)), 610);
    });
}

#[test]
fn of_two_panics_the_first_branch_is_carried_on() {
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        for _ in 0..sized(50, 3) {
            let caught = catch_unwind(AssertUnwindSafe(|| {
                pool.run(|w| {
                    join_with_stolen_b(
                        w,
                        || -> () { panic!("first") },
                        || -> () { panic!("second") },
                    )
                })
            }));
            assert_eq!(message(caught), "first");
        }
    });
}

#[test]
fn a_panic_deep_in_a_tree_reaches_the_top_and_leaks_nothing() {
    /// Counts the live ones.
    struct Counted(Arc<AtomicUsize>);
    impl Counted {
        fn new(live: &Arc<AtomicUsize>) -> Self {
            live.fetch_add(1, Ordering::Relaxed);
            Self(Arc::clone(live))
        }
    }
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::Relaxed);
        }
    }
    fn tree(w: &Worker, depth: u32, path: u32, live: &Arc<AtomicUsize>) -> Counted {
        if depth == 0 {
            assert!(path % 61 != 7, "leaf");
            return Counted::new(live);
        }
        let held = Counted::new(live);
        let (a, b) = w.join(
            |w| tree(w, depth - 1, path * 2, live),
            move |w| {
                let _held = &held;
                tree(w, depth - 1, path * 2 + 1, live)
            },
        );
        drop(a);
        b
    }
    within_limit(|| {
        let live = Arc::new(AtomicUsize::new(0));
        for workers in [1, 2, 4] {
            let pool = Pool::new(workers).unwrap();
            for _ in 0..sized(20, 1) {
                let caught = catch_unwind(AssertUnwindSafe(|| {
                    pool.run(|w| drop(tree(w, sized(10, 6), 0, &live)))
                }));
                assert!(caught.is_err(), "{workers} workers");
                assert_eq!(live.load(Ordering::Relaxed), 0, "{workers} workers");
            }
        }
    });
}

#[test]
fn a_join_inside_a_lock_does_not_meet_a_stranger_that_wants_it() {
    // While a worker waits in a join with the lock held, other tasks that take the same lock are
    // there to be stolen. A worker that helped with one of them would wait for itself.
    within_limit(|| {
        let pool = Pool::new(4).unwrap();
        let lock = Mutex::new(0_u64);
        let (tasks, n, fib_of_n) = sized((400, 12, 144), (12, 5, 5));
        pool.run(|w| {
            w.for_each(0..tasks, 1, |_| {
                on_current_worker(|w| {
                    let mut sum = lock.lock().unwrap();
                    *sum += fib(w, n);
                });
            });
        });
        assert_eq!(lock.into_inner().unwrap(), tasks as u64 * fib_of_n);
    });
}

/// Runs on the current worker, as code does that gets no token handed down.
fn on_current_worker(f: impl FnOnce(&Worker) + Send) {
    magpie::scope(|scope| scope.spawn(f));
}

#[test]
fn a_recursion_a_million_deep_ends() {
    fn down(w: &Worker, depth: u64) -> u64 {
        if depth == 0 {
            return 0;
        }
        let (a, b) = w.join(|w| down(w, depth - 1), |_| 1);
        a + b
    }
    within_limit(|| {
        for workers in [1, 2] {
            let pool = Pool::builder()
                .workers(workers)
                .stack_bytes(2 << 30)
                .build()
                .unwrap();
            // More than a deque has entries, in both cases.
            let depth = sized(1_000_000, 100);
            assert_eq!(pool.run(|w| down(w, depth)), depth, "{workers} workers");
        }
    });
}

#[test]
fn a_task_that_blocks_does_not_hold_up_its_sibling() {
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        for _ in 0..sized(50, 3) {
            let (send, receive) = mpsc::channel();
            let (got, ()) = pool.run(|w| {
                w.join(
                    move |w| {
                        w.publish();
                        receive.recv().unwrap()
                    },
                    move |_| send.send(7).unwrap(),
                )
            });
            assert_eq!(got, 7);
        }
    });
}

// Miri's stack frames have no addresses that could be compared.
#[cfg(not(miri))]
#[test]
fn helping_keeps_the_stack_as_deep_as_the_serial_program() {
    /// The tree's height: no frame may lie further below the root's than this many levels.
    const DEPTH: usize = 14;
    /// A stack frame's rough address.
    fn here() -> usize {
        let marker = 0_u8;
        std::hint::black_box(&raw const marker).addr()
    }
    fn tree(w: &Worker, depth: usize, base: &[AtomicUsize], deepest: &AtomicUsize) {
        let stack = here();
        let _ = base[w.index()].fetch_max(stack, Ordering::Relaxed);
        let used = base[w.index()].load(Ordering::Relaxed) - stack;
        let _ = deepest.fetch_max(used, Ordering::Relaxed);
        if depth > 0 {
            w.join(
                |w| tree(w, depth - 1, base, deepest),
                |w| tree(w, depth - 1, base, deepest),
            );
        }
    }
    fn stack_bytes(workers: usize) -> usize {
        let base: Vec<_> = (0..workers).map(|_| AtomicUsize::new(0)).collect();
        let deepest = AtomicUsize::new(0);
        let pool = Pool::new(workers).unwrap();
        for _ in 0..100 {
            pool.run(|w| tree(w, DEPTH, &base, &deepest));
        }
        deepest.into_inner()
    }
    within_limit(|| {
        let alone = stack_bytes(1);
        let together = stack_bytes(4);
        // A stolen task costs a few frames of the runtime's own per level on top of the tree's.
        assert!(
            together <= 4 * alone,
            "{together} bytes of stack with 4 workers, {alone} with 1"
        );
    });
}

// The global pool lives on at the end of the program, which Miri takes for a leak.
#[cfg(not(miri))]
#[test]
fn the_free_function_uses_the_current_worker_or_the_global_pool() {
    within_limit(|| {
        assert_eq!(magpie::join(|| 1, || 2), (1, 2));
        let pool = Pool::new(1).unwrap();
        let names = pool.run(|_| magpie::join(thread_name, thread_name));
        assert_eq!(names, ("magpie-0".to_owned(), "magpie-0".to_owned()));
    });
}

#[cfg(not(miri))]
fn thread_name() -> String {
    std::thread::current().name().unwrap_or("nobody").to_owned()
}
