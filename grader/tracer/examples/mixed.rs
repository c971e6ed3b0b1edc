//! The program that the tool's speed is measured on: a matrix product, a random gather, copies and a
//! sort, each about a quarter of a little more than one billion instructions.
//!
//! No phase is meant to be fast. Together they touch memory as programs do: along rows and columns,
//! at random, in long runs, and again and again within a few pages.

use std::hint::black_box;

/// Rows and columns of the matrices: three of them pass a level-2 cache, none fits a level-1 cache.
const SIZE: usize = 384;
/// Entries of the table that is gathered from, 8 B each: 16 MiB, more than a level-2 cache.
const TABLE: usize = 2 << 20;
const GATHERS: usize = 24_000_000;
/// Bytes copied at a time: the copy's source and target together are 8 MiB.
const COPY_BYTES: usize = 4 << 20;
const COPIES: usize = 400;
const SORTED: usize = 1_500_000;

/// A generator with a fixed start, so that each run makes the same accesses.
/// Source: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
struct Xorshift(u64);

impl Xorshift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Product of two `SIZE × SIZE` row-major matrices, the textbook way: `b` is read by columns.
#[inline(never)]
fn multiply(a: &[f32], b: &[f32], c: &mut [f32]) {
    for (row, out) in a.chunks_exact(SIZE).zip(c.chunks_exact_mut(SIZE)) {
        for (column, cell) in out.iter_mut().enumerate() {
            let products = row.iter().zip(b[column..].iter().step_by(SIZE));
            *cell = products.map(|(x, y)| x * y).sum();
        }
    }
}

/// Sum of `GATHERS` entries of `table` at random places.
#[inline(never)]
fn gather(table: &[u64], random: &mut Xorshift) -> u64 {
    let mask = table.len() as u64 - 1;
    let places = (0..GATHERS).map(|_| random.next() & mask);
    let entries = places.map(|place| usize::try_from(place).map_or(0, |place| table[place]));
    entries.fold(0, u64::wrapping_add)
}

/// Copies `from` to `to`, eight bytes at a time.
#[inline(never)]
fn copy(from: &[u64], to: &mut [u64]) {
    for (source, target) in from.iter().zip(to) {
        *target = black_box(*source);
    }
}

fn main() {
    let mut random = Xorshift(0x9e37_79b9_7f4a_7c15);
    let mut matrix = || -> Vec<f32> {
        let entries = (0..SIZE * SIZE).map(|_| (random.next() & 0xff) as f32);
        entries.collect()
    };
    let (a, b) = (matrix(), matrix());
    let mut c = vec![0.0; SIZE * SIZE];
    multiply(&a, &b, &mut c);
    black_box(&c);

    let table: Vec<u64> = (0..TABLE as u64).collect();
    black_box(gather(&table, &mut random));

    let words = COPY_BYTES / 8;
    let mut target = vec![0; words];
    for _ in 0..COPIES / 10 {
        copy(&table[..words], &mut target);
        black_box(&target);
    }
    for _ in 0..COPIES {
        target.copy_from_slice(black_box(&table[..words]));
        black_box(&target);
    }

    let mut numbers: Vec<u64> = (0..SORTED).map(|_| random.next()).collect();
    numbers.sort_unstable();
    black_box(&numbers);
}
