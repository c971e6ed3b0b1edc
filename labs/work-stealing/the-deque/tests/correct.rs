//! The gate: the solution against the baseline and the snapshots, then every interleaving that
//! loom tries; and each wrong answer refused.

mod explore;

use explore::{Answer, Gate};

/// Room for two entries: three pushes wrap.
const SLOTS: usize = 2;

/// What a deque is built from here: loom's versions of the lab's `sync`.
mod sync {
    #![allow(
        unused_imports,
        reason = "which of them an answer uses is its own affair"
    )]
    pub(crate) use loom::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};
    pub(crate) use loom::sync::{Mutex, MutexGuard};
}

#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
#[cfg_attr(not(feature = "reference"), path = "../src/solution.rs")]
mod solution;

fn judge(answer: Answer) -> Result<(), lab_kit::gate::Refusal> {
    lab_kit::gate::judge::<Gate>(answer, |name, output| {
        lab_kit::insta::assert_debug_snapshot!(name, output);
    })
}

#[test]
fn gate() {
    let answer = Answer {
        play: <the_deque::TheDeque as lab_kit::Lab>::SOLUTION,
        explore: explore::with::<solution::Deque>,
    };
    if let Err(refusal) = judge(answer) {
        panic!("{refusal}");
    }
}

explore::explored!(solution::Deque);

/// Mistakes that thousands of runs on real threads do not show.
macro_rules! wrong {
    ($($name:ident = $file:literal,)+) => {
        $(
            #[path = $file]
            mod $name;
            explore::explored!($name::Deque);
        )+

        mod wrong {
            $(
                #[test]
                fn $name() {
                    let answer = super::Answer {
                        play: <the_deque::TheDeque as lab_kit::Lab>::BASELINE,
                        explore: super::explore::with::<super::$name::Deque>,
                    };
                    let refusal = super::judge(answer).expect_err("this wrong answer passes the gate");
                    eprintln!("{refusal}");
                }
            )+
        }
    };
}

wrong! {
    publishes_without_a_fence = "../wrong/publishes_without_a_fence.rs",
    publishes_by_a_release_store = "../wrong/publishes_by_a_release_store.rs",
    pops_without_a_fence = "../wrong/pops_without_a_fence.rs",
    steals_without_a_fence = "../wrong/steals_without_a_fence.rs",
    pops_the_last_without_a_race = "../wrong/pops_the_last_without_a_race.rs",
    reads_the_slot_after_the_claim = "../wrong/reads_the_slot_after_the_claim.rs",
    pushes_one_too_many = "../wrong/pushes_one_too_many.rs",
}
