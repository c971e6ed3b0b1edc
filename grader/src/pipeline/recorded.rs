//! Recorded executions of real code on a model core. Field names are those of `--json`.

pub mod chains;
pub mod diagram;
pub mod text;

use std::collections::BTreeMap;
use std::path::Path;

use models::pipeline::x86::{Built, RecordedCode};
use models::pipeline::{Core, InstReport, Limit, Limits, Machine, PipelineReport, Program, Step};
use serde::{Deserialize, Serialize};

use super::analysis::{CRITICAL_SHARE, SHORT_SHARE, Split, ratio};
use crate::profile::source_line::{SourceLine, source_line};
use crate::tracer::trace::{Code, Trace};
use chains::Chain;

/// Share of its chain's cycles from which an instruction counts as critical, however often the path
/// passes it by.
const CRITICAL_CYCLES: f64 = 0.1;

/// Which part of a run was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Instructions recorded and simulated.
    pub instructions: u64,
    /// Instructions that ran in the function, recorded or not.
    pub instructions_in_all: u64,
    /// Calls whose beginning was recorded.
    pub calls: u64,
    /// Calls of the function.
    pub calls_in_all: u64,
    /// Calls let pass before.
    pub skipped_calls: u64,
    /// Instructions let pass before.
    pub skipped_instructions: u64,
}

/// Use of a port.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PortShare {
    /// Its maker's name.
    pub port: &'static str,
    /// Micro-operations per cycle: the share of the cycles in which it was used.
    pub uops_per_cycle: f64,
}

/// An instruction without figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnknownUse {
    /// Its mnemonic and form.
    pub name: String,
    /// How often it was executed.
    pub executions: u64,
}

/// One instruction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordedLine {
    /// Where the object file has it, or the process if that is not known.
    pub address: u64,
    /// As a disassembler shows it.
    pub text: String,
    /// Where it comes from.
    #[serde(flatten)]
    pub source: SourceLine,
    /// Executions.
    pub executions: u64,
    /// Average cycles from its last value to its retirement.
    pub er_distance: f64,
    /// Whether the rule of the short E→R distance names it, within its chain's code.
    pub short_er: bool,
    /// Whether it is on the exact critical path: in a quarter of its executions or with a tenth of
    /// its chain's cycles.
    pub critical: bool,
    /// Times per execution that the critical path goes through it.
    pub on_path: f64,
    /// Cycles of the critical path that it takes, in all.
    pub path_cycles: u64,
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
}

/// The outcome, ready to be shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordedAnalysis {
    /// Version of this format.
    pub schema_version: u32,
    /// What was recorded.
    pub name: String,
    /// Name of the machine on the command line.
    pub machine: &'static str,
    /// Name of the machine for people.
    pub machine_title: &'static str,
    /// Cycles, from empty caches and an empty predictor on.
    pub cycles: u64,
    /// Instructions per cycle.
    pub ipc: f64,
    /// Branches executed.
    pub branches: u64,
    /// Branches mispredicted.
    pub mispredicts: u64,
    /// The limit with the largest share: code, throughput, data or latency.
    pub limit: &'static str,
    /// Percent of the cycles per limit; adds up to 100.
    pub split: Split,
    /// Use of the ports.
    pub ports: Vec<PortShare>,
    /// What was recorded of the run.
    pub coverage: Coverage,
    /// The code that the critical path goes through, in pieces, hottest first.
    pub chains: Vec<Chain>,
    /// The instructions, in order of their addresses.
    pub instructions: Vec<RecordedLine>,
    /// Instructions that the table has no figures for, most executed first.
    pub unknown: Vec<UnknownUse>,
}

/// Cycles of the critical path that belong to an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathCost {
    /// The object file that holds the instruction.
    pub object: String,
    /// The instruction's address within the object.
    pub address: u64,
    /// The cycles.
    pub cycles: u64,
}

/// A recording, decoded and split for one machine.
#[derive(Debug)]
pub struct Recording {
    code: RecordedCode,
    built: Built,
    /// The executions.
    pub steps: Vec<Step>,
    machine: &'static Machine,
}

impl Recording {
    /// Decodes `trace` for `machine`.
    ///
    /// # Errors
    ///
    /// If the trace is not what the tool writes.
    pub fn new(machine: &'static Machine, trace: &Trace) -> Result<Self, String> {
        let bytes: Vec<(u32, u64, Vec<u8>)> = trace
            .code
            .values()
            .map(|code| (code.number, code.address, code.encoding()))
            .collect();
        let parts: Vec<(u32, u64, &[u8])> = bytes
            .iter()
            .map(|(number, address, bytes)| (*number, *address, bytes.as_slice()))
            .collect();
        let code = RecordedCode::decode(&parts);
        let built = code.build(machine);
        let steps = code.steps(&built.program, &trace.steps()?);
        Ok(Self {
            code,
            built,
            steps,
            machine,
        })
    }

    /// Runs the executions through the core; `limits` says what to collect.
    #[must_use]
    pub fn run(&self, limits: Limits) -> PipelineReport {
        let core = Core::new(self.machine, &self.built.program, limits);
        core.run(self.steps.iter().copied())
    }

    /// The instructions without figures that were executed, most executed first.
    #[must_use]
    pub fn unknown(&self) -> Vec<UnknownUse> {
        let mut executions = vec![0_u64; self.built.program.insts.len()];
        for step in &self.steps {
            executions[step.inst as usize] += 1;
        }
        let mut uses: BTreeMap<&str, u64> = BTreeMap::new();
        for unknown in &self.built.unknown {
            *uses.entry(&unknown.name).or_default() += executions[unknown.inst as usize];
        }
        let mut uses: Vec<UnknownUse> = uses
            .into_iter()
            .filter(|&(_, executions)| executions > 0)
            .map(|(name, executions)| UnknownUse {
                name: name.to_owned(),
                executions,
            })
            .collect();
        uses.sort_by_key(|unknown| std::cmp::Reverse(unknown.executions));
        uses
    }

    /// The cycles of a run by instruction; they add up to all of it.
    #[must_use]
    pub fn path_costs(&self, trace: &Trace, run: &PipelineReport) -> Vec<PathCost> {
        let by_address = by_address(trace);
        let places = self
            .code
            .instructions
            .iter()
            .zip(&run.instructions_by_index);
        places
            .filter(|(_, figures)| figures.path.total() > 0)
            .map(|(instruction, figures)| {
                let code = by_address.get(&instruction.ip());
                let object = code.and_then(|code| code.object.clone());
                let in_object = code.and_then(|code| code.object_address);
                PathCost {
                    object: object.unwrap_or_default(),
                    address: in_object.unwrap_or(instruction.ip()),
                    cycles: figures.path.total(),
                }
            })
            .collect()
    }

    fn program(&self) -> &Program {
        &self.built.program
    }
}

/// Sums up a run of `recording`, which was made from `trace`; `here` shortens the names of files.
#[must_use]
pub fn summary(
    name: String,
    recording: &Recording,
    trace: &Trace,
    coverage: Coverage,
    run: &PipelineReport,
    here: &Path,
) -> RecordedAnalysis {
    let machine = recording.machine;
    let mut instructions = lines(recording, trace, run, here);
    let chains = chains::chains(recording, &instructions, run.cycles);
    for chain in &chains {
        let of_chain = || chain.instructions.iter().copied();
        let longest = of_chain().map(|at| instructions[at].er_distance);
        let longest = longest.fold(0.0, f64::max);
        for at in of_chain() {
            let line = &mut instructions[at];
            line.short_er = line.executions > 0 && line.er_distance <= SHORT_SHARE * longest;
            // Of many loads that miss together, the path goes through each now and then only.
            line.critical |= ratio(line.path_cycles, chain.cycles) >= CRITICAL_CYCLES;
        }
    }
    let percent = |limit| 100.0 * ratio(run.split.of(limit), run.cycles);
    let ports = machine.port_names.iter().zip(&run.ports);
    RecordedAnalysis {
        schema_version: 1,
        name,
        machine: machine.name,
        machine_title: machine.title,
        cycles: run.cycles,
        ipc: ratio(run.instructions, run.cycles),
        branches: run.branches,
        mispredicts: run.mispredicts,
        limit: run.split.largest().name(),
        split: Split {
            code: percent(Limit::Code),
            throughput: percent(Limit::Throughput),
            data: percent(Limit::Data),
            latency: percent(Limit::Latency),
        },
        ports: ports
            .map(|(port, &uops)| PortShare {
                port,
                uops_per_cycle: ratio(uops, run.cycles),
            })
            .collect(),
        coverage,
        chains,
        instructions,
        unknown: recording.unknown(),
    }
}

fn by_address(trace: &Trace) -> BTreeMap<u64, &Code> {
    let code = trace.code.values();
    code.map(|code| (code.address, code)).collect()
}

fn lines(
    recording: &Recording,
    trace: &Trace,
    run: &PipelineReport,
    here: &Path,
) -> Vec<RecordedLine> {
    let by_address = by_address(trace);
    let texts = recording.code.texts();
    let mut lines = Vec::new();
    for (index, (instruction, text)) in recording.code.instructions.iter().zip(texts).enumerate() {
        let fused = recording.program().insts[index].fused_into_next;
        // A fused pair is one to the core: both lines show the figures of the jump.
        let figures = &run.instructions_by_index[index + usize::from(fused)];
        let code = by_address.get(&instruction.ip());
        let in_object = code.and_then(|code| code.object_address);
        let address = in_object.unwrap_or(instruction.ip());
        let frames = code.map(|code| code.frames.as_slice()).unwrap_or_default();
        let object = code.and_then(|code| code.object.as_deref());
        let source = source_line(frames, address, object, here);
        let mut line = line(address, text, source, figures);
        if fused {
            line.fused_with_next = true;
            line.path_cycles = 0;
            line.executions = run.instructions_by_index[index].executions;
        }
        lines.push(line);
    }
    lines
}

fn line(address: u64, text: String, source: SourceLine, figures: &InstReport) -> RecordedLine {
    let each = |sum| ratio(sum, figures.executions);
    let on_path = each(figures.on_path);
    RecordedLine {
        address,
        text,
        source,
        executions: figures.executions,
        er_distance: each(figures.executed_to_retired),
        short_er: false,
        critical: on_path >= CRITICAL_SHARE,
        on_path,
        path_cycles: figures.path.total(),
        fused_with_next: false,
        wait_operands: each(figures.wait_operands),
        wait_port: each(figures.wait_port),
        wait_memory: each(figures.wait_memory),
        wait_front_end: each(figures.wait_front_end),
        wait_window: each(figures.wait_window),
    }
}
