//! What the workers do: forks, joins, and a steal now and then, in a seeded order.

use lab_kit::Seed;

use crate::coherence::Caches;
use crate::{LayOut, Layout};

/// Forks and joins of one worker between two turns of the others, on average.
const BURST: usize = 4;

/// Workers at work.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// How many workers.
    pub workers: usize,
    /// Bursts of all workers together.
    pub bursts: usize,
    /// One burst in so many is a steal instead.
    pub steal_every: usize,
    /// Order and victims.
    pub seed: u64,
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Forks of all workers: the same for every layout.
    pub forks: u64,
    /// Why the layout is refused.
    pub refused: Option<String>,
}

lab_kit::compare_fields!(Verdict: refused, forks);

impl Run {
    /// Plays the run. The second number is the count of line transfers.
    pub fn play(self, lay_out: LayOut) -> (Verdict, u64) {
        let layout = lay_out();
        if let Some(fault) = layout.fault() {
            return (
                Verdict {
                    forks: 0,
                    refused: Some(fault),
                },
                0,
            );
        }
        let (mut caches, mut forks) = (Caches::default(), 0);
        let seed = &mut Seed::new(self.seed);
        for _ in 0..self.bursts {
            let me = seed.below(self.workers);
            if self.workers > 1 && seed.one_in(self.steal_every) {
                let victim = (me + seed.between(1, self.workers - 1)) % self.workers;
                steal(&mut caches, &layout, me, victim);
                continue;
            }
            for _ in 0..seed.between(1, 2 * BURST - 1) {
                fork_and_join(&mut caches, &layout, me);
                forks += 1;
            }
        }
        (
            Verdict {
                forks,
                refused: None,
            },
            caches.transfers(),
        )
    }
}

fn address(layout: &Layout, worker: usize, field: usize) -> usize {
    layout.base() + worker * layout.stride_bytes + field
}

fn fork_and_join(caches: &mut Caches, layout: &Layout, me: usize) {
    let at = |field| address(layout, me, field);
    // The push.
    caches.read(me, at(layout.bottom));
    caches.write(me, at(layout.bottom));
    caches.write(me, at(layout.forks));
    // The pop.
    caches.write(me, at(layout.bottom));
    caches.read(me, at(layout.top));
}

fn steal(caches: &mut Caches, layout: &Layout, me: usize, victim: usize) {
    caches.write(me, address(layout, me, layout.random));
    caches.read(me, address(layout, victim, layout.top));
    caches.read(me, address(layout, victim, layout.bottom));
    caches.write(me, address(layout, victim, layout.top));
}
