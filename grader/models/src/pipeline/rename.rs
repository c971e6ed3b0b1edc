//! Rename and dispatch: finds producers, eliminates moves and zero idioms, binds each
//! micro-operation to a port, and takes its places in the reorder buffer, scheduler and queues.

use alloc::vec::Vec;

use super::front_end::FrontEnd;
use super::inst::Program;
use super::machine::Machine;
use super::memory::{LoadPath, Memory};
use super::mirror::Mirror;
use super::scheduler::{Scheduler, bypasses};
use super::uop::{Cycle, PortSet, Register, Work, registers};
use super::window::{DispatchCause, Flight, NEVER, NOBODY, STORE_WAIT, Sequence, Window};

/// Who writes a register: a micro-operation and which of its values.
#[derive(Clone, Copy)]
struct Writer {
    sequence: Sequence,
    value: u8,
}

const KNOWN: Writer = Writer {
    sequence: NOBODY,
    value: 0,
};

/// Rename.
pub(super) struct Rename {
    machine: &'static Machine,
    writers: [Writer; registers::COUNT],
    /// What the micro-operations of the instruction at hand write: the others of the same
    /// instruction read the values from before it.
    unseen: Vec<(Register, Writer)>,
    mirror: Mirror<Writer>,
    /// Micro-operations of the first queued instruction that are already dispatched.
    done: u8,
    /// Why the last cycle ended early.
    stall: DispatchCause,
    /// Slots in the reorder buffer.
    pub reorder_used: u32,
    /// The last micro-operation that retired, [`NOBODY`] before the first.
    pub last_retired: Sequence,
}

impl Rename {
    pub(super) fn new(machine: &'static Machine) -> Self {
        Self {
            machine,
            writers: [KNOWN; registers::COUNT],
            unseen: Vec::new(),
            mirror: Mirror::new(),
            done: 0,
            stall: DispatchCause::Fetch,
            reorder_used: 0,
            last_retired: NOBODY,
        }
    }

    /// Dispatches up to the machine's width of slots. Returns whether anything was dispatched.
    pub(super) fn tick(
        &mut self,
        now: Cycle,
        program: &Program,
        window: &mut Window,
        scheduler: &mut Scheduler,
        memory: &mut Memory,
        front_end: &mut FrontEnd,
    ) -> bool {
        let mut slots = 0;
        let before = window.tail;
        loop {
            let Some(fetched) = front_end.queue.front().copied() else {
                self.stall = DispatchCause::Fetch;
                break;
            };
            let index = fetched.step.inst as usize;
            let inst = &program.insts[index];
            let uops = program.uops_of(index);
            while let Some(uop) = uops.get(usize::from(self.done)) {
                if uop.opens_slot && slots == self.machine.dispatch_width {
                    self.stall = DispatchCause::Width;
                    return true;
                }
                let port = bind(uop.ports, &scheduler.pressure);
                if let Some(cause) = self.obstacle(uop, port, scheduler, memory) {
                    self.stall = cause;
                    return window.tail != before;
                }
                let uop_number = inst.first_uop + u32::from(self.done);
                let mut flight =
                    Flight::new(fetched.step_number, fetched.step.inst, uop_number, now);
                flight.memory_address = fetched.step.memory_address;
                flight.opens_slot = uop.opens_slot;
                flight.last_of_inst = self.done + 1 == inst.uop_count;
                flight.mispredicted = fetched.mispredicted;
                flight.cause = match self.stall {
                    DispatchCause::Fetch if self.done == 0 => fetched.cause,
                    stall => self.who_made_room(stall, scheduler, memory),
                };
                flight.port = port.unwrap_or(0);
                self.stall = DispatchCause::Width;
                if self.done == 0 {
                    for &register in &inst.cleared {
                        self.write(register, KNOWN);
                    }
                }
                let sequence = window.push(flight);
                self.connect(sequence, uop, program, window, memory, now);
                if uop.opens_slot {
                    slots += 1;
                    self.reorder_used += 1;
                }
                if port.is_some() {
                    scheduler.accept(window, sequence, now);
                } else {
                    let me = window.get_mut(sequence);
                    me.issued = now;
                    me.ready = now;
                    me.completed = now;
                }
                self.done += 1;
            }
            while let Some((register, writer)) = self.unseen.pop() {
                self.write(register, writer);
            }
            if let Some((to, from)) = inst.alias {
                self.write(to, self.writers[usize::from(from)]);
            }
            self.done = 0;
            front_end.pop(u32::from(inst.slots));
        }
        window.tail != before
    }

    /// Names who left, now that there is room again.
    fn who_made_room(
        &self,
        stall: DispatchCause,
        scheduler: &Scheduler,
        memory: &Memory,
    ) -> DispatchCause {
        match stall {
            DispatchCause::ReorderFull(_) => DispatchCause::ReorderFull(self.last_retired),
            DispatchCause::LoadsFull(_) => DispatchCause::LoadsFull(self.last_retired),
            DispatchCause::StoresFull(_, _) => {
                DispatchCause::StoresFull(self.last_retired, memory.commit_waited_for_line)
            }
            DispatchCause::SchedulerFull(group, _) => {
                DispatchCause::SchedulerFull(group, scheduler.last_freed[usize::from(group)])
            }
            other => other,
        }
    }

    /// What keeps `uop` from being dispatched now.
    fn obstacle(
        &self,
        uop: &super::uop::Uop,
        port: Option<u8>,
        scheduler: &Scheduler,
        memory: &Memory,
    ) -> Option<DispatchCause> {
        if uop.opens_slot && self.reorder_used >= self.machine.reorder_slots {
            return Some(DispatchCause::ReorderFull(NOBODY));
        }
        match uop.work {
            Work::Load if memory.loads_in_flight >= self.machine.load_entries => {
                return Some(DispatchCause::LoadsFull(NOBODY));
            }
            Work::StoreAddress if memory.store_count() >= self.machine.store_entries as usize => {
                return Some(DispatchCause::StoresFull(NOBODY, false));
            }
            _ => {}
        }
        let group = scheduler.full_group(port?)?;
        Some(DispatchCause::SchedulerFull(group, NOBODY))
    }

    /// Connects `sequence` with the producers of its values and makes it the writer of its own.
    fn connect(
        &mut self,
        sequence: Sequence,
        uop: &super::uop::Uop,
        program: &Program,
        window: &mut Window,
        memory: &mut Memory,
        now: Cycle,
    ) {
        let inst = &program.insts[window.get(sequence).inst as usize];
        for (wait, source) in uop.sources().enumerate() {
            let writer = self.writers[usize::from(source.register)];
            self.await_value(sequence, wait, writer, source.late_cycles, program, window);
            if uop.work == Work::Load
                && let Some(chased) = inst.chased_latency_cycles
                && source.register < registers::VECTOR
                && writer.sequence != NOBODY
                && writer.sequence >= window.head
                && program.uops[window.get(writer.sequence).uop as usize].work == Work::Load
            {
                // The short path exists only from one load to the address of the next.
                window.get_mut(sequence).latency_shift =
                    i32::from(chased) - i32::from(uop.latency_cycles());
            }
        }
        let bytes = u64::from(inst.memory_bytes);
        let address = window.get(sequence).memory_address;
        let mut mirrored = None;
        match uop.work {
            Work::Load => match memory.dispatch_load(address, bytes) {
                LoadPath::Cache => {}
                LoadPath::Forward(store) => {
                    let plain = inst.plain_address.filter(|_| self.machine.renames_memory);
                    mirrored = plain.and_then(|plain| self.mirror.load(plain, store));
                    if mirrored.is_none() {
                        self.await_store(sequence, store, program, window);
                    }
                }
                LoadPath::Blocked(store) => {
                    window.get_mut(sequence).forward_blocked = true;
                    self.await_store(sequence, store, program, window);
                }
            },
            Work::StoreAddress => memory.dispatch_store(address, bytes, sequence + 1),
            Work::StoreData => {
                if let (Some(plain), Some(source)) = (inst.plain_address, uop.sources().next()) {
                    let writer = self.writers[usize::from(source.register)];
                    self.mirror.store(plain, sequence, writer);
                }
            }
            _ => {}
        }
        for (value, dest) in uop.dests().enumerate() {
            let value = u8::try_from(value).unwrap_or(0);
            let writer = mirrored.unwrap_or(Writer { sequence, value });
            if dest.register >= registers::TEMPORARY {
                self.write(dest.register, writer);
            } else {
                self.unseen.push((dest.register, writer));
            }
        }
        let me = window.get_mut(sequence);
        me.ready = me.ready.max(now + 1);
    }

    fn write(&mut self, register: Register, writer: Writer) {
        self.writers[usize::from(register)] = writer;
        self.mirror.written(register);
    }

    fn await_store(
        &self,
        sequence: Sequence,
        store: Sequence,
        program: &Program,
        window: &mut Window,
    ) {
        window.get_mut(sequence).forwarded_from = store;
        let writer = Writer {
            sequence: store,
            value: 0,
        };
        self.await_value(sequence, STORE_WAIT, writer, 0, program, window);
    }

    fn await_value(
        &self,
        sequence: Sequence,
        wait: usize,
        writer: Writer,
        late: u8,
        program: &Program,
        window: &mut Window,
    ) {
        if writer.sequence == NOBODY || writer.sequence < window.head {
            return;
        }
        let producer = window.get(writer.sequence);
        if producer.issued == NEVER {
            let me = window.get_mut(sequence);
            me.wanted[wait] = writer.value;
            me.late[wait] = late;
            window.wait_for(sequence, wait, writer.sequence);
            return;
        }
        let latency = if wait == STORE_WAIT {
            1
        } else {
            let uop = &program.uops[producer.uop as usize];
            let value = uop.dests().nth(usize::from(writer.value));
            let latency = value.map_or(1, |dest| i64::from(dest.latency_cycles));
            Cycle::try_from(latency + i64::from(producer.latency_shift))
                .unwrap_or(1)
                .max(1)
        };
        let from = &program.uops[producer.uop as usize];
        let to = &program.uops[window.get(sequence).uop as usize];
        let sooner = Cycle::from(late) + Cycle::from(bypasses(from, to));
        let arrival = (producer.issued + latency).saturating_sub(sooner);
        let me = window.get_mut(sequence);
        if arrival > me.ready {
            me.ready = arrival;
            me.producer = writer.sequence;
        }
    }
}

/// The port of `ports` with the least pressure; the highest among equals, as measured on Intel cores.
///
/// Source: Abel and Reineke, uiCA, ICS 2022, section on port assignment.
fn bind(ports: PortSet, pressure: &[u32]) -> Option<u8> {
    ports
        .iter()
        .min_by_key(|&port| (pressure[usize::from(port)], u8::MAX - port))
}
