//! Takes the tasks from the highest number down, as if every task led to higher numbers only.

use std::cmp::Reverse;

use crate::{Graph, Plan, run_on};

pub(crate) fn plan(graph: &Graph, machines: usize) -> Plan {
    let mut remaining = vec![0; graph.tasks.len()];
    for number in (0..graph.tasks.len()).rev() {
        let task = &graph.tasks[number];
        let behind = task.leads_to.iter().map(|&next| remaining[next]).max();
        remaining[number] = task.minutes + behind.unwrap_or(0);
    }
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
