//! From the text of a loop to everything that the views show. Field names are those of `--json`.

use std::ops::Range;

use models::pipeline::x86::{LoopError, TextLoop};
use models::pipeline::{
    InstReport, Limit, LoopReport, Machine, PipelineReport, TimelineEntry, simulate_loop,
};
use serde::Serialize;

/// Iterations before counting starts: predictor, caches and queues have settled.
const WARM_UP: u64 = 300;

/// Share of its executions on the critical path from which an instruction counts as critical.
pub(super) const CRITICAL_SHARE: f64 = 0.25;

/// Share of the longest E→R distance up to which a distance counts as short.
pub(super) const SHORT_SHARE: f64 = 0.1;

/// What to analyse.
#[derive(Debug, Clone)]
pub struct Request<'text> {
    /// Name of the text, for headings.
    pub name: &'text str,
    /// The loop, in Intel or AT&T syntax.
    pub text: &'text str,
    /// The core.
    pub machine: &'static Machine,
    /// Iterations to count.
    pub iterations: u64,
    /// Counted iterations whose instructions are followed one by one.
    pub followed: Range<u64>,
}

/// The outcome, ready to be shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Analysis {
    /// Version of this format.
    pub schema_version: u32,
    /// Name of the text.
    pub name: String,
    /// Name of the machine on the command line.
    pub machine: &'static str,
    /// Name of the machine for people.
    pub machine_title: &'static str,
    /// Iterations counted.
    pub iterations: u64,
    /// Cycles per iteration at steady state.
    pub cycles_per_iteration: f64,
    /// Instructions per cycle.
    pub instructions_per_cycle: f64,
    /// Mispredicted branches per iteration, the warm-up included.
    pub mispredicts_per_iteration: f64,
    /// The limit with the largest share: code, throughput, data or latency.
    pub limit: &'static str,
    /// Percent of the cycles per limit; adds up to 100.
    pub split: Split,
    /// Use of the ports.
    pub ports: Vec<PortUse>,
    /// The loop's instructions.
    pub instructions: Vec<Line>,
    /// Instructions that the table has no figures for, with the line they stand in.
    pub unknown: Vec<String>,
    /// Branches of the followed run that were decided without known flags.
    pub unknown_branches: u64,
    /// The followed iterations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<Event>,
}

/// Percent per limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Split {
    /// Predictability of code.
    pub code: f64,
    /// Execution throughput.
    pub throughput: f64,
    /// Predictability of data.
    pub data: f64,
    /// Execution latency.
    pub latency: f64,
}

impl Split {
    /// The share of one limit.
    pub fn of(&self, limit: Limit) -> f64 {
        match limit {
            Limit::Code => self.code,
            Limit::Throughput => self.throughput,
            Limit::Data => self.data,
            Limit::Latency => self.latency,
        }
    }
}

/// One port.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PortUse {
    /// Its maker's name.
    pub port: &'static str,
    /// Micro-operations per iteration.
    pub uops_per_iteration: f64,
}

/// One instruction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Line of the text, from 1.
    pub line: usize,
    /// As it stands there.
    pub text: String,
    /// Executions.
    pub executions: u64,
    /// Average cycles from its last value to its retirement.
    pub er_distance: f64,
    /// Whether the rule of the short E→R distance names it.
    pub short_er: bool,
    /// Whether it is on the exact critical path.
    pub critical: bool,
    /// Times per execution that the critical path goes through it.
    pub on_path: f64,
    /// Cycles of the critical path that it takes, per execution.
    pub path_cycles: f64,
    /// Whether it is fused with the jump after it, whose figures it shares.
    pub fused_with_next: bool,
    /// Average cycles of waiting for values.
    pub wait_operands: f64,
    /// Average cycles of waiting for a free port.
    pub wait_port: f64,
    /// Average cycles of waiting for data beyond the first-level cache.
    pub wait_memory: f64,
    /// Average cycles for which the front end let dispatch wait before it.
    pub wait_front_end: f64,
    /// Average cycles for which a full queue let dispatch wait before it.
    pub wait_window: f64,
    /// Micro-operations per execution and port.
    pub ports: Vec<f64>,
}

/// One executed instruction in the followed iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Iteration, counted from the first followed one.
    pub iteration: u64,
    /// Index into the instructions.
    pub instruction: usize,
    /// Cycle of dispatch.
    pub dispatched: u64,
    /// Cycle from which on all values were there.
    pub ready: u64,
    /// Cycle of issue.
    pub issued: u64,
    /// Cycle in which its last value was there.
    pub completed: u64,
    /// Cycle of retirement.
    pub retired: u64,
}

impl Event {
    /// The same event with `start` as cycle 0.
    pub(super) fn since(&self, start: u64) -> Self {
        Self {
            dispatched: self.dispatched - start,
            ready: self.ready.saturating_sub(start),
            issued: self.issued - start,
            completed: self.completed - start,
            retired: self.retired - start,
            ..*self
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of a simulation stay far below 2^53"
)]
pub(super) fn ratio(sum: u64, count: u64) -> f64 {
    if count == 0 {
        0.0
    } else {
        sum as f64 / count as f64
    }
}

/// Simulates the loop and sums up.
///
/// # Errors
///
/// If the text is not a loop; see [`LoopError`].
pub fn analyze(request: &Request) -> Result<Analysis, LoopError> {
    let text = TextLoop::parse(request.text)?;
    let built = text.build(request.machine);
    let (steps, unknown_branches) = text.steps(WARM_UP + request.iterations)?;
    let last = u32::try_from(text.body.len() - 1).unwrap_or(u32::MAX);
    let mut ends = vec![0];
    ends.extend(
        (1..)
            .zip(&steps)
            .filter(|(_, step)| step.inst == last)
            .map(|(n, _)| n),
    );
    let end_of = |iteration: u64| {
        let at = usize::try_from(WARM_UP + iteration).unwrap_or(usize::MAX);
        ends.get(at).or(ends.last()).copied().unwrap_or(0)
    };
    let timeline = end_of(request.followed.start)..end_of(request.followed.end);
    let report = simulate_loop(
        request.machine,
        &built.program,
        WARM_UP,
        request.iterations,
        timeline,
        steps.into_iter(),
    );
    let unknown = built.unknown.iter().map(|unknown| {
        let line = text
            .body
            .get(unknown.inst as usize)
            .map_or(0, |line| line.line);
        format!("line {line}: {}", unknown.name)
    });
    let mut analysis = summary(request, &report);
    analysis.unknown = unknown.collect();
    analysis.unknown_branches = unknown_branches;
    analysis.instructions = lines(&text, &built.program, request.machine, &report.run);
    analysis.timeline = events(&report.run.timeline, last);
    Ok(analysis)
}

fn summary(request: &Request, report: &LoopReport) -> Analysis {
    let run = &report.run;
    let percent = |limit| 100.0 * ratio(run.split.of(limit), run.cycles);
    let ports = request
        .machine
        .port_names
        .iter()
        .zip(&run.ports)
        .map(|(port, &uops)| PortUse {
            port,
            uops_per_iteration: ratio(uops, report.iterations),
        });
    Analysis {
        schema_version: 1,
        name: request.name.to_string(),
        machine: request.machine.name,
        machine_title: request.machine.title,
        iterations: report.iterations,
        cycles_per_iteration: report.cycles_per_iteration,
        instructions_per_cycle: ratio(run.instructions, run.cycles),
        mispredicts_per_iteration: ratio(run.mispredicts, report.iterations + WARM_UP),
        limit: run.split.largest().name(),
        split: Split {
            code: percent(Limit::Code),
            throughput: percent(Limit::Throughput),
            data: percent(Limit::Data),
            latency: percent(Limit::Latency),
        },
        ports: ports.collect(),
        instructions: Vec::new(),
        unknown: Vec::new(),
        unknown_branches: 0,
        timeline: Vec::new(),
    }
}

fn lines(
    text: &TextLoop,
    program: &models::pipeline::Program,
    machine: &Machine,
    run: &PipelineReport,
) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (index, source) in text.body.iter().enumerate() {
        let fused = program.insts[index].fused_into_next;
        // A fused pair is one to the core: both lines show the figures of the jump.
        let figures = &run.instructions_by_index[index + usize::from(fused)];
        lines.push(line(source.line, &source.text, fused, machine, figures));
    }
    let longest = lines
        .iter()
        .map(|line| line.er_distance)
        .fold(0.0, f64::max);
    for line in &mut lines {
        line.short_er = line.executions > 0 && line.er_distance <= SHORT_SHARE * longest;
    }
    lines
}

fn line(number: usize, text: &str, fused: bool, machine: &Machine, figures: &InstReport) -> Line {
    let each = |sum| ratio(sum, figures.executions);
    let on_path = each(figures.on_path);
    Line {
        line: number,
        text: text.to_string(),
        executions: figures.executions,
        er_distance: each(figures.executed_to_retired),
        short_er: false,
        critical: on_path >= CRITICAL_SHARE,
        on_path,
        path_cycles: each(figures.path.total()),
        fused_with_next: fused,
        wait_operands: each(figures.wait_operands),
        wait_port: each(figures.wait_port),
        wait_memory: each(figures.wait_memory),
        wait_front_end: each(figures.wait_front_end),
        wait_window: each(figures.wait_window),
        ports: figures.ports[..machine.port_names.len()]
            .iter()
            .map(|&uops| each(uops))
            .collect(),
    }
}

fn events(timeline: &[TimelineEntry], last: u32) -> Vec<Event> {
    let mut iteration = 0;
    let mut events = Vec::new();
    for entry in timeline {
        events.push(Event {
            iteration,
            instruction: entry.inst as usize,
            dispatched: entry.dispatched,
            ready: entry.ready,
            issued: entry.issued,
            completed: entry.completed,
            retired: entry.retired,
        });
        iteration += u64::from(entry.inst == last);
    }
    events
}
