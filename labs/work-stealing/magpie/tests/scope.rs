//! `scope`, `spawn`, `sync`, `fork`, and the loops.

mod limit;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use limit::{sized, within_limit};
use magpie::{Pool, Worker};

#[test]
fn spawned_tasks_have_ended_when_the_scope_returns() {
    within_limit(|| {
        for workers in [1, 2, 4] {
            let pool = Pool::new(workers).unwrap();
            let mut squares = vec![0; sized(5000, 50)];
            pool.run(|w| {
                w.scope(|scope| {
                    for (i, square) in squares.iter_mut().enumerate() {
                        scope.spawn(move |_| *square = i * i);
                    }
                });
            });
            assert!(
                squares
                    .iter()
                    .enumerate()
                    .all(|(i, &square)| square == i * i),
                "{workers} workers"
            );
        }
    });
}

#[test]
fn spawn_after_sync_works() {
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        for _ in 0..sized(200, 2) {
            let counter = AtomicUsize::new(0);
            pool.run(|w| {
                w.scope(|scope| {
                    for round in 1..=5 {
                        for _ in 0..20 {
                            scope.spawn(|_| {
                                counter.fetch_add(1, Ordering::Relaxed);
                            });
                        }
                        scope.sync();
                        assert_eq!(counter.load(Ordering::Relaxed), 20 * round);
                    }
                    scope.sync();
                });
            });
        }
    });
}

#[test]
fn forks_return_their_results_with_and_without_sync() {
    fn fib(worker: &Worker, n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        worker.scope(|scope| {
            let a = scope.fork(move |w| fib(w, n - 1));
            let b = fib(worker, n - 2);
            if n.is_multiple_of(2) {
                scope.sync();
            }
            a.get() + b
        })
    }
    within_limit(|| {
        for workers in [1, 2, 4] {
            assert_eq!(
                Pool::new(workers).unwrap().run(|w| fib(w, sized(18, 7))),
                sized(2584, 13),
                "{workers} workers"
            );
        }
    });
}

#[test]
fn a_spawn_on_the_outer_scope_from_within_an_inner_one_belongs_to_the_outer() {
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        for _ in 0..sized(100, 2) {
            let (inner, outer) = (AtomicUsize::new(0), AtomicUsize::new(0));
            pool.run(|w| {
                w.scope(|first| {
                    first.spawn(|_| {
                        outer.fetch_add(1, Ordering::Relaxed);
                    });
                    w.scope(|second| {
                        for _ in 0..10 {
                            second.spawn(|_| {
                                inner.fetch_add(1, Ordering::Relaxed);
                            });
                            first.spawn(|_| {
                                outer.fetch_add(1, Ordering::Relaxed);
                            });
                        }
                    });
                    assert_eq!(inner.load(Ordering::Relaxed), 10);
                });
            });
            assert_eq!(outer.into_inner(), 11);
        }
    });
}

#[test]
fn what_a_stolen_task_borrowed_is_free_again_when_the_scope_returns() {
    // The thief may still be on its way out of the task: it must not hold on to what the task
    // borrowed. Only Miri sees a reference that lives too long.
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        for round in 0..sized(200, 20) {
            pool.run(|w| {
                let begun = AtomicUsize::new(0);
                let mut borrowed = Box::new(0);
                w.scope(|scope| {
                    scope.spawn(|_| {
                        begun.store(1, Ordering::Relaxed);
                        *borrowed = round;
                    });
                    w.publish();
                    while begun.load(Ordering::Relaxed) == 0 {
                        std::thread::yield_now();
                    }
                });
                assert_eq!(*borrowed, round);
            });
        }
    });
}

#[test]
fn a_panic_in_a_task_surfaces_at_the_sync_and_only_once() {
    within_limit(|| {
        for workers in [1, 3] {
            let pool = Pool::new(workers).unwrap();
            let ran = AtomicUsize::new(0);
            pool.run(|w| {
                w.scope(|scope| {
                    for i in 0..50 {
                        let ran = &ran;
                        scope.spawn(move |_| {
                            ran.fetch_add(1, Ordering::Relaxed);
                            assert!(i % 10 != 3, "task {i}");
                        });
                    }
                    assert!(catch_unwind(AssertUnwindSafe(|| scope.sync())).is_err());
                    scope.sync();
                });
            });
            assert_eq!(ran.into_inner(), 50, "all tasks end, whichever panics");
        }
    });
}

#[test]
fn a_panic_in_the_body_waits_for_the_tasks() {
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        let mut cells = vec![0; 100];
        let caught = catch_unwind(AssertUnwindSafe(|| {
            pool.run(|w| {
                w.scope(|scope| {
                    for cell in &mut cells {
                        scope.spawn(|_| *cell = 1);
                    }
                    panic!("body");
                })
            })
        }));
        let payload = caught
            .err()
            .and_then(|payload| payload.downcast::<&str>().ok());
        assert_eq!(payload.as_deref(), Some(&"body"));
        assert_eq!(cells, vec![1; 100]);
    });
}

#[test]
fn a_fork_whose_panic_was_carried_on_says_so() {
    within_limit(|| {
        let pool = Pool::new(1).unwrap();
        pool.run(|w| {
            w.scope(|scope| {
                let lost = scope.fork(|_| -> u32 { panic!("task") });
                assert!(catch_unwind(AssertUnwindSafe(|| scope.sync())).is_err());
                let again = catch_unwind(AssertUnwindSafe(|| lost.get()));
                assert!(again.is_err());
            });
        });
    });
}

#[test]
fn loops_visit_each_index_once_for_any_grain() {
    within_limit(|| {
        let pool = Pool::new(3).unwrap();
        for length in [0, 1, 2, 7, 64, sized(1000, 65)] {
            for grain in [0, 1, 3, 64, 5000] {
                let visits: Vec<_> = (0..length).map(|_| AtomicUsize::new(0)).collect();
                pool.run(|w| {
                    w.for_each(0..length, grain, |i| {
                        visits[i].fetch_add(1, Ordering::Relaxed);
                    });
                });
                assert!(
                    visits.into_iter().all(|v| v.into_inner() == 1),
                    "{length} by {grain}"
                );
            }
        }
    });
}

#[test]
fn chunks_are_disjoint_whole_and_know_their_place() {
    within_limit(|| {
        let pool = Pool::new(3).unwrap();
        for length in [0, 1, 10, sized(99, 21), sized(1000, 30)] {
            for chunk in [1, 7, 10, 2000] {
                let mut data = vec![usize::MAX; length];
                pool.run(|w| {
                    w.for_each_chunk(&mut data, chunk, |first, part| {
                        assert!(first % chunk == 0 && part.len() <= chunk);
                        for (i, cell) in part.iter_mut().enumerate() {
                            *cell = first + i;
                        }
                    });
                });
                assert!(
                    data.iter().enumerate().all(|(i, &x)| i == x),
                    "{length} by {chunk}"
                );
            }
        }
    });
}
