//! AMD Zen 4, 2022.
//!
//! Sources: [SOG] AMD, Software Optimization Guide for the AMD Zen4 Microarchitecture (57647);
//! [AF] Agner Fog, The microarchitecture of Intel, AMD and VIA CPUs and Instruction tables; [UI]
//! uops.info measurements; [CC] Chips and Cheese, AMD's Zen 4, parts 1 and 2, 2022.

use crate::pipeline::machine::{CacheLevel, Machine, SchedulerGroup};
use crate::pipeline::uop::PortSet;

/// AMD Zen 4.
pub const ZEN4: Machine = Machine {
    name: "zen4",
    title: "AMD Zen 4",
    table_column: 2,
    // 0–3: ALUs, b: the branch unit, x y z: address units, f g h j: floating point, s t: its stores.
    ports: "0123bxyzfghjst",
    port_names: &[
        "ALU0", "ALU1", "ALU2", "ALU3", "BRU", "AGU0", "AGU1", "AGU2", "FP0", "FP1", "FP2", "FP3",
        "FP4", "FP5",
    ],

    uop_cache_width: 9,         // [SOG]: 9 macro-ops per cycle
    uop_cache_window_bytes: 64, // [SOG]
    uop_cache_windows: 768,     // [SOG]: 64 sets of 12 ways, 6.75 K macro-ops
    decode_width: 4,            // [SOG]
    fetch_bytes: 32,            // [SOG]
    predecode_width: 4,         // assumed: as wide as the decoders
    length_change_cycles: 0,    // assumed: AMD's guide names no such penalty
    l1i_bytes: 32 << 10,        // [SOG]
    queue_slots: 144,           // [CC]: op queue, one thread
    mispredict_cycles: 13,      // [SOG]: 11 to 18, 13 in the common case

    dispatch_width: 6,  // [SOG]
    retire_width: 8,    // [SOG]; LLVM quotes nine from it, above the six dispatched either way
    reorder_slots: 320, // [SOG]
    schedulers: &[
        SchedulerGroup {
            ports: PortSet(0x00ff),
            entries: 96,
        }, // [SOG]: four queues of 24
        SchedulerGroup {
            ports: PortSet(0x3f00),
            entries: 128,
        }, // [SOG]: 2 × 32, 64 ahead of them
    ],
    load_entries: 136, // [CC]: 88 in the queue, 136 until retirement; [SOG] by LLVM: 72
    store_entries: 64, // [SOG]
    fuses_compare_and_branch: true, // [SOG]
    fuses_arithmetic_and_branch: true, // [SOG]: add, sub, inc, dec, and, or, xor as well
    eliminates_moves: true, // [SOG]
    eliminates_byte_extensions: false,
    folds_small_immediates: false,
    unlaminates_indexed: false, // [SOG]: load and operation stay one macro-op
    micro_fuses: true,          // [SOG]
    fuses_read_modify_write: true, // [SOG]: one macro-op

    load_ports: PortSet(0x00e0),          // [SOG]: three loads per cycle
    load_vector_ports: PortSet(0x0060),   // [SOG]: two of the three loads can be vectors
    store_address_ports: PortSet(0x00c0), // [SOG]: two stores per cycle
    store_address_indexed_ports: PortSet(0x00c0), // [SOG]
    store_data_ports: PortSet(0x000c),    // [UI]: from the integer side with ALU2 and ALU3
    store_data_vector_ports: PortSet(0x3000), // [SOG]: FP4 and FP5
    store_data_wide_ports: PortSet(0x1000), // [SOG]: one store of 256 bits per cycle
    load_cycles: 4,                       // [SOG]
    load_chased_cycles: 4,                // [SOG]
    load_indexed_cycles: 4,               // [SOG]: one more only for a scaled index
    load_vector_cycles: 7,                // [AF], [SOG]
    load_wide_cycles: 7,                  // [AF], [SOG]
    // [CC]: 7 to 8 for a forwarding that is not renamed; WINIC: 7 with the operation behind it.
    forward_cycles: 7,
    forward_vector_cycles: 8,   // [CC]
    renames_memory: true,       // [AF]: memory operands are mirrored in registers
    blocked_forward_cycles: 13, // [CC]: about 20 in all
    commit_width: 2,            // [SOG]: two per cycle to one line

    caches: [
        CacheLevel {
            size_bytes: 32 << 10,
            ways: 8,
            latency_cycles: 4,
        }, // [SOG]
        CacheLevel {
            size_bytes: 1 << 20,
            ways: 8,
            latency_cycles: 14,
        }, // [SOG]
        CacheLevel {
            size_bytes: 32 << 20,
            ways: 16,
            latency_cycles: 50,
        }, // [SOG]
    ],
    memory_cycles: 400, // not found again; [CC]: 73 ns beyond the third level at 5.4 GHz
    fill_buffers: 24,   // not found again; [CC]: miss address buffers
    line_interval_cycles: 8, // [CC]: about 45 GB/s for one core at 5.4 GHz
    tlb_entries: 3072,  // [SOG]
    page_walk_cycles: 30, // assumed, as on Golden Cove
};
