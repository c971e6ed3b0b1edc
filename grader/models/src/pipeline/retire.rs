//! Retirement: in program order, so many slots per cycle.

use super::inst::Program;
use super::machine::Machine;
use super::memory::Memory;
use super::rename::Rename;
use super::report::Collector;
use super::uop::{Cycle, Work};
use super::window::{NEVER, Window};

/// Retirement.
pub(super) struct Retire {
    machine: &'static Machine,
}

impl Retire {
    pub(super) const fn new(machine: &'static Machine) -> Self {
        Self { machine }
    }

    /// Retires what is complete, oldest first. Returns whether anything retired.
    pub(super) fn tick(
        &self,
        now: Cycle,
        program: &Program,
        window: &mut Window,
        rename: &mut Rename,
        memory: &mut Memory,
        collector: &mut Collector,
    ) -> bool {
        let mut slots = 0;
        let before = window.head;
        while window.head < window.tail {
            let sequence = window.head;
            let flight = window.get(sequence);
            if flight.completed == NEVER || flight.completed > now {
                break;
            }
            if flight.opens_slot {
                if slots == self.machine.retire_width {
                    break;
                }
                slots += 1;
                rename.reorder_used -= 1;
            }
            let uop = &program.uops[flight.uop as usize];
            match uop.work {
                Work::Load => memory.loads_in_flight -= 1,
                Work::StoreData => memory.retire_store(sequence),
                _ => {}
            }
            window.get_mut(sequence).retired = now;
            window.head += 1;
            rename.last_retired = sequence;
            collector.retired(sequence, program, window);
        }
        window.head != before
    }

    /// The next cycle at which the oldest micro-operation can retire.
    pub(super) fn next_event(&self, window: &Window) -> Cycle {
        if window.head == window.tail {
            NEVER
        } else {
            window.get(window.head).completed
        }
    }
}
