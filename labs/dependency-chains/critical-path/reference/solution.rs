//! One number per task, found once, after those of the tasks that it leads to.

use std::cmp::Reverse;

use crate::{Graph, Plan, run_on};

// ANCHOR: plan
/// The critical chain of `graph`, and the time it takes on so many machines.
pub(crate) fn plan(graph: &Graph, machines: usize) -> Plan {
    let remaining = remaining(graph);
    let longest = |task: &usize| (remaining[*task], Reverse(*task));
    let mut chain = Vec::new();
    let mut next = (0..graph.tasks.len()).max_by_key(longest);
    while let Some(task) = next {
        chain.push(task);
        next = graph.tasks[task]
            .leads_to
            .iter()
            .copied()
            .max_by_key(longest);
    }
    Plan {
        chain_minutes: chain.first().map_or(0, |&first| remaining[first]),
        finished_minutes: run_on(graph, machines, &remaining),
        chain,
    }
}

/// For every task, the minutes from its start to the end of the longest chain that begins with it.
fn remaining(graph: &Graph) -> Vec<u64> {
    let mut remaining = vec![0; graph.tasks.len()];
    // A task goes on the list twice: to have its followers visited, and to be summed up after them.
    // Every task takes time, so 0 means that it has not been summed up.
    let mut list: Vec<(usize, bool)> = (0..graph.tasks.len()).map(|task| (task, false)).collect();
    while let Some((number, visited)) = list.pop() {
        let task = &graph.tasks[number];
        if visited {
            let behind = task.leads_to.iter().map(|&next| remaining[next]).max();
            remaining[number] = task.minutes + behind.unwrap_or(0);
        } else if remaining[number] == 0 {
            list.push((number, true));
            let unknown = task.leads_to.iter().filter(|&&next| remaining[next] == 0);
            list.extend(unknown.map(|&next| (next, false)));
        }
    }
    remaining
}
// ANCHOR_END: plan
