//! Intel Skylake (client), 2015.
//!
//! Sources: [ORM] Intel 64 and IA-32 Architectures Optimization Reference Manual, chapter on the
//! Skylake microarchitecture; [AF] Agner Fog, The microarchitecture of Intel, AMD and VIA CPUs;
//! [UI] uops.info measurements; [UICA] Abel and Reineke, uiCA: Accurate Throughput Prediction of
//! Basic Blocks on Recent Intel Microarchitectures, ICS 2022; [WC] WikiChip, Skylake (client).

use crate::pipeline::machine::{CacheLevel, Machine, SchedulerGroup};
use crate::pipeline::uop::PortSet;

/// Intel Skylake, client.
pub const SKYLAKE: Machine = Machine {
    name: "skylake",
    title: "Intel Skylake",
    table_column: 0,
    ports: "01234567",
    port_names: &["0", "1", "2", "3", "4", "5", "6", "7"],

    uop_cache_width: 6,         // [ORM], [UICA]
    uop_cache_window_bytes: 32, // [AF]: a line covers an aligned block of 32 bytes
    uop_cache_windows: 256,     // [WC]: 32 sets of 8 ways
    decode_width: 5,            // [WC]: one complex and four simple decoders
    fetch_bytes: 16,            // [ORM]
    predecode_width: 5,         // [UICA], Facile (IISWC 2023); BHive's blocks agree
    length_change_cycles: 3,    // [ORM]; BHive's blocks agree
    l1i_bytes: 32 << 10,        // [ORM]
    queue_slots: 64,            // [ORM]: allocation queue, per thread
    mispredict_cycles: 16,      // [AF]: 15 to 20 in all; from the µop cache 16.5

    dispatch_width: 4,  // [ORM], [UICA]
    retire_width: 4,    // [UICA]
    reorder_slots: 224, // [ORM]
    schedulers: &[SchedulerGroup {
        ports: PortSet(0xff),
        entries: 97,
    }], // [ORM]
    load_entries: 72,   // [ORM]
    store_entries: 56,  // [ORM]
    fuses_compare_and_branch: true, // [ORM], [AF]
    fuses_arithmetic_and_branch: true, // [ORM], [AF]: add, sub, and, inc, dec
    eliminates_moves: true, // [ORM], [UICA]
    eliminates_byte_extensions: true, // [ORM], [UICA]
    folds_small_immediates: false,
    unlaminates_indexed: true,      // [ORM], section on micro-fusion
    micro_fuses: true,              // [ORM]
    fuses_read_modify_write: false, // [UI]: two slots

    load_ports: PortSet(0b0000_1100),                  // [UI]: p23
    load_vector_ports: PortSet(0b0000_1100),           // [UI]
    store_address_ports: PortSet(0b1000_1100),         // [UI]: p237
    store_address_indexed_ports: PortSet(0b0000_1100), // [UI]: p23, port 7 has no index
    store_data_ports: PortSet(0b0001_0000),            // [UI]: p4
    store_data_vector_ports: PortSet(0b0001_0000),     // [UI]: p4
    store_data_wide_ports: PortSet(0b0001_0000),       // [UI]
    load_cycles: 5,                                    // [ORM]: 5 in general
    load_chased_cycles: 4, // [ORM]: 4 for base plus displacement below 2048, pointer chasing
    load_indexed_cycles: 5, // [ORM]
    load_vector_cycles: 6, // [ORM]
    load_wide_cycles: 7,   // [ORM]
    forward_cycles: 4,     // [AF]: 4 to 5 from store to load
    forward_vector_cycles: 5, // [AF]
    renames_memory: false,
    blocked_forward_cycles: 11, // [AF]: a failed forwarding costs 11 more
    commit_width: 1,            // [ORM]: one store per cycle

    caches: [
        CacheLevel {
            size_bytes: 32 << 10,
            ways: 8,
            latency_cycles: 5,
        }, // [ORM]
        CacheLevel {
            size_bytes: 256 << 10,
            ways: 4,
            latency_cycles: 12,
        }, // [ORM]
        CacheLevel {
            size_bytes: 8 << 20,
            ways: 16,
            latency_cycles: 44,
        }, // [ORM], table of the cache parameters: fastest latency
    ],
    memory_cycles: 240, // not found again; 7-cpu.com, i7-6700: 42 cycles + 51 ns at 4.0 GHz
    // Assumed: 10 on the cores before (Stack Overflow 28043494), 10 to 12 said of this one.
    fill_buffers: 10,
    line_interval_cycles: 8, // 64 B per 8 cycles, 32 GB/s at 4 GHz: [ORM], dual-channel DDR4
    tlb_entries: 1536,       // [ORM]
    page_walk_cycles: 26, // not found again; 7-cpu.com, i7-6700: STLB miss penalty with page tables cached
};
