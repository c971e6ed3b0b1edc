//! Loops whose iterations do not depend on each other, by halving.

use std::ops::Range;

use crate::worker::Worker;

impl Worker {
    /// Calls `body` with every index of `range`, in parallel down to `grain` indices per task.
    ///
    /// A grain of 0 counts as 1. The span is logarithmic in the number of tasks, as thieves take
    /// whole halves.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// let sum = AtomicU64::new(0);
    /// magpie::Pool::new(2)?.run(|worker| {
    ///     worker.for_each(0..100, 8, |i| {
    ///         sum.fetch_add(i as u64, Ordering::Relaxed);
    ///     });
    /// });
    /// assert_eq!(sum.into_inner(), 4950);
    /// # Ok::<(), magpie::PoolError>(())
    /// ```
    ///
    /// # Panics
    /// When `body` panics; some of the other indices may then never be visited.
    pub fn for_each<F>(&self, range: Range<usize>, grain: usize, body: F)
    where
        F: Fn(usize) + Sync,
    {
        halve(self, range, grain.max(1), &body);
    }

    /// Calls `body` with disjoint chunks of at most `chunk` elements and the index of their first,
    /// in parallel.
    ///
    /// ```
    /// let mut squares = [0_usize; 100];
    /// magpie::Pool::new(2)?.run(|worker| {
    ///     worker.for_each_chunk(&mut squares, 16, |first, chunk| {
    ///         for (i, square) in chunk.iter_mut().enumerate() {
    ///             *square = (first + i).pow(2);
    ///         }
    ///     });
    /// });
    /// assert_eq!(squares[99], 9801);
    /// # Ok::<(), magpie::PoolError>(())
    /// ```
    ///
    /// # Panics
    /// When `body` panics, and if `chunk` is 0.
    pub fn for_each_chunk<T, F>(&self, data: &mut [T], chunk: usize, body: F)
    where
        T: Send,
        F: Fn(usize, &mut [T]) + Sync,
    {
        assert!(
            chunk > 0,
            "chunks of no elements never get through {} elements; ask for at least 1",
            data.len()
        );
        halve_chunks(self, data, 0, chunk, &body);
    }
}

fn halve<F: Fn(usize) + Sync>(worker: &Worker, range: Range<usize>, grain: usize, body: &F) {
    if range.len() <= grain {
        range.for_each(body);
        return;
    }
    let middle = range.start + range.len() / 2;
    worker.join(
        |worker| halve(worker, range.start..middle, grain, body),
        |worker| halve(worker, middle..range.end, grain, body),
    );
}

fn halve_chunks<T, F>(worker: &Worker, data: &mut [T], first: usize, chunk: usize, body: &F)
where
    T: Send,
    F: Fn(usize, &mut [T]) + Sync,
{
    if data.len() <= chunk {
        if !data.is_empty() {
            body(first, data);
        }
        return;
    }
    // At a whole number of chunks, so that only the last is short.
    let chunks = data.len().div_ceil(chunk);
    let middle = chunks / 2 * chunk;
    let (left, right) = data.split_at_mut(middle);
    worker.join(
        |worker| halve_chunks(worker, left, first, chunk, body),
        |worker| halve_chunks(worker, right, first + middle, chunk, body),
    );
}
