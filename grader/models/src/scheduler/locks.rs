//! Locks in virtual time: who waits for whom, and what the lines they lie on cost to move.
//!
//! A policy notes which locks a callback took ([`LockUse`]); [`Locks`] then says when the callback
//! ends. A worker that takes a held lock waits until it is free, in the order of asking. A lock that
//! another worker had last is fetched from that worker's cache first. Left out: a waiting worker that
//! sleeps in the kernel, waiters that slow the holder down by looking at the line, and unfairness.
//! The callbacks that end one strand are served in one go, and nobody gets in between.

use alloc::vec::Vec;

use super::policy::WorkerId;

/// What a lock costs, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockCosts {
    /// To take and release it when the line is in the own cache.
    pub hold_cycles: u64,
    /// Per item put in or taken out while it is held.
    pub item_cycles: u64,
    /// To fetch the line when another worker had the lock last.
    pub transfer_cycles: u64,
}

/// One lock taken and released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockUse {
    /// Which lock.
    pub lock: usize,
    /// Items put in or taken out meanwhile.
    pub items: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Lock {
    free_at_cycles: u64,
    last: Option<WorkerId>,
}

/// All locks of a policy, and what they have cost so far.
#[derive(Clone, Debug)]
pub struct Locks {
    costs: LockCosts,
    locks: Vec<Lock>,
    waited_cycles: u64,
    transfers: u64,
}

impl Locks {
    /// As many locks as are used, all free, in nobody's cache.
    pub fn new(costs: LockCosts) -> Self {
        Self {
            costs,
            locks: Vec::new(),
            waited_cycles: 0,
            transfers: 0,
        }
    }

    /// Takes and releases locks one after the other, from `from_cycles` on; returns when the last
    /// is released.
    ///
    /// ```
    /// use models::scheduler::{LockCosts, LockUse, Locks, WorkerId};
    ///
    /// let mut locks = Locks::new(LockCosts { hold_cycles: 15, item_cycles: 5, transfer_cycles: 100 });
    /// let push = [LockUse { lock: 0, items: 1 }];
    /// assert_eq!(locks.take(WorkerId(0), &push, 0), 20);
    /// // Waits from 10 to 20, then fetches the line.
    /// assert_eq!(locks.take(WorkerId(1), &push, 10), 20 + 100 + 20);
    /// ```
    pub fn take(&mut self, worker: WorkerId, uses: &[LockUse], from_cycles: u64) -> u64 {
        let mut now = from_cycles;
        for used in uses {
            if self.locks.len() <= used.lock {
                self.locks.resize(used.lock + 1, Lock::default());
            }
            let lock = &mut self.locks[used.lock];
            self.waited_cycles += lock.free_at_cycles.saturating_sub(now);
            now = now.max(lock.free_at_cycles);
            if lock.last.is_some_and(|last| last != worker) {
                self.transfers += 1;
                now += self.costs.transfer_cycles;
            }
            now += self.costs.hold_cycles + used.items * self.costs.item_cycles;
            *lock = Lock {
                free_at_cycles: now,
                last: Some(worker),
            };
        }
        now
    }

    /// Cycles that workers have waited for held locks, all together.
    pub fn waited_cycles(&self) -> u64 {
        self.waited_cycles
    }

    /// How often a lock went from one worker to another.
    pub fn transfers(&self) -> u64 {
        self.transfers
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::{LockCosts, LockUse, Locks};
    use crate::scheduler::policy::WorkerId;

    const COSTS: LockCosts = LockCosts {
        hold_cycles: 15,
        item_cycles: 5,
        transfer_cycles: 100,
    };

    fn one(lock: usize) -> [LockUse; 1] {
        [LockUse { lock, items: 1 }]
    }

    #[test]
    fn a_lock_of_ones_own_never_costs_more_than_holding_it() {
        let mut locks = Locks::new(COSTS);
        let mut now = 0;
        for _ in 0..10 {
            now = locks.take(WorkerId(3), &one(7), now);
        }
        assert_eq!((now, locks.waited_cycles(), locks.transfers()), (200, 0, 0));
    }

    #[test]
    fn two_workers_with_a_lock_each_do_not_meet() {
        let mut locks = Locks::new(COSTS);
        for worker in 0..2 {
            assert_eq!(locks.take(WorkerId(worker), &one(worker), 0), 20);
        }
        assert_eq!((locks.waited_cycles(), locks.transfers()), (0, 0));
    }

    #[test]
    fn a_free_lock_of_another_costs_the_transfer_and_no_waiting() {
        let mut locks = Locks::new(COSTS);
        locks.take(WorkerId(0), &one(0), 0);
        assert_eq!(locks.take(WorkerId(1), &one(0), 1000), 1120);
        assert_eq!((locks.waited_cycles(), locks.transfers()), (0, 1));
    }

    proptest! {
        /// The slow twin looks at every interval in which a lock was held.
        #[test]
        fn nobody_holds_a_lock_while_another_does(
            asked in prop::collection::vec((0_usize..4, 0_usize..3, 0_u64..4, 0_u64..200), 1..60)
        ) {
            let mut locks = Locks::new(COSTS);
            let (mut now, mut held) = (0, Vec::new());
            for (worker, lock, items, later) in asked {
                now += later;
                let end = locks.take(WorkerId(worker), &[LockUse { lock, items }], now);
                let begin = end - COSTS.hold_cycles - items * COSTS.item_cycles;
                prop_assert!(begin >= now);
                for &(other, from, to) in &held {
                    prop_assert!(other != lock || begin >= to || end <= from);
                }
                held.push((lock, begin, end));
            }
        }
    }
}
