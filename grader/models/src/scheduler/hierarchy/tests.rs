use std::collections::BTreeSet;
use std::vec::Vec;

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::{prop_assert, prop_assert_eq, proptest};

use super::Hierarchy;
use crate::scheduler::machines::tiny;
use crate::scheduler::program::{Range, read, write};
use crate::scheduler::streamer::Streamer;

/// The slow obvious twin: each cache is a list, most recent first, searched from end to end.
struct Lists {
    /// Per level and cache, per set.
    l2: Vec<Vec<Vec<u64>>>,
    l1: Vec<Vec<Vec<u64>>>,
    ways: [usize; 2],
    misses: [u64; 2],
}

impl Lists {
    fn access(&mut self, worker: usize, line: u64, writes: bool) {
        let (big, small) = (worker / 2, worker);
        let (big_sets, small_sets) = (self.l2[0].len(), self.l1[0].len());
        let (big_set, small_set) = (
            usize::try_from(line).unwrap() % big_sets,
            usize::try_from(line).unwrap() % small_sets,
        );
        let in_l1 = self.l1[small][small_set].contains(&line);
        if in_l1 {
            self.l1[small][small_set].retain(|&l| l != line);
            self.l1[small][small_set].insert(0, line);
        } else {
            self.misses[1] += 1;
            if self.l2[big][big_set].contains(&line) {
                self.l2[big][big_set].retain(|&l| l != line);
            } else {
                self.misses[0] += 1;
                if self.l2[big][big_set].len() == self.ways[0] {
                    let gone = self.l2[big][big_set].pop().unwrap();
                    for below in [2 * big, 2 * big + 1] {
                        self.l1[below][usize::try_from(gone).unwrap() % small_sets]
                            .retain(|&l| l != gone);
                    }
                }
            }
            self.l2[big][big_set].insert(0, line);
            if self.l1[small][small_set].len() == self.ways[1] {
                self.l1[small][small_set].pop();
            }
            self.l1[small][small_set].insert(0, line);
        }
        if writes {
            for other in 0..self.l2.len() {
                if other != big {
                    self.l2[other][big_set].retain(|&l| l != line);
                }
            }
            for other in 0..self.l1.len() {
                if other != small {
                    self.l1[other][small_set].retain(|&l| l != line);
                }
            }
        }
    }
}

/// `rows` rows of one line each, a page of four lines apart.
fn column(rows: u64) -> Range {
    Range {
        rows,
        stride_bytes: 4 * 64,
        ..read(0, 64)
    }
}

#[test]
fn past_the_end_of_a_row_the_rest_of_the_page_misses_and_is_there_for_the_next() {
    let mut machine = tiny();
    machine.streamer = Streamer {
        lines_ahead: 20,
        page_lines: 4,
    };
    let mut hierarchy = Hierarchy::new(&machine, 1 << 14);
    hierarchy.touch(0, &column(3), 0, 3);
    assert_eq!(hierarchy.counts()[0].misses, 3 * 4);
    assert_eq!((hierarchy.prefetched(), hierarchy.touches()), (3 * 3, 3));
    // The worker next to it finds what the streamer brought.
    hierarchy.touch(1, &read(64, 3 * 64), 0, 3);
    assert_eq!(hierarchy.counts()[0].misses, 3 * 4);
    // What was prefetched costs the controller, not the worker that did not ask for it.
    let mut idle = Hierarchy::new(&machine, 1 << 14);
    idle.touch(0, &column(1), 0, 1);
    assert_eq!(
        idle.settle(0, 0),
        machine.service_cycles.max(machine.miss_cycles)
    );
    idle.touch(0, &read(1 << 12, 64), 0, 1);
    assert_eq!(
        idle.settle(0, 0),
        (5 * machine.service_cycles).max(machine.miss_cycles)
    );
}

#[test]
fn no_line_is_prefetched_beyond_the_end_of_memory() {
    let mut machine = tiny();
    machine.streamer = Streamer {
        lines_ahead: 20,
        page_lines: 64,
    };
    let mut hierarchy = Hierarchy::new(&machine, 2 * 64);
    hierarchy.touch(
        0,
        &Range {
            rows: 2,
            stride_bytes: 64,
            ..read(0, 64)
        },
        0,
        2,
    );
    assert!(hierarchy.counts()[0].misses <= 3);
}

proptest! {
    #[test]
    fn directory_and_lists_agree(
        accesses in vec((0_usize..4, 0_u64..96, any::<bool>()), 0..600),
    ) {
        let machine = tiny();
        let mut fast = Hierarchy::new(&machine, 96 * 64);
        let sets = |index: usize| {
            let level = &machine.levels[index];
            usize::try_from(level.size_bytes / (level.ways as u64 * 64)).unwrap()
        };
        let mut slow = Lists {
            l2: std::vec![std::vec![Vec::new(); sets(0)]; 2],
            l1: std::vec![std::vec![Vec::new(); sets(1)]; 4],
            ways: [machine.levels[0].ways, machine.levels[1].ways],
            misses: [0, 0],
        };
        for (worker, line, writes) in accesses {
            let range = if writes { write(line * 64, 64) } else { read(line * 64, 64) };
            fast.touch(worker, &range, 0, 1);
            slow.access(worker, line, writes);
        }
        let counts = fast.counts();
        prop_assert_eq!([counts[0].misses, counts[1].misses], slow.misses);
    }

    #[test]
    fn one_pass_misses_each_line_once(start in 0_u64..5000, bytes in 1_u64..5000) {
        let mut hierarchy = Hierarchy::new(&tiny(), 1 << 14);
        let range = read(start, bytes);
        let lines = hierarchy.lines_of(&range);
        hierarchy.touch(0, &range, 0, lines);
        let expected: BTreeSet<u64> = (start..start + bytes).map(|byte| byte / 64).collect();
        prop_assert_eq!(hierarchy.counts()[0].misses, expected.len() as u64);
        prop_assert!(hierarchy.settle(0, 0) > 0);
    }
}
