//! The instructions of the program, numbered as they are first translated, with their bytes.

#![expect(
    unsafe_code,
    reason = "reads the traced program's code, which lies in the same address space"
)]

use crate::valgrind::{ffi::DebugEpoch, symbols};
use alloc::{collections::BTreeMap, vec::Vec};
use core::ptr;

/// Source: Intel SDM volume 2, section 2.3.11: an instruction has at most 15 bytes.
const LONGEST: usize = 15;

/// One instruction.
#[derive(Clone, Copy)]
pub(crate) struct Instruction {
    pub(crate) address: u64,
    bytes: [u8; LONGEST],
    length: u8,
    /// When its object file was mapped.
    pub(crate) epoch: DebugEpoch,
    /// Whether an execution of it was recorded.
    used: bool,
}

impl Instruction {
    /// Its encoding.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length.into()).unwrap_or_default()
    }
}

/// All instructions so far.
pub(crate) struct Code {
    numbers: BTreeMap<u64, u32>,
    instructions: Vec<Instruction>,
}

impl Code {
    pub(crate) const fn new() -> Self {
        Self {
            numbers: BTreeMap::new(),
            instructions: Vec::new(),
        }
    }

    /// The number of the instruction at `address`, which is being translated; the same again if its
    /// block is translated again.
    pub(crate) fn number(&mut self, address: u64, length: u32) -> u32 {
        let instructions = &mut self.instructions;
        *self.numbers.entry(address).or_insert_with(|| {
            let number = u32::try_from(instructions.len()).unwrap_or(u32::MAX);
            let length = usize::try_from(length).map_or(LONGEST, |length| length.min(LONGEST));
            let mut bytes = [0; LONGEST];
            let place = usize::try_from(address).expect("amd64 has 64-bit addresses");
            let code: *const u8 = ptr::with_exposed_provenance(place);
            // SAFETY: VEX has just decoded `length` bytes of the program from `address`, in this
            // address space; `bytes` holds at least as many and is ours.
            unsafe { ptr::copy_nonoverlapping(code, bytes.as_mut_ptr(), length) };
            instructions.push(Instruction {
                address,
                bytes,
                length: u8::try_from(length).unwrap_or(0),
                epoch: symbols::epoch(),
                used: false,
            });
            number
        })
    }

    /// An execution of instruction `number` is recorded.
    pub(crate) fn use_number(&mut self, number: usize) {
        if let Some(instruction) = self.instructions.get_mut(number) {
            instruction.used = true;
        }
    }

    /// The instructions that are recorded, with their numbers.
    pub(crate) fn used(&self) -> impl Iterator<Item = (usize, &Instruction)> {
        let all = self.instructions.iter().enumerate();
        all.filter(|(_, instruction)| instruction.used)
    }
}
