//! Independent jobs run side by side.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// Threads that [`side_by_side`] is best given on this host: one per core.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs all `jobs` on this many threads; their results come back in the jobs' order.
pub fn side_by_side<R: Send>(threads: usize, jobs: Vec<impl FnOnce() -> R + Send>) -> Vec<R> {
    let workers = threads.clamp(1, jobs.len().max(1));
    let results: Mutex<Vec<Option<R>>> = Mutex::new(jobs.iter().map(|_| None).collect());
    let queue = Mutex::new(jobs.into_iter().enumerate());
    let next = || queue.lock().expect("taking a job does not panic").next();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((index, job)) = next() {
                    let result = job();
                    results.lock().expect("keeping a result does not panic")[index] = Some(result);
                }
            });
        }
    });
    let results = results
        .into_inner()
        .expect("keeping a result does not panic");
    results
        .into_iter()
        .map(|result| result.expect("every job was run"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn results_come_back_in_order_whatever_the_threads() {
        for threads in [0, 1, 3, 200] {
            let jobs: Vec<_> = (0..50).map(|number| move || number * number).collect();
            assert_eq!(
                side_by_side(threads, jobs),
                (0..50).map(|number| number * number).collect::<Vec<_>>(),
                "{threads} threads"
            );
        }
    }

    #[test]
    fn no_jobs_give_no_results() {
        let jobs: Vec<fn() -> ()> = Vec::new();
        assert!(side_by_side(4, jobs).is_empty());
    }
}
