//! A lab's wall-clock bench with criterion, for the reader's own curiosity: never scored.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Bencher, Criterion};

use crate::{Lab, Variant};

/// Times both variants on the metered input and prints how many times as fast the solution is;
/// [`time!`](crate::time) calls it.
pub fn time_variants<L: Lab>(criterion: &mut Criterion) {
    let [baseline, solution] = [Variant::Baseline, Variant::Solution].map(|variant| {
        let mut samples = Vec::new();
        criterion.bench_function(variant.name(), |bencher| {
            time_variant::<L>(variant, bencher, &mut samples);
        });
        median(samples)
    });
    if let (Some(baseline), Some(solution)) = (baseline, solution) {
        let ratio = baseline.as_secs_f64() / solution.as_secs_f64();
        #[expect(clippy::print_stdout, reason = "a bench reports there")]
        {
            println!("baseline ÷ solution: {ratio:.2} (medians; the counts decide the score)");
        }
    }
}

/// Times the calls alone: neither copying the input nor dropping the answer.
fn time_variant<L: Lab>(variant: Variant, bencher: &mut Bencher<'_>, samples: &mut Vec<Duration>) {
    let input = L::metered();
    let function = L::function(variant);
    bencher.iter_custom(|iterations| {
        let mut total = Duration::ZERO;
        for _ in 0..iterations {
            let mut input = input.clone();
            let start = Instant::now();
            let answer = L::call(function, black_box(&mut input));
            total += start.elapsed();
            black_box(answer);
        }
        let rounds = u32::try_from(iterations).unwrap_or(u32::MAX);
        samples.push(total / rounds);
        total
    });
}

/// `None` when a filter left the variant out.
fn median(mut samples: Vec<Duration>) -> Option<Duration> {
    samples.sort_unstable();
    samples.get(samples.len() / 2).copied()
}

/// Makes a lab's `benches/time.rs`: `lab_kit::time!(loop_interchange::LoopInterchange);`
#[macro_export]
macro_rules! time {
    ($lab:ty) => {
        fn main() {
            let mut criterion = $crate::criterion::Criterion::default().configure_from_args();
            $crate::time_variants::<$lab>(&mut criterion);
            criterion.final_summary();
        }
    };
}
