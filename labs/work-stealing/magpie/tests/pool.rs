//! Pools: starting, ending, entering from outside and from each other, sleeping.

mod limit;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use limit::{sized, within_limit};
use magpie::{Pool, PoolError, Worker};

fn fib(worker: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = worker.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
    a + b
}

#[test]
fn a_pool_of_no_workers_is_refused() {
    assert!(matches!(Pool::new(0), Err(PoolError::NoWorkers)));
}

#[test]
fn a_pool_of_a_thousand_workers_works() {
    within_limit(|| {
        let pool = Pool::builder()
            .workers(sized(1000, 20))
            .stack_bytes(1 << 20)
            .build()
            .unwrap();
        assert_eq!(pool.workers(), sized(1000, 20));
        assert_eq!(pool.run(|w| fib(w, sized(16, 7))), sized(987, 13));
    });
}

#[test]
fn a_pool_of_a_million_workers_is_refused() {
    let error = Pool::new(1_000_000).err().map(|error| error.to_string());
    assert_eq!(
        error.as_deref(),
        Some("a pool was asked for with 1000000 workers; ask for at most 8192")
    );
}

// Miri's threads need no stack and cannot be refused one.
#[cfg(not(miri))]
#[test]
fn stacks_that_cannot_be_had_are_an_error_and_leave_no_thread() {
    within_limit(|| {
        let refused = Pool::builder().workers(4).stack_bytes(1 << 46).build();
        assert!(
            matches!(refused, Err(PoolError::Spawn { asked: 4, .. })),
            "{:?}",
            refused.err()
        );
    });
}

#[test]
fn a_panic_reaches_whoever_entered_from_outside() {
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        let caught = catch_unwind(AssertUnwindSafe(|| {
            pool.run(|_| -> () { panic!("inside") })
        }));
        let text = caught
            .err()
            .and_then(|payload| payload.downcast::<&str>().ok());
        assert_eq!(text.as_deref(), Some(&"inside"));
        assert_eq!(pool.run(|w| fib(w, 10)), 55);
    });
}

#[test]
fn many_threads_enter_one_pool() {
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        std::thread::scope(|threads| {
            for _ in 0..sized(8, 3) {
                threads.spawn(|| {
                    for n in 0..sized(50, 4) {
                        assert_eq!(pool.run(|w| fib(w, n % 12)), pool.run(|w| fib(w, n % 12)));
                    }
                });
            }
        });
    });
}

#[test]
fn pools_nest_and_call_each_other_back() {
    within_limit(|| {
        let (one, two) = (Pool::new(1).unwrap(), Pool::new(1).unwrap());
        let sum = one.run(|w| {
            let (a, b) = w.join(
                |_| two.run(|_| one.run(|w| two.run(|_| 1) + fib(w, 10))),
                |_| two.run(|w| fib(w, 10)),
            );
            a + b
        });
        assert_eq!(sum, 111);
    });
}

#[test]
fn a_worker_that_enters_its_own_pool_stays_where_it_is() {
    within_limit(|| {
        let pool = Pool::new(2).unwrap();
        let (outer, inner) = pool.run(|outer| (outer.index(), pool.run(Worker::index)));
        assert_eq!(outer, inner);
    });
}

#[test]
fn spawned_tasks_are_finished_before_a_dropped_pool_is_gone() {
    within_limit(|| {
        let ended = Arc::new(AtomicUsize::new(0));
        let (pools, tasks) = sized((20, 100), (3, 5));
        for _ in 0..pools {
            let pool = Pool::new(2).unwrap();
            for _ in 0..tasks {
                let ended = Arc::clone(&ended);
                drop(pool.spawn(move |w| {
                    fib(w, 8);
                    ended.fetch_add(1, Ordering::Relaxed);
                }));
            }
        }
        assert_eq!(ended.load(Ordering::Relaxed), pools * tasks);
    });
}

#[test]
fn a_pool_dropped_by_its_own_worker_does_not_wait_for_itself() {
    within_limit(|| {
        let pool = Arc::new(Pool::new(2).unwrap());
        let last = Arc::clone(&pool);
        let task = pool.spawn(move |w| {
            // Ours is the last once the other thread has dropped its own.
            while Arc::strong_count(&last) > 1 {
                std::thread::yield_now();
            }
            drop(last);
            fib(w, 12)
        });
        drop(pool);
        assert_eq!(task.wait(), 144);
    });
}

#[test]
fn a_task_gives_its_result_or_its_panic_to_whoever_waits() {
    within_limit(|| {
        let pool = Arc::new(Pool::new(1).unwrap());
        assert_eq!(pool.spawn(|w| fib(w, 10)).wait(), 55);
        let panics = pool.spawn(|_| -> u32 { panic!("task") });
        assert!(catch_unwind(AssertUnwindSafe(|| panics.wait())).is_err());
        // The only worker waits for a task of its own pool: it has to run it meanwhile.
        let again = Arc::clone(&pool);
        assert_eq!(pool.run(move |_| again.spawn(|w| fib(w, 11)).wait()), 89);
    });
}

#[test]
fn sleeping_workers_wake_for_every_entry() {
    // Workers go to sleep within a fraction of a millisecond: each entry finds another state.
    within_limit(|| {
        let pool = Pool::new(3).unwrap();
        for i in 0..sized(300_u64, 10) {
            std::thread::sleep(Duration::from_micros(i * 7 % 400));
            assert_eq!(
                pool.run(|w| fib(w, i % sized(14, 6))),
                pool.run(|w| fib(w, i % sized(14, 6)))
            );
        }
    });
}

#[test]
fn error_messages_say_what_to_do() {
    let text = PoolError::NoWorkers.to_string();
    assert_eq!(
        text,
        "a pool was asked for with no workers; ask for at least 1"
    );
}
