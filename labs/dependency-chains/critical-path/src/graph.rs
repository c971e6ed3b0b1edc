//! A graph of tasks, and what there is to find out about it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lab_kit::Seed;

/// A task: how long it takes, and which tasks wait for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// How long it takes, in minutes.
    pub minutes: u64,
    /// Numbers of the tasks that cannot start before it is done.
    pub leads_to: Vec<usize>,
}

impl Task {
    /// A task of `minutes` that the tasks of these numbers wait for.
    pub fn new(minutes: u64, leads_to: impl Into<Vec<usize>>) -> Self {
        Self {
            minutes,
            leads_to: leads_to.into(),
        }
    }
}

/// Tasks without a circle among them. Their numbers say nothing about their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The tasks, by number.
    pub tasks: Vec<Task>,
}

/// What a planner finds out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Minutes of the longest chain: no number of machines is faster.
    pub chain_minutes: u64,
    /// The longest chain. Among equally long continuations the lower number is taken.
    pub chain: Vec<usize>,
    /// Minutes until the last task is done on the given machines.
    pub finished_minutes: u64,
}

lab_kit::compare_fields!(Plan: chain_minutes, finished_minutes, chain);

impl Graph {
    /// The graph of these tasks.
    pub fn new(tasks: Vec<Task>) -> Self {
        Self { tasks }
    }

    /// Layers of `width` tasks, each of which leads to all of the next layer. The tasks take
    /// `minutes`, or between 1 and 9 when that is 0, and are numbered in random order.
    pub fn layers(layers: usize, width: usize, minutes: u64, seed: &mut Seed) -> Self {
        let mut numbers: Vec<usize> = (0..layers * width).collect();
        seed.shuffle(&mut numbers);
        let mut tasks = vec![Task::new(0, []); layers * width];
        for (place, &number) in numbers.iter().enumerate() {
            let next = (place / width + 1) * width;
            let followers = numbers.get(next..next + width).unwrap_or_default();
            let drawn = seed.between(1, 9) as u64;
            let taken = if minutes == 0 { drawn } else { minutes };
            tasks[number] = Task::new(taken, followers);
        }
        Self { tasks }
    }

    /// As many tasks of 1 to 9 minutes, in random order; each leads to a third of those after it.
    pub fn scattered(count: usize, seed: &mut Seed) -> Self {
        let mut numbers: Vec<usize> = (0..count).collect();
        seed.shuffle(&mut numbers);
        let mut tasks = vec![Task::new(0, []); count];
        for (place, &number) in numbers.iter().enumerate() {
            let minutes = seed.between(1, 9) as u64;
            let after = numbers[place + 1..].iter().copied();
            let followers: Vec<usize> = after.filter(|_| seed.one_in(3)).collect();
            tasks[number] = Task::new(minutes, followers);
        }
        Self { tasks }
    }
}

/// Minutes until the last task is done on so many machines, if a free machine always takes the
/// ready task with the highest of `priorities`, the lower number among equals.
pub fn run_on(graph: &Graph, machines: usize, priorities: &[u64]) -> u64 {
    let mut waits_for = vec![0; graph.tasks.len()];
    for &task in graph.tasks.iter().flat_map(|task| &task.leads_to) {
        waits_for[task] += 1;
    }
    let entry = |task: usize| (priorities[task], Reverse(task));
    let ready = (0..graph.tasks.len()).filter(|&task| waits_for[task] == 0);
    let mut ready: BinaryHeap<_> = ready.map(entry).collect();
    let mut running = BinaryHeap::new();
    let mut now = 0;
    loop {
        while running.len() < machines
            && let Some((_, Reverse(task))) = ready.pop()
        {
            running.push(Reverse((now + graph.tasks[task].minutes, task)));
        }
        let Some(Reverse((done, task))) = running.pop() else {
            return now;
        };
        now = done;
        for &next in &graph.tasks[task].leads_to {
            waits_for[next] -= 1;
            if waits_for[next] == 0 {
                ready.push(entry(next));
            }
        }
    }
}
