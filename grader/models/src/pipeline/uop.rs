//! Micro-operations: what rename hands to the scheduler.

/// A point in simulated time, in core cycles since the start of the run.
pub type Cycle = u64;

/// A renamed register: general purpose, vector, a group of flags, or a value inside one instruction.
pub type Register = u8;

/// Numbers of the registers, as the rename table indexes them.
pub mod registers {
    use super::Register;

    /// The first of 16 general-purpose registers, in encoding order (rax, rcx, rdx, rbx, rsp, …).
    pub const GENERAL: Register = 0;
    /// The first of 32 vector registers.
    pub const VECTOR: Register = 16;
    /// The carry flag, renamed apart from the others because `inc` and `dec` leave it alone.
    pub const CARRY: Register = 48;
    /// The overflow, sign, zero, auxiliary and parity flags together.
    pub const FLAGS: Register = 49;
    /// The first of the values that only micro-operations of one instruction exchange.
    pub const TEMPORARY: Register = 50;
    /// How many numbers there are.
    pub const COUNT: usize = 64;
}

/// A set of execution ports, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct PortSet(pub u16);

impl PortSet {
    /// No port: the micro-operation finishes at rename.
    pub const NONE: Self = Self(0);

    /// The set that holds one port only.
    #[must_use]
    pub const fn single(port: u8) -> Self {
        Self(1 << port)
    }

    /// Whether `port` is in the set.
    #[must_use]
    pub const fn contains(self, port: u8) -> bool {
        self.0 >> port & 1 == 1
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The ports, from the lowest number up.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let port = left.trailing_zeros();
            // Clears the lowest bit that is set; stops at zero.
            left &= left.checked_sub(1)?;
            u8::try_from(port).ok()
        })
    }
}

/// What a micro-operation does once it is issued.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Work {
    /// Nothing: a `nop`, an eliminated move, a zero idiom. It still takes a slot.
    #[default]
    Nothing,
    /// Computes in an execution unit.
    Compute,
    /// Decides a branch.
    Branch,
    /// Reads memory; its latencies hold for a hit in the first-level cache.
    Load,
    /// Computes the address of a store.
    StoreAddress,
    /// Delivers the data of a store.
    StoreData,
}

/// One value that a micro-operation reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// Where the value comes from.
    pub register: Register,
    /// How many cycles after issue the value is needed: 0 for most, more where the latency from this
    /// operand is shorter than from the others.
    pub late_cycles: u8,
}

/// One value that a micro-operation writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dest {
    /// Where the value goes.
    pub register: Register,
    /// Cycles from issue until a dependent micro-operation can be issued.
    pub latency_cycles: u8,
}

/// The most values that one micro-operation reads.
pub(super) const MAX_SOURCES: usize = 6;
/// The most values that one micro-operation writes.
pub(super) const MAX_DESTS: usize = 5;

/// A micro-operation of one instruction on one machine.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Uop {
    /// What it does.
    pub work: Work,
    /// Ports that can execute it.
    pub ports: PortSet,
    /// Cycles for which it keeps its port's unit to itself: 1 when the unit is pipelined.
    pub occupancy_cycles: u8,
    /// A class of operations that pass values among themselves one cycle sooner; 0 is none.
    pub bypass_class: u8,
    /// Whether it opens a new slot of the fused domain; the others ride in the slot before.
    pub opens_slot: bool,
    sources: [Option<Source>; MAX_SOURCES],
    dests: [Option<Dest>; MAX_DESTS],
}

impl Uop {
    /// A micro-operation without operands.
    #[must_use]
    pub const fn new(work: Work, ports: PortSet) -> Self {
        Self {
            work,
            ports,
            occupancy_cycles: 1,
            bypass_class: 0,
            opens_slot: true,
            sources: [None; MAX_SOURCES],
            dests: [None; MAX_DESTS],
        }
    }

    /// Adds a value that it reads; a register that is read already keeps the earlier need.
    ///
    /// # Panics
    /// When there are more than six: no instruction in the table has that many.
    pub fn read(&mut self, register: Register, late_cycles: u8) {
        if let Some(known) = self
            .sources
            .iter_mut()
            .flatten()
            .find(|s| s.register == register)
        {
            known.late_cycles = known.late_cycles.min(late_cycles);
            return;
        }
        let free = self.sources.iter_mut().find(|slot| slot.is_none());
        *free.expect("a micro-operation reads at most six registers") = Some(Source {
            register,
            late_cycles,
        });
    }

    /// Adds a value that it writes.
    ///
    /// # Panics
    /// When there are more than five: no instruction in the table has that many.
    pub fn write(&mut self, register: Register, latency_cycles: u8) {
        let free = self.dests.iter_mut().find(|slot| slot.is_none());
        *free.expect("a micro-operation writes at most five registers") = Some(Dest {
            register,
            latency_cycles,
        });
    }

    /// The values it reads.
    pub fn sources(&self) -> impl Iterator<Item = Source> + '_ {
        self.sources.iter().map_while(|source| *source)
    }

    /// The values it writes.
    pub fn dests(&self) -> impl Iterator<Item = Dest> + '_ {
        self.dests.iter().map_while(|dest| *dest)
    }

    /// Cycles from issue until the last of its values is there, at least one.
    #[must_use]
    pub fn latency_cycles(&self) -> u8 {
        self.dests()
            .map(|dest| dest.latency_cycles)
            .max()
            .unwrap_or(1)
            .max(1)
    }

    /// The number of values that it reads.
    #[must_use]
    pub fn source_count(&self) -> usize {
        self.sources().count()
    }
}
