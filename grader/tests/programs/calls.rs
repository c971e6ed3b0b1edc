//! Functions for `grader pipeline`: a chain, one called often, one inlined, one that seldom runs.

use std::hint::black_box;

const STEPS: u64 = 20_000;

/// Three cycles and one per step: each multiplication waits for the addition before it.
#[inline(never)]
fn long_chain(mut hash: u64) -> u64 {
    for step in 0..STEPS {
        hash = hash
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(black_box(step));
    }
    hash
}

#[inline(never)]
fn called_often(number: u64) -> u64 {
    number.rotate_left(7) ^ 0x55
}

#[inline(always)]
fn put_into_its_caller(number: u64) -> u64 {
    number.wrapping_mul(black_box(3)) ^ number
}

#[inline(never)]
fn seldom_run(number: u64) -> u64 {
    black_box(number) + 1
}

fn main() {
    let mut number = black_box(long_chain(1));
    for _ in 0..100_000 {
        number = called_often(black_box(number));
    }
    if std::env::args().len() > 1 {
        number = seldom_run(number);
    }
    black_box(put_into_its_caller(number));
}
