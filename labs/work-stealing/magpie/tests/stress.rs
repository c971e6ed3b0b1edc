//! Long deterministic runs in which much is stolen. The seed is fixed and part of each message.

mod limit;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use limit::{sized, within_limit};
use magpie::{Pool, Worker};

const SEED: u64 = 0x005E_ED0F_5EA1;

/// Splitmix64: the next state's hash.
fn hash(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A tree whose shape, kinds of fork and work at the leaves follow from `node`; its sum does not
/// depend on who runs what.
fn tree(worker: &Worker, node: u64, budget: u32) -> u64 {
    if budget == 0 {
        return (0..hash(node) % 64).fold(node, |sum, i| sum.wrapping_add(hash(i)));
    }
    let (left, right) = (hash(node ^ 1), hash(node ^ 2));
    let split = u32::try_from(left % u64::from(budget)).expect("below the budget");
    match node % 4 {
        0 | 1 => {
            let (a, b) = worker.join(
                |w| tree(w, left, split),
                |w| tree(w, right, budget - 1 - split),
            );
            a.wrapping_add(b)
        }
        2 => worker.scope(|scope| {
            let a = scope.fork(move |w| tree(w, left, split));
            let b = scope.fork(move |w| tree(w, right, budget - 1 - split));
            scope.sync();
            a.get().wrapping_add(b.get())
        }),
        _ => {
            let sum = AtomicU64::new(0);
            worker.for_each(0..3, 1, |i| {
                let part = tree_here(hash(node ^ i as u64), budget / 3);
                sum.fetch_add(part, Ordering::Relaxed);
            });
            sum.into_inner()
        }
    }
}

/// [`tree`] on whichever worker this is.
fn tree_here(node: u64, budget: u32) -> u64 {
    let mut sum = 0;
    magpie::scope(|scope| scope.spawn(|w| sum = tree(w, node, budget)));
    sum
}

#[test]
fn random_trees_have_one_sum_for_any_number_of_workers() {
    within_limit(|| {
        let pools: Vec<_> = sized([2, 3, 4, 7], [2, 2, 3, 4])
            .into_iter()
            .map(|p| Pool::new(p).unwrap())
            .collect();
        let alone = Pool::new(1).unwrap();
        for i in 0..sized(60, 2) {
            let node = hash(SEED + i);
            let expected = alone.run(|w| tree(w, node, sized(600, 20)));
            for pool in &pools {
                let sum = pool.run(|w| tree(w, node, sized(600, 20)));
                assert_eq!(
                    sum,
                    expected,
                    "seed {SEED:#x}, tree {i}, {} workers",
                    pool.workers()
                );
            }
        }
    });
}

#[test]
fn every_spawned_task_runs_once_when_deques_overflow() {
    within_limit(|| {
        let pool = Pool::new(4).unwrap();
        for round in 0..sized(20, 1) {
            let runs: Vec<_> = (0..sized(5000, 100)).map(|_| AtomicU64::new(0)).collect();
            pool.run(|w| {
                w.scope(|scope| {
                    for run in &runs {
                        scope.spawn(|w| {
                            w.join(|_| run.fetch_add(1, Ordering::Relaxed), |_| ());
                        });
                    }
                });
            });
            assert!(
                runs.into_iter().all(|run| run.into_inner() == 1),
                "round {round}"
            );
        }
    });
}

#[test]
fn panics_all_over_a_stolen_tree_are_each_caught_where_they_should_be() {
    fn shaky(worker: &Worker, node: u64, depth: u32) -> u64 {
        if depth == 0 {
            assert!(!node.is_multiple_of(5), "shaky leaf");
            return 1;
        }
        let count = |w: &Worker, child: u64| {
            catch_unwind(AssertUnwindSafe(|| shaky(w, child, depth - 1))).unwrap_or(0)
        };
        let (a, b) = worker.join(|w| count(w, hash(node ^ 1)), |w| count(w, hash(node ^ 2)));
        a + b
    }
    within_limit(|| {
        // The hook prints each panic; several hundred of them say nothing new.
        std::panic::set_hook(Box::new(|_| {}));
        let alone = Pool::new(1).unwrap().run(|w| shaky(w, SEED, sized(9, 5)));
        let pool = Pool::new(4).unwrap();
        for _ in 0..sized(10, 2) {
            assert_eq!(
                pool.run(|w| shaky(w, SEED, sized(9, 5))),
                alone,
                "seed {SEED:#x}"
            );
        }
        let _ = std::panic::take_hook();
    });
}
