//! A small assembler: Intel or AT&T syntax, labels, and errors that point at the column.
//!
//! It knows no mnemonic itself: the instruction tables of iced-x86 say which operands each encoding
//! takes, and the shortest encoding that fits is used. Directives (`.p2align`, `.globl`, …) are
//! skipped; only `.intel_syntax` and `.att_syntax` mean something. Comments start with `#`, `;` or
//! `//`.

mod encode;
mod operand;
mod parse;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use iced_x86::Instruction;

use encode::Encodings;
use parse::Statement;
use parse::parse_line;

/// Where assembled code starts: an address that is aligned for every cache.
pub(super) const BASE_ADDRESS: u64 = 0x40_1000;

/// What is wrong with a line, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: String,
}

impl AsmError {
    fn new(line: usize, column: usize, what: impl ToString, hint: impl ToString) -> Self {
        Self {
            line,
            column,
            what: what.to_string(),
            hint: hint.to_string(),
        }
    }
}

impl core::fmt::Display for AsmError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            f,
            "line {}, column {}: {}; {}",
            self.line, self.column, self.what, self.hint
        )
    }
}

impl core::error::Error for AsmError {}

/// An assembled instruction and the line that it came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmLine {
    /// Line, from 1.
    pub line: usize,
    /// Column of the mnemonic, from 1.
    pub column: usize,
    /// The text without label and comment.
    pub text: String,
    /// The instruction at its final address.
    pub instruction: Instruction,
}

/// An assembled text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assembly {
    /// Its instructions, in order.
    pub lines: Vec<AsmLine>,
    /// `@` directives in comments: line, name, arguments.
    pub directives: Vec<(usize, String, Vec<String>)>,
}

/// Assembles `text`.
///
/// # Errors
/// The first thing that cannot be understood: a mnemonic, an operand, a label that is not there.
pub fn assemble(text: &str) -> Result<Assembly, AsmError> {
    assemble_at(text, BASE_ADDRESS)
}

/// Assembles `text` for the address `base`.
///
/// # Errors
/// As for [`assemble`].
pub fn assemble_at(text: &str, base: u64) -> Result<Assembly, AsmError> {
    let mut att = text.contains('%');
    let mut statements: Vec<Statement> = Vec::new();
    let mut labels: Vec<(String, usize)> = Vec::new();
    let mut assembly = Assembly::default();
    for (index, raw) in text.lines().enumerate() {
        let line = index + 1;
        match raw.trim() {
            directive if directive.starts_with(".intel_syntax") => att = false,
            directive if directive.starts_with(".att_syntax") => att = true,
            _ => {}
        }
        let parsed = parse_line(raw, line, att)?;
        for label in parsed.labels {
            if labels.iter().any(|(known, _)| *known == label) && !is_numeric(&label) {
                let what = alloc::format!("label `{label}` stands here a second time");
                return Err(AsmError::new(line, 1, what, "give it another name"));
            }
            labels.push((label, statements.len()));
        }
        statements.extend(parsed.statements);
        assembly.directives.extend(parsed.directives);
    }
    let encodings = Encodings::new();
    let mut placed = Vec::new();
    for (at, statement) in statements.iter().enumerate() {
        let target = |name: &str| find_label(&labels, name, at);
        placed.push(encodings.encode(statement, at, target)?);
    }
    let instructions = encode::lay_out(&placed, base)
        .map_err(|what| AsmError::new(1, 1, what, "shorten the text"))?;
    for (statement, instruction) in statements.into_iter().zip(instructions) {
        assembly.lines.push(AsmLine {
            line: statement.line,
            column: statement.column,
            text: statement.text,
            instruction,
        });
    }
    Ok(assembly)
}

impl Assembly {
    /// The machine code of all lines, which starts at the first one's address.
    #[must_use]
    pub fn code(&self) -> Vec<u8> {
        let mut encoder = iced_x86::Encoder::new(64);
        for line in &self.lines {
            // What was decoded from bytes can be encoded again; an error would be a bug of iced.
            let _ = encoder.encode(&line.instruction, line.instruction.ip());
        }
        encoder.take_buffer()
    }
}

/// A number as operands spell it.
pub(super) fn parse_value(text: &str) -> Option<i64> {
    operand::parse_number(text)
}

fn is_numeric(label: &str) -> bool {
    !label.is_empty() && label.bytes().all(|b| b.is_ascii_digit())
}

/// The statement that `name` stands before; `1b` and `1f` are the next ones back and forth.
fn find_label(labels: &[(String, usize)], name: &str, at: usize) -> Option<usize> {
    if let Some((digits, way)) = name.split_at_checked(name.len().saturating_sub(1))
        && is_numeric(digits)
    {
        let mut all = labels.iter().filter(|(label, _)| label == digits);
        return match way {
            "b" => all
                .filter(|(_, to)| *to <= at)
                .map(|(_, to)| *to)
                .next_back(),
            "f" => all.find(|(_, to)| *to > at).map(|(_, to)| *to),
            _ => None,
        };
    }
    labels
        .iter()
        .find(|(label, _)| label == name)
        .map(|(_, to)| *to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn bytes_of(text: &str) -> Vec<u8> {
        assemble(text).unwrap().code()
    }

    #[test]
    fn both_syntaxes_give_the_same_bytes() {
        let pairs = [
            ("add rax, [rsi]", "addq (%rsi), %rax"),
            ("adc rax, [rsi+rbx]", "adc (%rsi,%rbx), %rax"),
            ("shld rcx, rdx, 2", "shld $2, %rdx, %rcx"),
            ("mov dword ptr [rdi+rcx*4-8], 7", "movl $7, -8(%rdi,%rcx,4)"),
            ("movzx eax, byte ptr [rsi]", "movzbl (%rsi), %eax"),
            ("vpaddd ymm0, ymm1, [rax]", "vpaddd (%rax), %ymm1, %ymm0"),
            ("lea rax, [rax+rax*4+1]", "lea 1(%rax,%rax,4), %rax"),
            ("cvtsi2sd xmm0, rax", "cvtsi2sdq %rax, %xmm0"),
            ("imul rax, rbx, 100", "imulq $100, %rbx, %rax"),
            ("shl rax, cl", "shlq %cl, %rax"),
            ("movsxd rax, edx", "movslq %edx, %rax"),
            ("push rbx", "pushq %rbx"),
        ];
        for (intel, att) in pairs {
            assert_eq!(bytes_of(intel), bytes_of(att), "{intel} / {att}");
        }
    }

    #[test]
    fn known_bytes() {
        assert_eq!(bytes_of("add rax, 5"), vec![0x48, 0x83, 0xc0, 5]);
        assert_eq!(
            bytes_of("l: dec r15\n jnz l"),
            vec![0x49, 0xff, 0xcf, 0x75, 0xfb]
        );
        assert_eq!(bytes_of("1: nop\n jmp 1b"), vec![0x90, 0xeb, 0xfd]);
        assert_eq!(bytes_of("addsd xmm1, xmm2"), vec![0xf2, 0x0f, 0x58, 0xca]);
        assert_eq!(
            bytes_of("movsd xmm0, qword ptr [rdi]"),
            vec![0xf2, 0x0f, 0x10, 0x07]
        );
    }

    #[test]
    fn errors_point_at_the_column() {
        let at = |text: &str| {
            let error = assemble(text).unwrap_err();
            (error.line, error.column)
        };
        assert_eq!(at("nop\n  fooble rax, rbx"), (2, 3));
        assert_eq!(at("add rax, [rsi+rqx]"), (1, 15));
        assert_eq!(at("add rax, xmm0"), (1, 1));
        assert_eq!(at("jnz nowhere"), (1, 5));
        assert_eq!(at("mov [rax], 5"), (1, 1));
        assert_eq!(at("lea rax, [rbx+rcx*3]"), (1, 19));
        assert_eq!(at("add rax, 12q"), (1, 10));
    }
}
