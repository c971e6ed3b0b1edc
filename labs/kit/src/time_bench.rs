//! A lab's wall-clock bench with criterion, for the reader's own curiosity: never scored.

use criterion::{BatchSize, Criterion};

use crate::{Lab, Variant};

/// Times both variants on the metered input; [`time!`](crate::time) calls it.
pub fn time_variants<L: Lab>(criterion: &mut Criterion) {
    let input = L::metered();
    for variant in Variant::ALL {
        let function = L::function(variant);
        criterion.bench_function(variant.name(), |bencher| {
            bencher.iter_batched_ref(
                || input.clone(),
                |input| L::call(function, input),
                BatchSize::PerIteration,
            );
        });
    }
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
