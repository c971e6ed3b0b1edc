//! Reports the critical path as the time on any number of machines.

use std::cmp::Reverse;

use crate::{Graph, Plan};

pub(crate) fn plan(graph: &Graph, _machines: usize) -> Plan {
    let mut known = vec![None; graph.tasks.len()];
    let mut chain = Vec::new();
    let all: Vec<usize> = (0..graph.tasks.len()).collect();
    let mut next = longest(graph, &all, &mut known);
    while let Some(task) = next {
        chain.push(task);
        next = longest(graph, &graph.tasks[task].leads_to, &mut known);
    }
    let chain_minutes = chain.iter().map(|&task| graph.tasks[task].minutes).sum();
    Plan {
        chain_minutes,
        finished_minutes: chain_minutes,
        chain,
    }
}

fn longest(graph: &Graph, tasks: &[usize], known: &mut Vec<Option<u64>>) -> Option<usize> {
    let mut best = None;
    for &task in tasks {
        best = best.max(Some((remaining(graph, task, known), Reverse(task))));
    }
    best.map(|(_, Reverse(task))| task)
}

fn remaining(graph: &Graph, number: usize, known: &mut Vec<Option<u64>>) -> u64 {
    if let Some(minutes) = known[number] {
        return minutes;
    }
    let task = &graph.tasks[number];
    let behind = task
        .leads_to
        .iter()
        .map(|&next| remaining(graph, next, known));
    let minutes = task.minutes + behind.max().unwrap_or(0);
    known[number] = Some(minutes);
    minutes
}
