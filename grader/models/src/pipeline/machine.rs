//! A core as a value: every width, size and delay that the model uses.

use super::uop::PortSet;

/// A level of the cache hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CacheLevel {
    /// Capacity, in bytes.
    pub size_bytes: u64,
    /// Associativity.
    pub ways: u32,
    /// Load-to-use latency of a hit here, in cycles, for a general-purpose register.
    pub latency_cycles: u32,
}

/// Entries of the scheduler that serve a group of ports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SchedulerGroup {
    /// The ports served.
    pub ports: PortSet,
    /// Micro-operations that can wait here.
    pub entries: u32,
}

/// The parameters of a core. The values stand in [`super::machines`], each with its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Name on the command line.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Column of the instruction table.
    pub table_column: usize,
    /// One character per port, as the instruction table spells it; the position is the number.
    pub ports: &'static str,
    /// The same ports under their makers' names.
    pub port_names: &'static [&'static str],

    /// Slots per cycle from the µop cache.
    pub uop_cache_width: u32,
    /// Bytes of code that one line of the µop cache covers.
    pub uop_cache_window_bytes: u64,
    /// Windows that the µop cache holds.
    pub uop_cache_windows: u32,
    /// Instructions decoded per cycle when the code is not in the µop cache.
    pub decode_width: u32,
    /// Bytes fetched per cycle for the decoders, as an aligned block.
    pub fetch_bytes: u64,
    /// Instructions of a block whose ends are found per cycle.
    pub predecode_width: u32,
    /// Cycles that a prefix costs there which changes the length of a constant.
    pub length_change_cycles: u32,
    /// Instruction cache, in bytes, 8 ways.
    pub l1i_bytes: u64,
    /// Slots that the queue between front end and rename holds.
    pub queue_slots: u32,
    /// Cycles from the execution of a mispredicted branch to the dispatch of the right path.
    pub mispredict_cycles: u32,

    /// Slots renamed and dispatched per cycle.
    pub dispatch_width: u32,
    /// Slots retired per cycle.
    pub retire_width: u32,
    /// Slots in the reorder buffer.
    pub reorder_slots: u32,
    /// The scheduler, in one or several groups.
    pub schedulers: &'static [SchedulerGroup],
    /// Loads in flight.
    pub load_entries: u32,
    /// Stores in flight, retired ones that have not reached the cache included.
    pub store_entries: u32,
    /// Whether a compare and a conditional jump after it become one.
    pub fuses_compare_and_branch: bool,
    /// Whether arithmetic other than `cmp` and `test` fuses with a jump as well.
    pub fuses_arithmetic_and_branch: bool,
    /// Whether register moves are eliminated at rename.
    pub eliminates_moves: bool,
    /// Whether an extension of a byte with zeros counts as a move.
    pub eliminates_byte_extensions: bool,
    /// Whether additions of small constants are folded at rename.
    pub folds_small_immediates: bool,
    /// Whether a micro-fused memory operand with an index splits into two slots unless the
    /// destination is also a source.
    pub unlaminates_indexed: bool,
    /// Whether a load or a store rides in the slot of its computation.
    pub micro_fuses: bool,
    /// Whether reading, changing and writing memory is one slot instead of two.
    pub fuses_read_modify_write: bool,

    /// Ports that execute loads.
    pub load_ports: PortSet,
    /// The same for vector registers.
    pub load_vector_ports: PortSet,
    /// Ports that compute the address of a store.
    pub store_address_ports: PortSet,
    /// The same for a store with an index register.
    pub store_address_indexed_ports: PortSet,
    /// Ports that deliver the data of a store from a general-purpose register.
    pub store_data_ports: PortSet,
    /// Ports that deliver the data of a store from a vector register.
    pub store_data_vector_ports: PortSet,
    /// The same from a vector register of 256 bits.
    pub store_data_wide_ports: PortSet,
    /// Load-to-use latency in the first level, general-purpose register.
    pub load_cycles: u8,
    /// The same when the address is a base (plus a small displacement) that a load delivered.
    pub load_chased_cycles: u8,
    /// The same for an indexed address.
    pub load_indexed_cycles: u8,
    /// The same into a 128-bit vector register.
    pub load_vector_cycles: u8,
    /// The same into a 256-bit vector register.
    pub load_wide_cycles: u8,
    /// From a store's data to a load that it is forwarded to.
    pub forward_cycles: u32,
    /// The same into a vector register.
    pub forward_vector_cycles: u32,
    /// Whether a load that names its address by the same unchanged registers as the store before it
    /// takes the store's value at rename, in no time.
    pub renames_memory: bool,
    /// From the commit of a store to a load that only partly lies in it.
    pub blocked_forward_cycles: u32,
    /// Stores written to the cache per cycle, when they go to the same line.
    pub commit_width: u32,

    /// Caches for data, from the first level on.
    pub caches: [CacheLevel; 3],
    /// Latency of main memory, in cycles.
    pub memory_cycles: u32,
    /// Lines that can be on their way into the first level.
    pub fill_buffers: u32,
    /// Cycles between two lines from beyond the second level: the bandwidth of one core.
    pub line_interval_cycles: u32,
    /// Entries of the second-level TLB, 8 ways, 4 KiB pages.
    pub tlb_entries: u32,
    /// Cycles of a page walk that misses the second-level TLB.
    pub page_walk_cycles: u32,
}

impl Machine {
    /// The number of the port that the instruction table calls `letter`.
    #[must_use]
    pub fn port(&self, letter: char) -> Option<u8> {
        self.ports
            .chars()
            .position(|c| c == letter)
            .and_then(|at| u8::try_from(at).ok())
    }

    /// The ports named in `letters`, `None` when one of them is unknown.
    #[must_use]
    pub fn port_set(&self, letters: &str) -> Option<PortSet> {
        let mut set = 0;
        for letter in letters.chars() {
            set |= 1 << self.port(letter)?;
        }
        Some(PortSet(set))
    }

    /// The scheduler group that serves `port`.
    #[must_use]
    pub fn group_of(&self, port: u8) -> usize {
        self.schedulers
            .iter()
            .position(|group| group.ports.contains(port))
            .unwrap_or(0)
    }
}
