//! The critical path of a graph of tasks, and how long the tasks take on so many machines.
//!
//! A task starts when all tasks that lead to it are done and a machine is free. A free machine takes
//! the task with the longest chain behind it (list scheduling; Graham, Bounds on Multiprocessing
//! Timing Anomalies, 1969).

mod baseline;
mod graph;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

pub use graph::{Graph, Plan, Task, run_on};

use lab_kit::{Case, Lab, Seed};

/// `plan(graph, machines)` finds the critical chain, and the time on so many machines.
pub type Planner = fn(&Graph, usize) -> Plan;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct CriticalPath;

impl Lab for CriticalPath {
    type Input = (Graph, usize);
    type Output = Plan;
    type Function = Planner;

    const BASELINE: Planner = baseline::plan;
    const SOLUTION: Planner = solution::plan;

    fn call(plan: Planner, (graph, machines): &mut Self::Input) -> Plan {
        plan(graph, *machines)
    }

    fn examples() -> Vec<Case<Self::Input>> {
        vec![
            Case::new("delivery on one machine", (delivery(), 1)),
            Case::new("delivery on two machines", (delivery(), 2)),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        let alone = Graph::new(vec![Task::new(7, [])]);
        let mut cases = vec![
            Case::new("no tasks", (Graph::new(vec![]), 1)),
            Case::new("one task", (alone, 3)),
            Case::new(
                "nothing waits for anything",
                (Graph::layers(1, 9, 0, seed), 4),
            ),
            Case::new("one long chain", (Graph::layers(14, 1, 0, seed), 2)),
            Case::new("equally long chains", (Graph::layers(4, 3, 1, seed), 2)),
        ];
        for tasks in [5, 9, 13] {
            let machines = seed.between(1, 3);
            let name = format!("{tasks} tasks, some of which wait, on {machines} machines");
            cases.push(Case::new(name, (Graph::scattered(tasks, seed), machines)));
        }
        for (layers, width) in [(3, 5), (6, 3), (7, 2)] {
            let machines = seed.between(1, 4);
            let name = format!("{layers} layers of {width} on {machines} machines");
            cases.push(Case::new(
                name,
                (Graph::layers(layers, width, 0, seed), machines),
            ));
        }
        cases
    }

    /// Eleven layers of three: 177147 paths through 33 tasks.
    fn metered() -> Self::Input {
        (Graph::layers(11, 3, 0, &mut Seed::new(311)), 2)
    }
}

/// A delivery pipeline: from a commit to a release. The last two steps wait for everything.
fn delivery() -> Graph {
    Graph::new(vec![
        Task::new(1, [1, 2, 3]), // 0: check out
        Task::new(2, [8]),       // 1: check the style
        Task::new(6, [4, 5, 6]), // 2: build
        Task::new(3, [7]),       // 3: build the documentation
        Task::new(4, [8]),       // 4: unit tests
        Task::new(7, [8]),       // 5: integration tests
        Task::new(5, [7]),       // 6: pack an image
        Task::new(3, [8]),       // 7: scan for known weaknesses
        Task::new(2, [9]),       // 8: deploy for a trial
        Task::new(3, []),        // 9: release
    ])
}
