//! x86 in front of the model: instruction table, decoder, assembler, interpreter.

mod assembler;
mod build;
mod flags;
mod form;
mod fusion;
mod idioms;
mod interpreter;
mod operands;
mod registers;
mod table;
mod text_loop;

pub use assembler::{AsmError, AsmLine, Assembly, assemble, assemble_at};
pub use build::{Built, Unknown, build_program};
pub use interpreter::{Interpreter, MemoryFill};
pub use table::{Cell, CellUop, Destination, Form, InstructionTable, TableError};
pub use text_loop::{LoopError, TextLoop};
