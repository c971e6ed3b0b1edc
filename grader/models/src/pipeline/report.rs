//! What a run yields: per instruction, per port, and for the whole.

use alloc::vec::Vec;

use super::core_model::Limits;
use super::critical_path::{self, Limit, PathStep};
use super::inst::Program;
use super::machine::Machine;
use super::uop::{Cycle, Work};
use super::window::{DispatchCause, HISTORY, NOBODY, Sequence, Window};

/// Cycles per limit; they add up to the run time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SplitCycles {
    /// Predictability of code.
    pub code: Cycle,
    /// Execution throughput.
    pub throughput: Cycle,
    /// Predictability of data.
    pub data: Cycle,
    /// Execution latency.
    pub latency: Cycle,
}

impl SplitCycles {
    /// The cycles of one limit.
    #[must_use]
    pub const fn of(&self, limit: Limit) -> Cycle {
        match limit {
            Limit::Code => self.code,
            Limit::Throughput => self.throughput,
            Limit::Data => self.data,
            Limit::Latency => self.latency,
        }
    }

    /// Their sum.
    #[must_use]
    pub const fn total(&self) -> Cycle {
        self.code + self.throughput + self.data + self.latency
    }

    /// The limit with the most cycles, the first of the book's order among equals.
    #[must_use]
    pub fn largest(&self) -> Limit {
        let mut best = Limit::Code;
        for limit in Limit::ALL {
            if self.of(limit) > self.of(best) {
                best = limit;
            }
        }
        best
    }

    fn add(&mut self, limit: Limit, cycles: Cycle) {
        *match limit {
            Limit::Code => &mut self.code,
            Limit::Throughput => &mut self.throughput,
            Limit::Data => &mut self.data,
            Limit::Latency => &mut self.latency,
        } += cycles;
    }
}

/// What one instruction did and waited for, in sums over its executions.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct InstReport {
    /// Executions.
    pub executions: u64,
    /// Cycles from having executed to retirement: the E→R distance.
    pub executed_to_retired: Cycle,
    /// Cycles of waiting for values, other than from loads that missed.
    pub wait_operands: Cycle,
    /// Cycles of waiting for a free port.
    pub wait_port: Cycle,
    /// Cycles of waiting for data beyond the first-level cache, its own or its producer's.
    pub wait_memory: Cycle,
    /// Cycles for which dispatch stood still for the front end just before it.
    pub wait_front_end: Cycle,
    /// Cycles for which dispatch stood still for a full queue just before it.
    pub wait_window: Cycle,
    /// Cycles of the critical path spent here.
    pub path: SplitCycles,
    /// Times that the critical path went through its execution.
    pub on_path: u64,
    /// Micro-operations issued per port.
    pub ports: [u64; 16],
}

/// When one executed instruction passed the stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimelineEntry {
    /// Its number in the stream.
    pub step: u64,
    /// Which instruction of the program.
    pub inst: u32,
    /// When its first micro-operation entered the window.
    pub dispatched: Cycle,
    /// When its last micro-operation had all values.
    pub ready: Cycle,
    /// When its last micro-operation was issued.
    pub issued: Cycle,
    /// When its last value was there.
    pub completed: Cycle,
    /// When it left the window.
    pub retired: Cycle,
}

/// The outcome of a run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PipelineReport {
    /// Cycles, after the warm-up.
    pub cycles: Cycle,
    /// Executed instructions, after the warm-up.
    pub instructions: u64,
    /// Slots retired, after the warm-up.
    pub slots: u64,
    /// Branches, the warm-up included.
    pub branches: u64,
    /// Mispredicted branches, the warm-up included.
    pub mispredicts: u64,
    /// The run time by limit; adds up to `cycles`.
    pub split: SplitCycles,
    /// One per instruction of the program.
    pub instructions_by_index: Vec<InstReport>,
    /// Micro-operations issued per port.
    pub ports: Vec<u64>,
    /// The requested range.
    pub timeline: Vec<TimelineEntry>,
    /// Retirements of the marked instruction, the warm-up included.
    pub marks: Vec<Cycle>,
}

/// Collects while the core runs.
pub(super) struct Collector {
    limits: Limits,
    report: PipelineReport,
    steps_retired: u64,
    /// The path is known up to here.
    walked: Sequence,
    walked_cycle: Cycle,
    current: Option<TimelineEntry>,
    last: Sequence,
    previous_dispatch: Cycle,
}

impl Collector {
    pub(super) fn new(machine: &Machine, program: &Program, limits: Limits) -> Self {
        let report = PipelineReport {
            instructions_by_index: alloc::vec![InstReport::default(); program.insts.len()],
            ports: alloc::vec![0; machine.port_names.len()],
            ..PipelineReport::default()
        };
        Self {
            limits,
            report,
            steps_retired: 0,
            walked: 0,
            walked_cycle: 0,
            current: None,
            last: NOBODY,
            previous_dispatch: 0,
        }
    }

    /// Micro-operation `sequence` has just retired.
    pub(super) fn retired(&mut self, sequence: Sequence, program: &Program, window: &Window) {
        let flight = window.get(sequence);
        self.last = sequence;
        let entry = self.current.get_or_insert(TimelineEntry {
            step: flight.step,
            inst: flight.inst,
            dispatched: flight.dispatched,
            ready: flight.ready,
            issued: flight.issued,
            completed: flight.completed,
            retired: flight.retired,
        });
        entry.completed = entry.completed.max(flight.completed);
        entry.retired = flight.retired;
        if flight.issued >= entry.issued {
            (entry.issued, entry.ready) = (flight.issued, flight.ready);
        }
        let counting = flight.step >= self.limits.skip_steps;
        if counting {
            self.count(sequence, program, window);
        }
        self.previous_dispatch = flight.dispatched;
        if flight.last_of_inst {
            self.finish_inst(counting, program);
        }
        if sequence + 1 - self.walked >= HISTORY {
            self.walk(program, window);
        }
    }

    fn count(&mut self, sequence: Sequence, program: &Program, window: &Window) {
        let flight = window.get(sequence);
        let uop = &program.uops[flight.uop as usize];
        let inst = &mut self.report.instructions_by_index[flight.inst as usize];
        self.report.slots += u64::from(flight.opens_slot);
        if uop.work != Work::Nothing {
            self.report.ports[usize::from(flight.port)] += 1;
            inst.ports[usize::from(flight.port)] += 1;
            let waited = flight.ready.saturating_sub(flight.dispatched + 1);
            let for_memory = if flight.producer == NOBODY || flight.producer < self.walked {
                0
            } else {
                Cycle::from(window.get(flight.producer).miss_cycles).min(waited)
            };
            inst.wait_memory += for_memory + Cycle::from(flight.miss_cycles);
            inst.wait_operands += waited - for_memory;
            inst.wait_port += flight.issued.saturating_sub(flight.ready);
        }
        let still = flight.dispatched.saturating_sub(self.previous_dispatch + 1);
        match flight.cause {
            DispatchCause::Fetch | DispatchCause::CodeMiss | DispatchCause::Mispredict(_) => {
                inst.wait_front_end += still;
            }
            DispatchCause::ReorderFull(_)
            | DispatchCause::SchedulerFull(..)
            | DispatchCause::LoadsFull(_)
            | DispatchCause::StoresFull(..) => inst.wait_window += still,
            DispatchCause::Width => {}
        }
    }

    fn finish_inst(&mut self, counting: bool, program: &Program) {
        let Some(entry) = self.current.take() else {
            return;
        };
        self.steps_retired += 1;
        if counting {
            let fused = program.insts[entry.inst as usize].fused_with_previous;
            self.report.instructions += 1 + u64::from(fused);
            if fused {
                self.report.instructions_by_index[entry.inst as usize - 1].executions += 1;
            }
            let inst = &mut self.report.instructions_by_index[entry.inst as usize];
            inst.executions += 1;
            inst.executed_to_retired += entry.retired - entry.completed;
        } else {
            // The warm-up ends with the last retirement before the first counted one.
            self.walked = self.last + 1;
            self.walked_cycle = entry.retired;
        }
        if self.limits.timeline.contains(&entry.step) {
            self.report.timeline.push(entry);
        }
        if self.limits.mark == Some(entry.inst) {
            self.report.marks.push(entry.retired);
        }
    }

    /// Walks the critical path of what has retired since the last walk.
    fn walk(&mut self, program: &Program, window: &Window) {
        if self.last == NOBODY || self.last < self.walked {
            return;
        }
        let report = &mut self.report;
        critical_path::walk(
            program,
            window,
            self.last,
            self.walked,
            self.walked_cycle,
            |PathStep {
                 inst,
                 cycles,
                 limit,
                 executes,
             }| {
                report.split.add(limit, cycles);
                let inst = &mut report.instructions_by_index[inst as usize];
                inst.path.add(limit, cycles);
                inst.on_path += u64::from(executes);
            },
        );
        let end = window.get(self.last).retired;
        report.cycles += end - self.walked_cycle;
        self.walked = self.last + 1;
        self.walked_cycle = end;
    }

    pub(super) fn finish(
        mut self,
        window: &Window,
        branches: u64,
        mispredicts: u64,
        program: &Program,
    ) -> PipelineReport {
        self.walk(program, window);
        self.report.branches = branches;
        self.report.mispredicts = mispredicts;
        self.report
    }
}
