//! Basic blocks measured by others, run as they were measured.

use iced_x86::Register;
use models::pipeline::machines::SKYLAKE;
use models::pipeline::x86::{Interpreter, MemoryFill, TextLoop};
use models::pipeline::{Machine, simulate_loop};

const BLOCKS: &str = include_str!("../../../accuracy/blocks.txt");

/// Copies of a block in a row. Source: BHive's harness compares runs of 100 and of 200.
const COPIES: usize = 100;
/// Rounds over all copies before counting starts, enough to have touched the whole page, and rounds
/// counted.
const ROUNDS: (u64, u64) = (8, 4);

/// What registers and memory hold before a block. Source: BHive's harness, `run_test.nasm`: every
/// register and every word of memory is this number, the stack pointer is the middle of its page, and
/// the frame pointer is 16 bytes below.
const FILL: u64 = 0x0232_4000;
const STACK: u64 = FILL + 2048;
const FRAME: u64 = STACK - 16;

/// The machine of the measurements, with all code from the decoders: in BHive's runs it is new. The
/// figures themselves say so, since they follow the 16 bytes per cycle and the prefixes that stop the
/// predecoder. Source: Abel and Reineke, uiCA, ICS 2022, who model unrolled blocks in this way.
static SKYLAKE_DECODERS: Machine = Machine {
    uop_cache_windows: 0,
    ..SKYLAKE
};

/// A block with what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Its machine code in hexadecimal digits.
    pub hex: &'static str,
    /// Its bytes.
    pub code: Vec<u8>,
    /// Cycles per repetition.
    pub cycles: f64,
}

/// A block with what was measured and what the model says.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredBlock {
    /// The block.
    pub block: Block,
    /// The model's cycles per repetition; `None` when it has no figures for an instruction.
    pub modelled: Option<f64>,
    /// The instructions without figures.
    pub unknown: Vec<String>,
}

impl MeasuredBlock {
    /// How far the model is off, as a fraction of the measured cycles.
    pub fn error(&self) -> Option<f64> {
        let modelled = self.modelled?;
        Some((modelled - self.block.cycles).abs() / self.block.cycles)
    }
}

/// All blocks.
///
/// # Panics
///
/// If the committed file is not in its own format, which a test would notice.
pub fn blocks() -> Vec<Block> {
    let lines = BLOCKS
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let parse = |line: &'static str| {
        let (hex, cycles) = line.split_once(" | ").expect("a line has two columns");
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("a byte has two digits");
        let hundred: f64 = cycles.parse().expect("cycles are a number");
        Block {
            hex,
            code: (0..hex.len()).step_by(2).map(byte).collect(),
            cycles: hundred / 100.0,
        }
    };
    lines.map(parse).collect()
}

/// The instructions of `block`, a semicolon between two.
///
/// # Panics
///
/// If the block is not straight code, which a test would notice.
pub fn listing(block: &Block) -> String {
    let text = TextLoop::unrolled(&block.code, 1, start()).expect("blocks are straight code");
    let lines: Vec<&str> = text.body.iter().map(|line| line.text.as_str()).collect();
    lines[..lines.len() - 1].join("; ")
}

/// The model's answer for `block`.
///
/// # Panics
///
/// If the block is not straight code, which a test would notice.
#[expect(clippy::cast_precision_loss, reason = "there are a hundred copies")]
pub fn measure(block: Block) -> MeasuredBlock {
    let machine = &SKYLAKE_DECODERS;
    let text = TextLoop::unrolled(&block.code, COPIES, start()).expect("blocks are straight code");
    let built = text.build(machine);
    let mut unknown: Vec<String> = built.unknown.iter().map(|u| u.name.clone()).collect();
    unknown.sort();
    unknown.dedup();
    let (warm_up, counted) = ROUNDS;
    let modelled = unknown.is_empty().then(|| {
        let (steps, _) = text.steps(warm_up + counted).expect("a block has no loop");
        let steps = steps.into_iter();
        let report = simulate_loop(machine, &built.program, warm_up, counted, 0..0, steps);
        report.cycles_per_iteration / COPIES as f64
    });
    MeasuredBlock {
        block,
        modelled,
        unknown,
    }
}

fn start() -> Interpreter {
    let mut start = Interpreter::new(MemoryFill::Everywhere(FILL));
    start.keep_to_ring(FILL, 4096);
    for register in Register::values().filter(|register| register.is_gpr64()) {
        start.set(register, FILL);
    }
    start.set(Register::RSP, STACK);
    start.set(Register::RBP, FRAME);
    start
}
