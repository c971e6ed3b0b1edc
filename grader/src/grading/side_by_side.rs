//! Jobs run side by side, as many at once as there are cores.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// Runs all `jobs`; their results come back in the jobs' order.
pub(super) fn side_by_side<R: Send>(jobs: Vec<impl FnOnce() -> R + Send>) -> Vec<R> {
    let workers = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(jobs.len());
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
    fn results_come_back_in_order() {
        let jobs: Vec<_> = (0..50).map(|number| move || number * number).collect();
        assert_eq!(
            side_by_side(jobs),
            (0..50).map(|number| number * number).collect::<Vec<_>>()
        );
    }

    #[test]
    fn no_jobs_give_no_results() {
        let jobs: Vec<fn() -> ()> = Vec::new();
        assert!(side_by_side(jobs).is_empty());
    }
}
