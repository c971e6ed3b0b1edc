//! Every step computes the same numbers.

use ladder::Step;

#[test]
fn every_step_is_right_for_any_number_of_workers() {
    for step in Step::ALL {
        for workers in [1, 2, 3, 5] {
            for (n, expected) in [(0, 0), (1, 1), (2, 1), (10, 55), (16, 987)] {
                assert_eq!(
                    step.fib(workers, n),
                    expected,
                    "{step:?}, {workers} workers, fib({n})"
                );
            }
        }
    }
}

#[test]
fn every_step_survives_much_stealing() {
    for step in [
        Step::KeptPages,
        Step::LockedDeques,
        Step::Apart,
        Step::LockFree,
    ] {
        for round in 0..5 {
            assert_eq!(step.fib(4, 18), 2584, "{step:?}, round {round}");
        }
    }
}
