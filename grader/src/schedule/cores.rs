//! Independent simulations side by side, one thread per core of the host.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Threads that [`each`] is best given on this host.
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Calls `run` for every job below `jobs` on `threads` threads; answers in the order of the jobs.
///
/// A simulation depends on its inputs alone, so neither the number of threads nor their order shows
/// in what comes back.
pub fn each<T: Send>(jobs: usize, threads: usize, run: impl Fn(usize) -> T + Sync) -> Vec<T> {
    // Relaxed: a ticket counter; the scope's end is what makes the answers visible.
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(jobs));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, jobs.max(1)) {
            scope.spawn(|| {
                loop {
                    let job = next.fetch_add(1, Ordering::Relaxed);
                    if job >= jobs {
                        break;
                    }
                    let answer = run(job);
                    answers
                        .lock()
                        .expect("a panic of another job ends the scope")
                        .push((job, answer));
                }
            });
        }
    });
    let mut answers = answers
        .into_inner()
        .expect("a panic of a job ended the scope");
    answers.sort_unstable_by_key(|&(job, _)| job);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn answers_come_in_the_order_of_the_jobs_whatever_the_threads() {
        let squares: Vec<usize> = (0..100).map(|n| n * n).collect();
        for threads in [0, 1, 3, 200] {
            assert_eq!(each(100, threads, |n| n * n), squares, "{threads} threads");
        }
        assert!(each(0, 4, |n| n).is_empty());
    }
}
