//! Each program once on magpie, at a size that Miri can interpret: the views that it splits its
//! matrices into must be disjoint for the checker too, not only in what they compute.

use magpie::Pool;
use programs::lu::lu;
use programs::matmul::{Matrix, matmul};
use programs::plu::{PanelMatrix, plu};
use programs::quicksort::{self, quicksort};
use programs::{BlockMatrix, Magpie, Serial, fib::fib};

const SEED: u64 = 11;

/// Three workers, so that what two of them split is stolen from by another.
fn pool() -> Pool {
    Pool::new(3).expect("three threads start")
}

#[test]
fn fib_of_nine() {
    assert_eq!(pool().run(|mut w| fib::<Magpie>(&mut w, 9)), 34);
}

#[test]
fn lu_of_two_blocks_and_a_row() {
    let mut serial = BlockMatrix::random(33, SEED);
    let mut parallel = serial.clone();
    lu::<Serial>(&mut (), &mut serial);
    pool().run(|mut w| lu::<Magpie>(&mut w, &mut parallel));
    assert_eq!(parallel, serial);
}

#[test]
fn plu_of_two_panels_and_a_row() {
    let mut serial = PanelMatrix::random(33, SEED);
    let mut parallel = serial.clone();
    let swaps = plu::<Serial>(&mut (), &mut serial);
    assert_eq!(
        pool().run(|mut w| plu::<Magpie>(&mut w, &mut parallel)),
        swaps
    );
    assert_eq!(parallel, serial);
}

#[test]
fn matmul_split_along_each_edge() {
    for (m, n, p) in [(50, 9, 9), (9, 50, 9), (9, 9, 50)] {
        let (a, b) = (Matrix::random(m, p, SEED), Matrix::random(p, n, SEED + 1));
        let mut serial = Matrix::random(m, n, SEED + 2);
        let mut parallel = serial.clone();
        matmul::<Serial>(&mut (), &mut serial, &a, &b);
        pool().run(|mut w| matmul::<Magpie>(&mut w, &mut parallel, &a, &b));
        assert_eq!(parallel, serial, "{m} × {n} × {p}");
    }
}

#[test]
fn quicksort_of_some_hundred() {
    let mut data = quicksort::random(700, SEED);
    let mut expected = data.clone();
    expected.sort_unstable();
    pool().run(|mut w| quicksort::<Magpie>(&mut w, &mut data));
    assert_eq!(data, expected);
}
