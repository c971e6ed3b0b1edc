//! The space-bounded schedulers SB and SB-D.
//!
//! Every cache, and the memory at the root, is a node with queues of jobs and a count of the bytes
//! that are spoken for. A task *befits* the smallest cache of which it fills at most σ; when a
//! worker first gets it, the task is *anchored* to that cache on the worker's path, reserves its
//! size there, and runs on the workers below only. A running strand reserves its own size, but at
//! most μ of the cache, in each cache between its worker and the anchor of its task.
//!
//! Source: Simhadri et al., TOPC 2016, section 4.2, and for what the text leaves open (queues are
//! stacks, only their heads are tried, a full node ends the walk) the behaviour of the harness that
//! the authors published with the paper.

use alloc::vec;
use alloc::vec::Vec;

use crate::scheduler::machine::Machine;
use crate::scheduler::policy::{Costs, Job, JobId, Next, Scheduler, WorkerId};
use crate::scheduler::prng::Prng;

/// σ and μ, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// A task befits a cache of which it fills at most this part.
    pub sigma_permille: u64,
    /// A strand reserves at most this part of a cache.
    pub mu_permille: u64,
}

impl Default for Bounds {
    /// Source: Simhadri et al., TOPC 2016: σ = 0.5, μ = 0.2.
    fn default() -> Self {
        Self {
            sigma_permille: 500,
            mu_permille: 200,
        }
    }
}

/// How the queue of jobs anchored at a node is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopQueues {
    /// One for the node: SB.
    Shared,
    /// One for each child of the node; a worker looks into its own child's first: SB-D.
    PerChild,
}

#[derive(Clone, Copy, Debug)]
struct Queued {
    id: JobId,
    task: usize,
    task_bytes: u64,
    strand_bytes: u64,
}

#[derive(Clone, Debug)]
struct Node {
    capacity_bytes: u64,
    reserved_bytes: u64,
    /// `queues[0]` holds jobs that run anchored here, one stack per child or one in all;
    /// `queues[k]` those that will be anchored `k` levels further down.
    queues: Vec<Vec<Vec<Queued>>>,
}

/// Where a task is anchored.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    depth: usize,
    index: usize,
    /// Whether the task reserved space there, or only inherited the anchor of its parent.
    maximal: bool,
}

/// SB or SB-D.
#[derive(Clone, Debug)]
pub struct SpaceBounded {
    bounds: Bounds,
    /// Per depth, the root first.
    nodes: Vec<Vec<Node>>,
    /// Workers under a node of each depth.
    workers_under: Vec<usize>,
    /// Indexed by task.
    anchors: Vec<Anchor>,
    queued: usize,
    top: TopQueues,
    /// Workers whose last `get` found jobs but none that fits, and is being repeated.
    trying: Vec<bool>,
    prng: Prng,
}

impl SpaceBounded {
    /// An empty scheduler for a machine.
    pub fn new(machine: &Machine, bounds: Bounds, top: TopQueues, seed: u64) -> Self {
        let depths = machine.levels.len() + 1;
        let nodes = (0..depths)
            .map(|depth| {
                let capacity_bytes = if depth == 0 {
                    u64::MAX
                } else {
                    machine.levels[depth - 1].size_bytes
                };
                let children = machine
                    .levels
                    .get(depth)
                    .map_or(machine.workers_per_leaf, |l| l.fan_out);
                let stacks = match top {
                    TopQueues::Shared => 1,
                    TopQueues::PerChild => children,
                };
                let mut queues = vec![vec![Vec::new(); stacks]];
                queues.resize(depths - depth, vec![Vec::new()]);
                let node = Node {
                    capacity_bytes,
                    reserved_bytes: 0,
                    queues,
                };
                vec![node; machine.caches_at(depth)]
            })
            .collect();
        let workers_under = (0..depths)
            .map(|depth| machine.workers() / machine.caches_at(depth))
            .collect();
        Self {
            bounds,
            nodes,
            workers_under,
            anchors: Vec::new(),
            queued: 0,
            top,
            trying: vec![false; machine.workers()],
            prng: Prng::new(seed),
        }
    }

    /// The node of this depth on a worker's way to the memory.
    fn index_of(&self, worker: usize, depth: usize) -> usize {
        worker / self.workers_under[depth]
    }

    /// Which child of the node of this depth a worker is under.
    fn child_of(&self, worker: usize, depth: usize) -> usize {
        match self.top {
            TopQueues::Shared => 0,
            TopQueues::PerChild => {
                let child_workers = self.workers_under.get(depth + 1).copied().unwrap_or(1);
                worker % self.workers_under[depth] / child_workers
            }
        }
    }

    /// The deepest level that a task befits, at least `from_depth`.
    fn befits(&self, task_bytes: u64, from_depth: usize) -> usize {
        let fits = |depth: usize| {
            let bound = part_of(
                self.nodes[depth][0].capacity_bytes,
                self.bounds.sigma_permille,
            );
            task_bytes <= bound
        };
        (from_depth + 1..self.nodes.len())
            .rev()
            .find(|&depth| fits(depth))
            .unwrap_or(from_depth)
    }

    fn strand_share(&self, depth: usize, strand_bytes: u64) -> u64 {
        let cap = part_of(self.nodes[depth][0].capacity_bytes, self.bounds.mu_permille);
        strand_bytes.min(cap)
    }

    fn is_full(&self, depth: usize, index: usize) -> bool {
        let node = &self.nodes[depth][index];
        let kept = part_of(node.capacity_bytes, 1000 - self.bounds.mu_permille);
        depth > 0 && node.reserved_bytes > kept
    }

    /// Reserves what running `job` needs, anchoring its task `steps` levels below `depth`.
    fn try_reserve(&mut self, worker: usize, job: &Queued, depth: usize, steps: usize) -> bool {
        let target = depth + steps;
        let deeper = target + 1..self.nodes.len();
        if deeper
            .clone()
            .any(|d| self.is_full(d, self.index_of(worker, d)))
        {
            return false;
        }
        if steps > 0 {
            let index = self.index_of(worker, target);
            let node = &mut self.nodes[target][index];
            if job.task_bytes > node.capacity_bytes.saturating_sub(node.reserved_bytes) {
                return false;
            }
            node.reserved_bytes += job.task_bytes;
            self.anchors[job.task] = Anchor {
                depth: target,
                index,
                maximal: true,
            };
        }
        for d in deeper {
            let index = self.index_of(worker, d);
            self.nodes[d][index].reserved_bytes += self.strand_share(d, job.strand_bytes);
        }
        true
    }

    /// Which entry of a stack a worker gets to try.
    ///
    /// A job is out of its queue while somebody tries whether it fits, and back on top afterwards.
    /// With others trying in vain all the time, the entries on top are in their hands more often
    /// than not, and the order of what waits is lost. See "why SB hardly ever meets its own lines"
    /// in the book: a strict stack would be kinder to the cache than the paper's scheduler is.
    fn entry(&mut self, worker: usize, length: usize) -> usize {
        let others = self
            .trying
            .iter()
            .enumerate()
            .filter(|&(w, &t)| t && w != worker)
            .count();
        let held = self.prng.below(others.min(length - 1) as u64 + 1);
        length - 1 - usize::try_from(held).expect("an index of a stack")
    }

    fn get_at(&mut self, worker: usize, depth: usize) -> Option<JobId> {
        let index = self.index_of(worker, depth);
        for steps in 0..self.nodes.len() - depth {
            let Some((stack, entry)) = self.candidate(worker, depth, steps) else {
                continue;
            };
            let job = self.nodes[depth][index].queues[steps][stack][entry];
            if self.try_reserve(worker, &job, depth, steps) {
                self.nodes[depth][index].queues[steps][stack].remove(entry);
                return Some(job.id);
            }
        }
        None
    }

    /// The one job of these queues that the worker gets to try: from its own child's stack, or the
    /// oldest of another's.
    fn candidate(&mut self, worker: usize, depth: usize, steps: usize) -> Option<(usize, usize)> {
        let index = self.index_of(worker, depth);
        let own = if steps == 0 {
            self.child_of(worker, depth)
        } else {
            0
        };
        let own_length = self.nodes[depth][index].queues[steps][own].len();
        if own_length > 0 {
            return Some((own, self.entry(worker, own_length)));
        }
        let stacks = &self.nodes[depth][index].queues[steps];
        let filled = stacks.iter().filter(|stack| !stack.is_empty()).count();
        if filled == 0 {
            return None;
        }
        let chosen = usize::try_from(self.prng.below(filled as u64)).expect("an index of a stack");
        let mut filled = stacks
            .iter()
            .enumerate()
            .filter(|(_, stack)| !stack.is_empty());
        filled.nth(chosen).map(|(stack, _)| (stack, 0))
    }
}

/// So many thousandths of a capacity, without overflow for the memory's.
fn part_of(bytes: u64, permille: u64) -> u64 {
    bytes / 1000 * permille + bytes % 1000 * permille / 1000
}

impl Scheduler for SpaceBounded {
    fn add(&mut self, job: &Job, worker: WorkerId) {
        let root = Anchor {
            depth: 0,
            index: 0,
            maximal: false,
        };
        if job.starts_task {
            let inherited = job.parent.map_or(root, |parent| self.anchors[parent.0]);
            if self.anchors.len() <= job.task.0 {
                self.anchors.resize(job.task.0 + 1, root);
            }
            self.anchors[job.task.0] = Anchor {
                maximal: false,
                ..inherited
            };
        }
        let anchor = self.anchors[job.task.0];
        let steps = if job.starts_task {
            self.befits(job.task_bytes, anchor.depth) - anchor.depth
        } else {
            0
        };
        let child = if steps == 0 {
            self.child_of(worker.0, anchor.depth)
        } else {
            0
        };
        let queued = Queued {
            id: job.id,
            task: job.task.0,
            task_bytes: job.task_bytes,
            strand_bytes: job.strand_bytes,
        };
        self.nodes[anchor.depth][anchor.index].queues[steps][child].push(queued);
        self.queued += 1;
    }

    fn get(&mut self, worker: WorkerId) -> Next {
        if self.queued == 0 {
            self.trying[worker.0] = false;
            return Next::Idle;
        }
        for depth in (0..self.nodes.len()).rev() {
            if let Some(job) = self.get_at(worker.0, depth) {
                self.queued -= 1;
                self.trying[worker.0] = false;
                return Next::Run(job);
            }
            if self.is_full(depth, self.index_of(worker.0, depth)) {
                break;
            }
        }
        self.trying[worker.0] = true;
        Next::Blocked
    }

    fn done(&mut self, job: &Job, worker: WorkerId, task_ended: bool) {
        let anchor = self.anchors[job.task.0];
        for depth in anchor.depth + 1..self.nodes.len() {
            let index = self.index_of(worker.0, depth);
            let share = self.strand_share(depth, job.strand_bytes);
            self.nodes[depth][index].reserved_bytes -= share;
        }
        if task_ended && anchor.maximal {
            self.nodes[anchor.depth][anchor.index].reserved_bytes -= job.task_bytes;
        }
    }

    fn costs(&self, queue_cycles: u64) -> Costs {
        // A locked node or two between the worker and the anchor, on top of the queue itself, and
        // a walk over several queues to find a job.
        Costs {
            add: 2 * queue_cycles,
            get: 4 * queue_cycles,
            done: 2 * queue_cycles,
            steal: 0,
            failed_get: 2 * queue_cycles,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, SpaceBounded, TopQueues, part_of};
    use crate::scheduler::machines::tiny;

    #[test]
    fn half_of_a_small_cache_is_half_of_it() {
        assert_eq!(part_of(4096, 500), 2048);
        assert_eq!(part_of(u64::MAX, 1000), u64::MAX);
    }

    #[test]
    fn a_task_befits_the_smallest_cache_that_it_half_fills() {
        let sb = SpaceBounded::new(&tiny(), Bounds::default(), TopQueues::Shared, 1);
        assert_eq!(sb.befits(2049, 0), 0);
        assert_eq!(sb.befits(2048, 0), 1);
        assert_eq!(sb.befits(513, 0), 1);
        assert_eq!(sb.befits(512, 0), 2);
        // What its parent is anchored to bounds it from above.
        assert_eq!(sb.befits(4000, 1), 1);
    }
}
