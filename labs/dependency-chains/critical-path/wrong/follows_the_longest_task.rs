//! Goes on with the task that takes longest itself, whatever waits behind it.

use std::cmp::Reverse;

use crate::{Graph, Plan, run_on};

pub(crate) fn plan(graph: &Graph, machines: usize) -> Plan {
    let minutes: Vec<u64> = graph.tasks.iter().map(|task| task.minutes).collect();
    let longest = |task: &usize| (minutes[*task], Reverse(*task));
    let mut followed = vec![false; graph.tasks.len()];
    for &next in graph.tasks.iter().flat_map(|task| &task.leads_to) {
        followed[next] = true;
    }
    let mut next = (0..graph.tasks.len())
        .filter(|&task| !followed[task])
        .max_by_key(longest);
    let mut chain = Vec::new();
    while let Some(task) = next {
        chain.push(task);
        next = graph.tasks[task]
            .leads_to
            .iter()
            .copied()
            .max_by_key(longest);
    }
    Plan {
        chain_minutes: chain.iter().map(|&task| minutes[task]).sum(),
        finished_minutes: run_on(graph, machines, &minutes),
        chain,
    }
}
