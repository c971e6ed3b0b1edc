//! The exact critical path: from the last retirement backwards along the constraint that arrived
//! last.
//!
//! Every micro-operation has three moments: dispatch D, issue I, retirement R. Each moment was held
//! up by exactly one constraint that was satisfied last: R by its own result or by the retirement
//! before it; I by a value, by the port, or by its own dispatch; D by the width, by the front end, by
//! a full queue, or by a mispredicted branch. Following these from the last retirement to the
//! beginning gives a path whose lengths add up to the run time, so giving each edge to one of the
//! four limits splits the run time without remainder.
//!
//! Source of the scheme: Fields, Rubin and Bodík, Focusing Processor Policies via Critical-Path
//! Prediction, ISCA 2001.

use super::inst::Program;
use super::uop::{Cycle, Work};
use super::window::{DispatchCause, NOBODY, Sequence, Window};

/// What can hold a core back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Limit {
    /// Predictability of code: mispredicted branches, code that is not in the µop cache.
    Code,
    /// Execution throughput: ports, and the widths of fetch, dispatch and retirement.
    Throughput,
    /// Predictability of data: what loads take beyond a first-level hit.
    Data,
    /// Execution latency: chains of dependent instructions.
    Latency,
}

impl Limit {
    /// All four, in the order in which the book presents them.
    pub const ALL: [Self; 4] = [Self::Code, Self::Throughput, Self::Data, Self::Latency];

    /// The short name, as JSON and tables spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Throughput => "throughput",
            Self::Data => "data",
            Self::Latency => "latency",
        }
    }

    /// What it means, in a few words.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Code => "predictability of code",
            Self::Throughput => "execution throughput",
            Self::Data => "predictability of data",
            Self::Latency => "execution latency",
        }
    }
}

/// A piece of the critical path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// Instruction that the time is spent on.
    pub inst: u32,
    /// Cycles of the path that belong to it here.
    pub cycles: Cycle,
    /// What the time is spent on.
    pub limit: Limit,
    /// Whether the path goes through the instruction's execution (and not only past it, in the
    /// order of dispatch or retirement).
    pub executes: bool,
}

/// A moment in the life of a micro-operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Moment {
    Dispatch,
    Issue,
    Retire,
}

/// Walks from the retirement of `last` back to cycle `from` and hands every piece to `visit`.
///
/// `oldest` is the oldest micro-operation whose times are still kept.
pub(super) fn walk(
    program: &Program,
    window: &Window,
    last: Sequence,
    oldest: Sequence,
    from: Cycle,
    mut visit: impl FnMut(PathStep),
) {
    let mut at = last;
    let mut moment = Moment::Retire;
    let mut time = window.get(last).retired;
    while time > from {
        let flight = window.get(at);
        let (next, next_moment, next_time, limit) = match moment {
            Moment::Retire => before_retirement(window, at, oldest),
            Moment::Issue => before_issue(window, at),
            Moment::Dispatch => before_dispatch(window, at, oldest, time),
        };
        let lost = next == NOBODY || next < oldest;
        // Never before the start of the stretch: the part beyond belongs to the stretch before.
        let next_time = if lost {
            from
        } else {
            next_time.min(time).max(from)
        };
        let cycles = time - next_time;
        // Time between a producer's issue and its value is the producer's.
        let owner = if moment == Moment::Issue && next_moment == Moment::Issue && !lost {
            next
        } else {
            at
        };
        let inst = window.get(owner).inst;
        // Counted once per execution: where the path enters it from above.
        let executes = next_moment == Moment::Issue && !lost;
        let (missing, rest) = split(program, window, owner, cycles, limit);
        if missing > 0 {
            visit(PathStep {
                inst,
                cycles: missing,
                limit: Limit::Data,
                executes: false,
            });
        }
        visit(PathStep {
            inst,
            cycles: rest,
            limit,
            executes,
        });
        if lost {
            return;
        }
        debug_assert!(
            next_time < time || next < at || next_moment != moment,
            "the path moves on: {moment:?} of {at} at {time}, {:?}",
            flight.cause
        );
        (at, moment, time) = (next, next_moment, next_time);
    }
}

/// Splits a load's time into the part beyond a first-level hit and the rest.
fn split(
    program: &Program,
    window: &Window,
    owner: Sequence,
    cycles: Cycle,
    limit: Limit,
) -> (Cycle, Cycle) {
    let flight = window.get(owner);
    let is_load = program.uops[flight.uop as usize].work == Work::Load;
    if limit == Limit::Latency && is_load {
        let missing = Cycle::from(flight.miss_cycles).min(cycles);
        (missing, cycles - missing)
    } else {
        (0, cycles)
    }
}

type Edge = (Sequence, Moment, Cycle, Limit);

fn before_retirement(window: &Window, at: Sequence, oldest: Sequence) -> Edge {
    let flight = window.get(at);
    if flight.completed >= flight.retired || at == oldest {
        return (at, Moment::Issue, flight.issued, Limit::Latency);
    }
    // In order, or no slot left in the cycle of the one before.
    let before = at - 1;
    (
        before,
        Moment::Retire,
        window.get(before).retired,
        Limit::Throughput,
    )
}

fn before_issue(window: &Window, at: Sequence) -> Edge {
    let flight = window.get(at);
    if flight.issued > flight.ready && flight.port_before != NOBODY {
        let other = window.get(flight.port_before).issued;
        // The port was busy with the one before it. That one has no claim on earlier cycles than
        // the one in which this was ready: a port that stood empty holds nobody up.
        if other < flight.issued {
            return (flight.port_before, Moment::Issue, other, Limit::Throughput);
        }
    }
    if flight.producer != NOBODY {
        let producer = window.get(flight.producer);
        return (
            flight.producer,
            Moment::Issue,
            producer.issued,
            Limit::Latency,
        );
    }
    (at, Moment::Dispatch, flight.dispatched, Limit::Latency)
}

fn before_dispatch(window: &Window, at: Sequence, oldest: Sequence, time: Cycle) -> Edge {
    let flight = window.get(at);
    let (other, moment, limit) = match flight.cause {
        DispatchCause::Mispredict(branch) => (branch, Moment::Issue, Limit::Code),
        DispatchCause::StoresFull(retired, true) => (retired, Moment::Retire, Limit::Data),
        DispatchCause::ReorderFull(retired)
        | DispatchCause::LoadsFull(retired)
        | DispatchCause::StoresFull(retired, false) => (retired, Moment::Retire, Limit::Throughput),
        DispatchCause::SchedulerFull(_, issued) => (issued, Moment::Issue, Limit::Throughput),
        DispatchCause::CodeMiss => (at.wrapping_sub(1), Moment::Dispatch, Limit::Code),
        DispatchCause::Width | DispatchCause::Fetch => {
            (at.wrapping_sub(1), Moment::Dispatch, Limit::Throughput)
        }
    };
    if other == NOBODY || other < oldest {
        return (NOBODY, moment, 0, limit);
    }
    let other_flight = window.get(other);
    let other_time = match moment {
        Moment::Dispatch => other_flight.dispatched,
        Moment::Issue => other_flight.issued,
        Moment::Retire => other_flight.retired,
    };
    if other_time > time {
        // The queue was full for a cycle and the one that left did so later: it was not the cause.
        let before = at - 1;
        return (
            before,
            Moment::Dispatch,
            window.get(before).dispatched,
            Limit::Throughput,
        );
    }
    (other, moment, other_time, limit)
}
