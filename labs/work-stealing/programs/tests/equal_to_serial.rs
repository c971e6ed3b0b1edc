//! Each program, on each runtime, gives what its serial elision gives; and that is right.

use programs::lu::lu;
use programs::matmul::{Matrix, matmul};
use programs::plu::{PANEL, PanelMatrix, TallPanel, plu};
use programs::quicksort::{self, quicksort};
use programs::{
    BlockMatrix, Chili, ForkJoin, Forte, Magpie, Rayon, Serial, fib::fib, lu as lu_check,
    plu as plu_check,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Small pools, built once: every case reuses them.
struct Pools {
    magpie: magpie::Pool,
    rayon: rayon::ThreadPool,
    chili: chili::ThreadPool,
    forte: &'static forte::ThreadPool,
}

fn pools() -> &'static Pools {
    static POOLS: std::sync::OnceLock<Pools> = std::sync::OnceLock::new();
    POOLS.get_or_init(|| Pools {
        magpie: magpie::Pool::new(3).expect("three threads start"),
        rayon: rayon::ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .expect("three threads start"),
        chili: chili::ThreadPool::with_config(chili::Config {
            thread_count: std::num::NonZero::new(3),
            ..chili::Config::default()
        }),
        forte: {
            static FORTE: forte::ThreadPool = forte::ThreadPool::new();
            // And the calling thread.
            FORTE.resize_to(2);
            &FORTE
        },
    })
}

/// A program with its input.
trait Program: Sync {
    type Output: Send + PartialEq + std::fmt::Debug;
    fn run<R: ForkJoin>(&self, token: &mut R::Token<'_>) -> Self::Output;
}

/// The serial elision's output, after checking that the runtimes agree with it to the bit.
fn on_every_runtime<P: Program>(program: &P) -> P::Output {
    let serial = program.run::<Serial>(&mut ());
    let pools = pools();
    assert_eq!(
        pools
            .magpie
            .run(|mut worker| program.run::<Magpie>(&mut worker)),
        serial,
        "magpie"
    );
    assert_eq!(
        pools.rayon.install(|| program.run::<Rayon>(&mut ())),
        serial,
        "rayon"
    );
    assert_eq!(
        program.run::<Chili>(&mut pools.chili.scope()),
        serial,
        "chili"
    );
    assert_eq!(
        pools
            .forte
            .with_worker(|mut worker| program.run::<Forte>(&mut worker)),
        serial,
        "forte"
    );
    serial
}

struct Fib(u64);
impl Program for Fib {
    type Output = u64;
    fn run<R: ForkJoin>(&self, token: &mut R::Token<'_>) -> u64 {
        fib::<R>(token, self.0)
    }
}

struct Tall(TallPanel);
impl Program for Tall {
    type Output = (TallPanel, [usize; PANEL]);
    fn run<R: ForkJoin>(&self, token: &mut R::Token<'_>) -> Self::Output {
        let mut panel = self.0.clone();
        let swaps = panel.factor::<R>(token);
        (panel, swaps)
    }
}

struct Lu(BlockMatrix);
impl Program for Lu {
    type Output = BlockMatrix;
    fn run<R: ForkJoin>(&self, token: &mut R::Token<'_>) -> BlockMatrix {
        let mut matrix = self.0.clone();
        lu::<R>(token, &mut matrix);
        matrix
    }
}

struct Plu(PanelMatrix);
impl Program for Plu {
    type Output = (PanelMatrix, Vec<usize>);
    fn run<R: ForkJoin>(&self, token: &mut R::Token<'_>) -> Self::Output {
        let mut matrix = self.0.clone();
        let swaps = plu::<R>(token, &mut matrix);
        (matrix, swaps)
    }
}

struct Matmul(Matrix, Matrix, Matrix);
impl Program for Matmul {
    type Output = Matrix;
    fn run<R: ForkJoin>(&self, token: &mut R::Token<'_>) -> Matrix {
        let mut product = self.0.clone();
        matmul::<R>(token, &mut product, &self.1, &self.2);
        product
    }
}

struct Sort(Vec<u32>);
impl Program for Sort {
    type Output = Vec<u32>;
    fn run<R: ForkJoin>(&self, token: &mut R::Token<'_>) -> Vec<u32> {
        let mut data = self.0.clone();
        quicksort::<R>(token, &mut data);
        data
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x5EED), ..ProptestConfig::default() })]

    #[test]
    fn fib_is_the_sum_of_the_two_before(n in 0_u64..18) {
        let (mut a, mut b) = (0, 1);
        for _ in 0..n {
            (a, b) = (b, a + b);
        }
        prop_assert_eq!(on_every_runtime(&Fib(n)), a);
    }

    #[test]
    fn lu_multiplies_back(edge in 1_usize..130, seed: u64) {
        let original = BlockMatrix::random(edge, seed);
        let factored = on_every_runtime(&Lu(original.clone()));
        let residual = lu_check::residual(&original, &factored);
        prop_assert!(residual < 1e-5, "{residual:e} for {edge} rows, seed {seed}");
    }

    #[test]
    fn plu_multiplies_back_to_the_permuted_matrix(edge in 1_usize..130, seed: u64) {
        let original = PanelMatrix::random(edge, seed);
        let (factored, swaps) = on_every_runtime(&Plu(original.clone()));
        let residual = plu_check::residual(&original, &factored, &swaps);
        prop_assert!(residual < 1e-12, "{residual:e} for {edge} rows, seed {seed}");
        // Partial pivoting: no factor exceeds 1.
        for r in 0..factored.edge() {
            for c in 0..r {
                prop_assert!(factored.get(r, c).abs() <= 1.0, "L[{r}, {c}] of {edge}, seed {seed}");
            }
        }
    }

    #[test]
    fn a_panel_is_the_serial_elisions(rows in 1_usize..300, seed: u64) {
        let (_, swaps) = on_every_runtime(&Tall(TallPanel::random(rows, seed)));
        for (column, &other) in swaps.iter().enumerate() {
            prop_assert!((column..rows.max(PANEL)).contains(&other), "{column}: {other}");
        }
    }

    #[test]
    fn matmul_is_the_definition(m in 0_usize..70, n in 0_usize..70, p in 0_usize..70, seed: u64) {
        let (a, b) = (Matrix::random(m, p, seed), Matrix::random(p, n, seed ^ 1));
        let product = on_every_runtime(&Matmul(Matrix::random(m, n, seed ^ 2), a.clone(), b.clone()));
        let start = Matrix::random(m, n, seed ^ 2);
        for r in 0..m {
            for c in 0..n {
                let sum: f64 = (0..p).map(|k| f64::from(a.get(r, k)) * f64::from(b.get(k, c))).sum();
                let error = (f64::from(product.get(r, c) - start.get(r, c)) - sum).abs();
                prop_assert!(error < 1e-3, "[{r}, {c}] of {m}×{n}×{p}, seed {seed}: {error}");
            }
        }
    }

    #[test]
    fn quicksort_sorts(length in 0_usize..3000, values in 1_u32..5000, seed: u64) {
        // Few values mean many equal ones.
        let data: Vec<_> = quicksort::random(length, seed).into_iter().map(|x| x % values).collect();
        let mut expected = data.clone();
        expected.sort_unstable();
        prop_assert_eq!(on_every_runtime(&Sort(data)), expected);
    }
}

#[test]
fn quicksort_survives_patterns_that_defeat_pivots() {
    let n = 20_000;
    let organ: Vec<u32> = (0..n).chain((0..n).rev()).collect();
    for data in [
        vec![7; 20_000],
        (0..n).collect(),
        (0..n).rev().collect(),
        organ,
        [0, 1].repeat(9999),
    ] {
        let mut expected = data.clone();
        expected.sort_unstable();
        assert_eq!(on_every_runtime(&Sort(data)), expected);
    }
}

#[test]
fn a_singular_matrix_is_factored_all_the_same() {
    // Rank 2: after two columns nothing is left to divide by but rounding errors and zeros.
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let original = PanelMatrix::from_fn(40, |r, c| (r * 3 + c) as f64);
    let (factored, swaps) = on_every_runtime(&Plu(original.clone()));
    assert!(plu_check::residual(&original, &factored, &swaps) < 1e-12);
}
