//! The scheduler: micro-operations wait for their values, then the oldest ready one of each port is
//! issued.

use alloc::vec::Vec;

use super::front_end::FrontEnd;
use super::inst::Program;
use super::machine::Machine;
use super::memory::Memory;
use super::uop::{Cycle, Uop, Work};
use super::window::{NEVER, NO_WAITER, NOBODY, STORE_WAIT, Sequence, Window};

/// Cycles that the wheel of future wake-ups spans; a power of two. Later ones go round again.
const WHEEL: u64 = 2048;

const fn wheel_slot(at: Cycle) -> usize {
    (at % WHEEL) as usize
}

/// The scheduler and the ports behind it.
pub(super) struct Scheduler {
    machine: &'static Machine,
    /// Micro-operations that become ready, by cycle modulo [`WHEEL`].
    wheel: Vec<Vec<Sequence>>,
    in_wheel: usize,
    /// Ready ones per port, the oldest last.
    ready: Vec<Vec<Sequence>>,
    ready_count: usize,
    /// From when on a port's unpipelined unit is free.
    unit_free: Vec<Cycle>,
    last_on_port: Vec<Sequence>,
    last_on_unit: Vec<Sequence>,
    /// Micro-operations bound to a port and not issued: the pressure that rename balances.
    pub pressure: Vec<u32>,
    /// Entries in use per group.
    pub used: Vec<u32>,
    /// The last one that was issued from each group.
    pub last_freed: Vec<Sequence>,
    group: Vec<usize>,
}

impl Scheduler {
    pub(super) fn new(machine: &'static Machine) -> Self {
        let ports = machine.port_names.len();
        let group = (0..ports)
            .map(|p| machine.group_of(u8::try_from(p).unwrap_or(0)))
            .collect();
        Self {
            machine,
            wheel: alloc::vec![Vec::new(); wheel_slot(WHEEL - 1) + 1],
            in_wheel: 0,
            ready: alloc::vec![Vec::new(); ports],
            ready_count: 0,
            unit_free: alloc::vec![0; ports],
            last_on_port: alloc::vec![NOBODY; ports],
            last_on_unit: alloc::vec![NOBODY; ports],
            pressure: alloc::vec![0; ports],
            used: alloc::vec![0; machine.schedulers.len()],
            last_freed: alloc::vec![NOBODY; machine.schedulers.len()],
            group,
        }
    }

    /// The group that serves `port`, when it has no room for one more.
    pub(super) fn full_group(&self, port: u8) -> Option<u8> {
        let group = self.group[usize::from(port)];
        let full = self.used[group] >= self.machine.schedulers[group].entries;
        full.then(|| u8::try_from(group).unwrap_or(0))
    }

    /// Takes in `sequence`, which is bound to its port.
    pub(super) fn accept(&mut self, window: &Window, sequence: Sequence, now: Cycle) {
        let flight = window.get(sequence);
        let port = usize::from(flight.port);
        self.pressure[port] += 1;
        self.used[self.group[port]] += 1;
        if flight.pending == 0 {
            self.wake_at(sequence, flight.ready.max(now + 1), now);
        }
    }

    fn wake_at(&mut self, sequence: Sequence, ready: Cycle, now: Cycle) {
        // Beyond the wheel's span it waits at the far end and is looked at again there.
        let at = ready.min(now + WHEEL - 1);
        self.wheel[wheel_slot(at)].push(sequence);
        self.in_wheel += 1;
    }

    /// The next cycle in which something may be issued, [`NEVER`] when nothing is on its way.
    pub(super) fn next_event(&self, now: Cycle) -> Cycle {
        if self.ready_count > 0 {
            return now + 1;
        }
        if self.in_wheel == 0 {
            return NEVER;
        }
        (now + 1..now + WHEEL)
            .find(|&at| !self.wheel[wheel_slot(at)].is_empty())
            .unwrap_or(NEVER)
    }

    /// Issues the oldest ready micro-operation of every port.
    ///
    /// Returns whether anything was issued.
    pub(super) fn tick(
        &mut self,
        now: Cycle,
        program: &Program,
        window: &mut Window,
        memory: &mut Memory,
        front_end: &mut FrontEnd,
    ) -> bool {
        let mut due = core::mem::take(&mut self.wheel[wheel_slot(now)]);
        self.in_wheel -= due.len();
        for sequence in due.drain(..) {
            let flight = window.get(sequence);
            if flight.ready > now {
                self.wake_at(sequence, flight.ready, now);
                continue;
            }
            let queue = &mut self.ready[usize::from(flight.port)];
            let at = queue.partition_point(|&other| other > sequence);
            queue.insert(at, sequence);
            self.ready_count += 1;
        }
        // The emptied list keeps its allocation for the next round of the wheel.
        self.wheel[wheel_slot(now)] = due;
        if self.ready_count == 0 {
            return false;
        }
        let mut issued = false;
        for port in 0..self.ready.len() {
            let Some(sequence) = self.take_oldest(port, now, program, window) else {
                continue;
            };
            self.issue(sequence, port, now, program, window, memory, front_end);
            issued = true;
        }
        issued
    }

    /// Removes the oldest one of `port` whose unit is free.
    fn take_oldest(
        &mut self,
        port: usize,
        now: Cycle,
        program: &Program,
        window: &Window,
    ) -> Option<Sequence> {
        let queue = &mut self.ready[port];
        let free = self.unit_free[port] <= now;
        let at = queue.iter().rposition(|&sequence| {
            let uop = &program.uops[window.get(sequence).uop as usize];
            free || uop.occupancy_cycles <= 1
        })?;
        self.ready_count -= 1;
        Some(queue.remove(at))
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one call site; the stages are separate borrows"
    )]
    fn issue(
        &mut self,
        sequence: Sequence,
        port: usize,
        now: Cycle,
        program: &Program,
        window: &mut Window,
        memory: &mut Memory,
        front_end: &mut FrontEnd,
    ) {
        let group = self.group[port];
        self.pressure[port] -= 1;
        self.used[group] -= 1;
        self.last_freed[group] = sequence;
        let flight = window.get(sequence);
        let uop = &program.uops[flight.uop as usize];
        let mut port_before = self.last_on_port[port];
        self.last_on_port[port] = sequence;
        if uop.occupancy_cycles > 1 {
            self.unit_free[port] = now + Cycle::from(uop.occupancy_cycles);
            port_before = self.last_on_unit[port];
            self.last_on_unit[port] = sequence;
        }
        let mut shift = flight.latency_shift;
        let mut miss_cycles = 0;
        match uop.work {
            Work::Load => {
                let bytes = u64::from(program.insts[flight.inst as usize].memory_bytes);
                if flight.forwarded_from != NOBODY {
                    shift = self.forwarding_shift(now, flight, window, uop.latency_cycles());
                } else {
                    miss_cycles = memory.load(now, flight.memory_address, bytes);
                    shift += i32::try_from(miss_cycles).unwrap_or(i32::MAX / 2);
                }
            }
            // The data of the store is the next micro-operation in program order.
            Work::StoreAddress => memory.store_address_known(now, sequence + 1),
            Work::Branch if flight.mispredicted => front_end.resolve(sequence, now + 1),
            _ => {}
        }
        let after = |latency: u8| {
            Cycle::try_from(i64::from(latency) + i64::from(shift))
                .unwrap_or(1)
                .max(1)
        };
        let me = window.get_mut(sequence);
        me.issued = now;
        me.port_before = port_before;
        me.miss_cycles = miss_cycles;
        me.latency_shift = shift;
        me.completed = now + after(uop.latency_cycles());
        let mut node = me.waiters;
        let latencies: [Cycle; super::uop::MAX_DESTS] = {
            let mut all = [1; super::uop::MAX_DESTS];
            for (slot, dest) in all.iter_mut().zip(uop.dests()) {
                *slot = after(dest.latency_cycles);
            }
            all
        };
        while node != NO_WAITER {
            let (waiting, wait) = window.waiter(node);
            let other = window.get_mut(waiting);
            node = other.next_waiter[wait];
            let latency = if wait == STORE_WAIT {
                1
            } else {
                latencies[usize::from(other.wanted[wait])]
            };
            let sooner = Cycle::from(other.late[wait])
                + Cycle::from(bypasses(uop, &program.uops[other.uop as usize]));
            let arrival = (now + latency).saturating_sub(sooner).max(now + 1);
            if arrival >= other.ready {
                other.ready = arrival;
                other.producer = sequence;
            }
            other.pending -= 1;
            if other.pending == 0 {
                let ready = other.ready;
                self.wake_at(waiting, ready, now);
            }
        }
    }

    /// What to add to a load's latency so that its value comes from the store queue.
    fn forwarding_shift(
        &self,
        now: Cycle,
        flight: &super::window::Flight,
        window: &Window,
        latency: u8,
    ) -> i32 {
        let to_vector = latency >= self.machine.load_vector_cycles;
        let stored = window.get(flight.forwarded_from).issued;
        let arrival = if flight.forward_blocked {
            now.max(stored)
                + Cycle::from(self.machine.blocked_forward_cycles)
                + Cycle::from(latency)
        } else {
            (stored
                + Cycle::from(if to_vector {
                    self.machine.forward_vector_cycles
                } else {
                    self.machine.forward_cycles
                }))
            .max(now + 1)
        };
        let wanted = i64::try_from(arrival - now).unwrap_or(0);
        i32::try_from(wanted - i64::from(latency)).unwrap_or(0)
    }
}

/// Whether a value passes from `from` to `to` one cycle sooner.
pub(super) const fn bypasses(from: &Uop, to: &Uop) -> bool {
    from.bypass_class != 0 && from.bypass_class == to.bypass_class
}
