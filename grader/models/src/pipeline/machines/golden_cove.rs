//! Intel Golden Cove (Alder Lake P, Sapphire Rapids), 2021.
//!
//! Sources: [ORM] Intel 64 and IA-32 Architectures Optimization Reference Manual, chapter on the
//! Golden Cove microarchitecture; [AF] Agner Fog, The microarchitecture of Intel, AMD and VIA CPUs;
//! [UI] uops.info measurements of Alder Lake P; [CC] Chips and Cheese, Popping the Hood on Golden
//! Cove, 2021; [M] measured with this repository's `pipeline_reference` example on a Sapphire Rapids.

use crate::pipeline::machine::{CacheLevel, Machine, SchedulerGroup};
use crate::pipeline::uop::PortSet;

/// Intel Golden Cove.
pub const GOLDEN_COVE: Machine = Machine {
    name: "golden-cove",
    title: "Intel Golden Cove",
    table_column: 1,
    // A is port 10 (integer), B port 11 (load), as Intel's manual counts them.
    ports: "0123456789AB",
    port_names: &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"],

    uop_cache_width: 8,         // [ORM]
    uop_cache_window_bytes: 64, // [ORM]
    uop_cache_windows: 512,     // [ORM]: 4 K micro-ops, 64 sets of 8 ways
    decode_width: 6,            // [ORM]
    fetch_bytes: 32,            // [ORM]
    predecode_width: 6,         // assumed: as wide as the decoders
    length_change_cycles: 3,    // [ORM]: as on the cores before
    l1i_bytes: 32 << 10,        // [ORM]
    queue_slots: 144,           // [ORM]: one thread
    mispredict_cycles: 17,      // [ORM]; not found again, LLVM has 14

    dispatch_width: 6,  // [ORM]
    retire_width: 8,    // [ORM]
    reorder_slots: 512, // [ORM]
    schedulers: &[
        SchedulerGroup {
            ports: PortSet(0x463),
            entries: 97,
        }, // [CC]: ports 0 1 5 6 10; LLVM's scheduling model of Sapphire Rapids has 112
        SchedulerGroup {
            ports: PortSet(0x80c),
            entries: 70,
        }, // [CC]: loads, ports 2 3 11; LLVM has 72 for loads and store addresses together
        SchedulerGroup {
            ports: PortSet(0x390),
            entries: 38,
        }, // [CC]: stores, ports 4 7 8 9; LLVM has 48 for store data
    ],
    load_entries: 192,                 // [ORM]
    store_entries: 114,                // [ORM]
    fuses_compare_and_branch: true,    // [ORM]
    fuses_arithmetic_and_branch: true, // [ORM]
    eliminates_moves: true,            // [M]: a chain of moves costs no latency
    eliminates_byte_extensions: true,  // [M]: a table look-up by byte
    folds_small_immediates: true,      // [M]: a chain of `add rax, 5` costs no latency
    unlaminates_indexed: true,         // [ORM]
    micro_fuses: true,                 // [ORM]
    fuses_read_modify_write: false,    // [UI]: two slots

    load_ports: PortSet(0x80c),                  // [UI]
    load_vector_ports: PortSet(0x80c),           // [UI]
    store_address_ports: PortSet(0x180),         // [UI]
    store_address_indexed_ports: PortSet(0x180), // [UI]
    store_data_ports: PortSet(0x210),            // [UI]
    store_data_vector_ports: PortSet(0x210),     // [UI]
    store_data_wide_ports: PortSet(0x210),       // [UI]
    load_cycles: 5,                              // [ORM], [M]
    load_chased_cycles: 5,                       // [M]
    load_indexed_cycles: 5,                      // [M]
    load_vector_cycles: 7,                       // [UI]
    load_wide_cycles: 8,                         // [UI]
    forward_cycles: 5,                           // [M]
    forward_vector_cycles: 6,                    // [M]
    renames_memory: true, // [M]: a store and a load of the same word take one cycle
    blocked_forward_cycles: 13, // [AF]
    commit_width: 2,      // [ORM]: two per cycle to one line

    caches: [
        CacheLevel {
            size_bytes: 48 << 10,
            ways: 12,
            latency_cycles: 5,
        }, // [ORM]
        CacheLevel {
            size_bytes: 2 << 20,
            ways: 16,
            latency_cycles: 15,
        }, // [ORM], server part
        CacheLevel {
            size_bytes: 30 << 20,
            ways: 12,
            latency_cycles: 70,
        }, // [CC]
    ],
    memory_cycles: 400, // not found again; [CC]: about 80 ns beyond the third level at 5 GHz
    fill_buffers: 16,   // [ORM]
    line_interval_cycles: 8, // [CC]: about 40 GB/s for one core at 5 GHz
    tlb_entries: 2048,  // [ORM]
    page_walk_cycles: 30, // assumed: a little above Skylake's
};
