//! Machine code without a jump, repeated: how the throughput of a basic block is measured.

use alloc::string::ToString;
use alloc::vec::Vec;

use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction};

use super::assembler::{AsmLine, BASE_ADDRESS};
use super::interpreter::Interpreter;
use super::text_loop::TextLoop;

/// Why code cannot be repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockError {
    /// There is no instruction.
    Empty,
    /// The bytes from this offset on are no instruction.
    NotCode(usize),
    /// The instruction at this offset leaves the block.
    Leaves(usize),
}

impl core::fmt::Display for BlockError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Empty => f.write_str("the block has no instruction; give at least one"),
            Self::NotCode(at) => {
                write!(f, "byte {at} of the block starts no instruction; check it")
            }
            Self::Leaves(at) => write!(
                f,
                "the instruction at byte {at} jumps or calls; end the block before it"
            ),
        }
    }
}

impl core::error::Error for BlockError {}

impl TextLoop {
    /// `copies` copies of `code` in a row and a jump back to the first; an iteration of the loop
    /// executes them all. `start` holds the registers and the memory before the first.
    ///
    /// # Errors
    /// See [`BlockError`].
    pub fn unrolled(code: &[u8], copies: usize, start: Interpreter) -> Result<Self, BlockError> {
        let mut bytes = code.repeat(copies);
        let back = jump_back(bytes.len()).ok_or(BlockError::Empty)?;
        bytes.extend(back);
        let mut decoder = Decoder::with_ip(64, &bytes, BASE_ADDRESS, DecoderOptions::NONE);
        let mut body = Vec::new();
        while decoder.can_decode() {
            let at = decoder.position();
            let instruction: Instruction = decoder.decode();
            let closing = at >= code.len() * copies;
            if instruction.code() == Code::INVALID {
                return Err(BlockError::NotCode(at % code.len().max(1)));
            }
            if !closing && instruction.flow_control() != FlowControl::Next {
                return Err(BlockError::Leaves(at % code.len()));
            }
            body.push(AsmLine {
                line: body.len() + 1,
                column: 1,
                text: instruction.to_string(),
                instruction,
            });
        }
        if copies == 0 || code.is_empty() {
            return Err(BlockError::Empty);
        }
        Ok(Self::with_start(body, start))
    }
}

/// `jmp` over `bytes` bytes backwards, itself not counted.
fn jump_back(bytes: usize) -> Option<[u8; 5]> {
    let distance = i32::try_from(bytes + 5).ok()?;
    let [a, b, c, d] = (-distance).to_le_bytes();
    Some([0xe9, a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::x86::MemoryFill;

    fn unrolled(code: &[u8]) -> Result<TextLoop, BlockError> {
        TextLoop::unrolled(code, 3, Interpreter::new(MemoryFill::Zero))
    }

    #[test]
    fn copies_stand_in_a_row_and_a_jump_closes_them() {
        // add rax, 1
        let block = unrolled(&[0x48, 0x83, 0xc0, 0x01]).expect("it is code");
        assert_eq!(block.body.len(), 4);
        let first = block.body[0].instruction.ip();
        assert_eq!(block.body[3].instruction.near_branch_target(), first);
        let (steps, _) = block.steps(2).expect("it ends");
        let order: Vec<u32> = steps.iter().map(|step| step.inst).collect();
        assert_eq!(order, [0, 1, 2, 3, 0, 1, 2, 3]);
    }

    #[test]
    fn bytes_that_are_no_code_and_blocks_that_jump_are_refused() {
        assert_eq!(unrolled(&[]).unwrap_err(), BlockError::Empty);
        assert_eq!(unrolled(&[0x90, 0x06]).unwrap_err(), BlockError::NotCode(1));
        // nop; ret
        assert_eq!(unrolled(&[0x90, 0xc3]).unwrap_err(), BlockError::Leaves(1));
    }
}
