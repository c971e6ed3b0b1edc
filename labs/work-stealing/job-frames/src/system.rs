//! The system that frames are mapped from.
//!
//! Valgrind counts the instructions of the process and none of the kernel's. So that the lab's
//! count shows what a mapping costs, each call runs `CALL_TURNS` turns of an empty loop in the
//! kernel's place.

use std::hint::black_box;

/// Bytes of a frame: a page, the smallest stack that can be mapped.
pub const FRAME_BYTES: usize = 4096;

/// Turns of the loop, four instructions each, that stand for one system call.
///
/// Mapping a page, touching it and unmapping it took 7.5 µs on the course's reference machine: two
/// calls and a page fault. At 3 GHz and one instruction a cycle that is 22 500 instructions, or
/// 11 250 a call.
pub(crate) const CALL_TURNS: u32 = 2_800;

/// A frame. It cannot be copied: who has it, uses it alone.
#[derive(Debug)]
pub struct Frame {
    bytes: Box<[u8; FRAME_BYTES]>,
}

/// Hands out frames and counts what is out.
#[derive(Debug, Default)]
pub struct System {
    mapped: usize,
}

impl System {
    /// Maps a frame.
    pub fn map(&mut self) -> Frame {
        system_call();
        self.mapped += 1;
        Frame {
            bytes: Box::new([0; FRAME_BYTES]),
        }
    }

    /// Takes a frame back.
    pub fn unmap(&mut self, frame: Frame) {
        system_call();
        self.mapped -= 1;
        drop(frame);
    }

    /// Frames that are mapped and not unmapped.
    pub fn mapped(&self) -> usize {
        self.mapped
    }
}

fn system_call() {
    for turn in 0..CALL_TURNS {
        black_box(turn);
    }
}

impl Frame {
    /// Writes a job's argument where a job keeps it.
    pub fn write(&mut self, argument: u64) {
        self.bytes[..8].copy_from_slice(&argument.to_le_bytes());
    }

    /// Reads it.
    pub fn read(&self) -> u64 {
        let mut argument = [0; 8];
        argument.copy_from_slice(&self.bytes[..8]);
        u64::from_le_bytes(argument)
    }
}
