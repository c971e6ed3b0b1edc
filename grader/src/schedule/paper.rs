//! The published figures that our runs stand beside.
//!
//! Source: Simhadri, Blelloch, Fineman, Gibbons, Kyrola, "Experimental Analysis of Space-Bounded
//! Schedulers", ACM TOPC 3(1), 2016, and the raw data that the authors published with it. Xeon
//! 7560, 4 sockets, 64 hardware threads.

/// Schedulers in the order of the columns below.
pub const SCHEDULERS: [&str; 4] = ["ws", "pws", "sb", "sb-d"];

/// One program's figures, a column per scheduler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The program's name on our command line.
    pub program: &'static str,
    /// L3 misses in millions, at full bandwidth.
    pub misses_millions: [f64; 4],
    /// Milliseconds in strands, mean over threads, at full bandwidth.
    pub active_ms: [f64; 4],
    /// Milliseconds in callbacks and without a job, mean over threads, at full bandwidth.
    pub overhead_ms: [f64; 4],
    /// Milliseconds in strands at a quarter of the bandwidth.
    pub active_quarter_ms: [f64; 4],
}

/// Every program with figures.
pub const PUBLISHED: [Published; 6] = [
    Published {
        program: "rrm",
        misses_millions: [55.28, 50.66, 32.33, 32.52],
        active_ms: [166.0, 156.0, 102.0, 101.0],
        overhead_ms: [12.0, 12.0, 37.0, 43.0],
        active_quarter_ms: [680.0, 630.0, 353.0, 355.0],
    },
    Published {
        program: "rrg",
        misses_millions: [72.92, 67.37, 41.41, 41.35],
        active_ms: [217.0, 212.0, 152.0, 152.0],
        overhead_ms: [8.0, 9.0, 32.0, 34.0],
        active_quarter_ms: [885.0, 841.0, 472.0, 460.0],
    },
    Published {
        program: "quicksort",
        misses_millions: [482.8, 451.4, 363.8, 364.2],
        active_ms: [1452.0, 1386.0, 1199.0, 1199.0],
        overhead_ms: [68.0, 104.0, 49.0, 53.0],
        active_quarter_ms: [3851.0, 3704.0, 3134.0, 3099.0],
    },
    Published {
        program: "aware-samplesort",
        misses_millions: [188.4, 185.4, 86.1, 86.0],
        active_ms: [706.0, 698.0, 542.0, 541.0],
        overhead_ms: [30.0, 41.0, 45.0, 51.0],
        active_quarter_ms: [1813.0, 1789.0, 875.0, 879.0],
    },
    Published {
        program: "quad-tree",
        misses_millions: [243.4, 242.8, 186.1, 185.6],
        active_ms: [942.0, 906.0, 835.0, 830.0],
        overhead_ms: [37.0, 41.0, 47.0, 49.0],
        active_quarter_ms: [2133.0, 2106.0, 1661.0, 1663.0],
    },
    Published {
        program: "matmul",
        misses_millions: [314.6, 271.4, 106.6, 106.9],
        active_ms: [1263.0, 1244.0, 1223.0, 1224.0],
        overhead_ms: [10.0, 10.0, 27.0, 28.0],
        active_quarter_ms: [2904.0, 2624.0, 1330.0, 1323.0],
    },
];

/// RRM's active milliseconds at 25, 50, 75 and 100 % of the bandwidth, for WS, PWS and SB.
pub const RRM_ACTIVE_BY_BANDWIDTH: [(u64, [f64; 3]); 4] = [
    (25, [680.0, 630.0, 353.0]),
    (50, [332.0, 308.0, 180.0]),
    (75, [212.0, 196.0, 121.0]),
    (100, [166.0, 156.0, 102.0]),
];

/// RRM's L3 misses in millions by threads per socket, for WS and SB; read off a chart, ±1.
pub const RRM_MISSES_BY_SOCKET_THREADS: [(usize, [f64; 2]); 5] = [
    (1, [28.0, 29.0]),
    (2, [36.0, 31.0]),
    (4, [43.0, 31.0]),
    (8, [50.0, 31.0]),
    (16, [56.0, 32.0]),
];

/// Quicksort's overhead under SB in milliseconds, by μ in thousandths.
pub const QUICKSORT_OVERHEAD_BY_MU: [(u64, f64); 4] =
    [(200, 50.0), (500, 43.0), (750, 114.0), (1000, 162.0)];

/// Cholesky's L3 misses under SB in millions, by σ in thousandths.
pub const CHOLESKY_MISSES_BY_SIGMA: [(u64, f64); 5] = [
    (500, 86.0),
    (600, 86.0),
    (700, 86.0),
    (900, 52.0),
    (1000, 52.0),
];

/// The figures of a program, if it has any.
pub fn published(program: &str) -> Option<&'static Published> {
    PUBLISHED
        .iter()
        .find(|p| p.program.eq_ignore_ascii_case(program))
}
