//! What the workers run: three fork-join programs, by what their strands cost.

use models::scheduler::{Program, Script, Size};

/// Virtual cycles of one call of fib, without those that it makes: a small task.
const FIB_CYCLES: u64 = 200;
/// Virtual cycles of one step of the loop.
const STEP_CYCLES: u64 = 1000;
/// Virtual cycles to halve a range.
const HALVE_CYCLES: u64 = 10;
/// Virtual cycles to look at one node of the tree.
const NODE_CYCLES: u64 = 300;

/// A call of one of the programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// `fib(n)`, forking down to 1.
    Fib {
        /// The argument.
        n: u64,
    },
    /// A loop whose steps may run at the same time, by halving.
    Loop {
        /// How many steps.
        steps: u64,
    },
    /// A search of a lopsided tree: a quarter of what is below a node hangs on one of its branches,
    /// the rest on the other.
    Search {
        /// How many nodes.
        nodes: u64,
    },
}

/// A call as the model runs it.
pub(crate) struct Running {
    pub(crate) call: Call,
    /// How many times as long every task is.
    pub(crate) stretch: u64,
}

/// One strand of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strand {
    call: Call,
    /// The parts have ended, and nothing is left to do.
    ended: bool,
}

impl Call {
    /// What runs before the fork, or instead of it.
    fn own_cycles(self) -> u64 {
        match self {
            Self::Fib { .. } => FIB_CYCLES,
            Self::Loop { steps: 0 | 1 } => STEP_CYCLES,
            Self::Loop { .. } => HALVE_CYCLES,
            Self::Search {
                nodes: nodes @ 0..=2,
            } => NODE_CYCLES * nodes,
            Self::Search { .. } => NODE_CYCLES,
        }
    }

    fn parts(self) -> Option<[Self; 2]> {
        match self {
            Self::Fib { n: 0 | 1 }
            | Self::Loop { steps: 0 | 1 }
            | Self::Search { nodes: 0..=2 } => None,
            Self::Fib { n } => Some([n - 1, n - 2].map(|n| Self::Fib { n })),
            Self::Loop { steps } => {
                Some([steps / 2, steps - steps / 2].map(|steps| Self::Loop { steps }))
            }
            Self::Search { nodes } => {
                let below = nodes - 1;
                let few = (below / 4).max(1);
                Some([few, below - few].map(|nodes| Self::Search { nodes }))
            }
        }
    }
}

impl Program for Running {
    type Strand = Strand;

    fn root(&self) -> Strand {
        Strand {
            call: self.call,
            ended: false,
        }
    }

    fn size(&self, _strand: &Strand) -> Size {
        Size::unknown()
    }

    fn run(&self, strand: &Strand, script: &mut Script<Strand>) {
        if strand.ended {
            return;
        }
        let Strand { call, .. } = *strand;
        script.compute(self.stretch * call.own_cycles());
        if let Some(parts) = call.parts() {
            let parts = parts.map(|call| Strand { call, ended: false });
            script.fork(parts, Strand { call, ended: true });
        }
    }

    fn address_space_bytes(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::{Call, HALVE_CYCLES, NODE_CYCLES, STEP_CYCLES};

    fn work_cycles(call: Call) -> u64 {
        let parts = call.parts().into_iter().flatten();
        call.own_cycles() + parts.map(work_cycles).sum::<u64>()
    }

    #[test]
    fn a_search_looks_at_each_node_once() {
        for nodes in 0..300 {
            assert_eq!(work_cycles(Call::Search { nodes }), NODE_CYCLES * nodes);
        }
    }

    #[test]
    fn a_loop_takes_each_step_once_and_halves_once_less() {
        for steps in 1..300 {
            let halved = HALVE_CYCLES * (steps - 1);
            assert_eq!(
                work_cycles(Call::Loop { steps }),
                STEP_CYCLES * steps + halved
            );
        }
    }
}
