//! x86 in front of the model: instruction table, decoder, assembler, interpreter.

mod assembler;
mod block;
#[cfg(test)]
mod bounds_test;
mod build;
mod describe;
mod flags;
mod form;
mod fusion;
mod idioms;
mod interpreter;
mod operands;
mod recording;
mod registers;
mod table;
mod text_loop;

pub use assembler::{AsmError, AsmLine, Assembly, assemble, assemble_at};
pub use block::BlockError;
pub use build::{Built, Unknown, build_program};
pub use interpreter::{Interpreter, MemoryFill};
pub use recording::{Recorded, RecordedCode};
pub use table::{Cell, CellUop, Destination, Form, InstructionTable, TableError};
pub use text_loop::{LoopError, TextLoop};
