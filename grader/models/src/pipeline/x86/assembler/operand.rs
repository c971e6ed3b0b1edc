//! Operands, in either syntax.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};

use iced_x86::Register;

use super::AsmError;

/// An operand of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    /// A register.
    Register(Register),
    /// A number.
    Immediate(i64),
    /// A place in memory.
    Memory(MemoryOperand),
    /// The target of a jump.
    Label(String),
}

/// A place in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MemoryOperand {
    pub base: Register,
    pub index: Register,
    pub scale: u32,
    pub displacement: i64,
    /// Size in bytes when the text says so (`dword ptr`).
    pub size_bytes: Option<usize>,
}

impl MemoryOperand {
    const EMPTY: Self = Self {
        base: Register::None,
        index: Register::None,
        scale: 1,
        displacement: 0,
        size_bytes: None,
    };
}

/// Registers by their lower-case names. The low byte of r8 and its like has two: AMD's r8b, which
/// compilers print, and Intel's r8l.
pub(crate) fn register_names() -> BTreeMap<String, Register> {
    let mut names = BTreeMap::new();
    for register in Register::values() {
        if register.is_gpr() || register.is_vector_register() || register == Register::RIP {
            let name = format!("{register:?}").to_ascii_lowercase();
            if let Some(number) = name.strip_suffix('l').filter(|name| name.starts_with('r')) {
                names.insert(format!("{number}b"), register);
            }
            names.insert(name, register);
        }
    }
    names
}

/// Reads operands of one line; knows where it is for the sake of error messages.
pub(crate) struct OperandReader<'names> {
    pub names: &'names BTreeMap<String, Register>,
    pub line: usize,
    pub att: bool,
}

impl OperandReader<'_> {
    fn error(&self, column: usize, what: impl ToString, hint: impl ToString) -> AsmError {
        AsmError::new(self.line, column, what, hint)
    }

    /// Reads one operand, which starts at `column` (from 1).
    pub(crate) fn read(&self, text: &str, column: usize) -> Result<Operand, AsmError> {
        let lead = text.len() - text.trim_start().len();
        let (text, column) = (text.trim(), column + lead);
        if text.is_empty() {
            return Err(self.error(column, "an operand is missing here", "remove the comma"));
        }
        if self.att {
            self.read_att(text, column)
        } else {
            self.read_intel(text, column)
        }
    }

    fn register(&self, name: &str, column: usize) -> Result<Register, AsmError> {
        let name = name.trim();
        self.names
            .get(&name.to_ascii_lowercase())
            .copied()
            .ok_or_else(|| {
                self.error(
                    column,
                    format!("`{name}` is not a register"),
                    "general-purpose registers are rax … r15, vector registers xmm0 … ymm15",
                )
            })
    }

    fn number(&self, text: &str, column: usize) -> Result<i64, AsmError> {
        parse_number(text).ok_or_else(|| {
            let what = format!("`{}` is not a number", text.trim());
            self.error(
                column,
                what,
                "write it in decimal, or in hexadecimal as 0x1f",
            )
        })
    }

    fn read_intel(&self, text: &str, column: usize) -> Result<Operand, AsmError> {
        let lower = text.to_ascii_lowercase();
        if let Some(open) = text.find('[') {
            let Some(close) = text.rfind(']') else {
                let end = column + text.len();
                return Err(self.error(end, "the bracket is not closed", "add a `]`"));
            };
            let mut memory = MemoryOperand::EMPTY;
            let before = lower[..open].trim().trim_end_matches("ptr").trim();
            memory.size_bytes = match before {
                "" => None,
                "byte" => Some(1),
                "word" => Some(2),
                "dword" => Some(4),
                "qword" => Some(8),
                "xmmword" | "oword" => Some(16),
                "ymmword" => Some(32),
                _ => {
                    let what = format!("`{before}` is not a size");
                    let hint = "sizes are byte, word, dword, qword, xmmword, ymmword";
                    return Err(self.error(column, what, hint));
                }
            };
            self.read_intel_sum(&text[open + 1..close], column + open + 1, &mut memory)?;
            return Ok(Operand::Memory(memory));
        }
        if let Some(register) = self.names.get(&lower) {
            return Ok(Operand::Register(*register));
        }
        let first = text.as_bytes()[0];
        if first.is_ascii_digit() || first == b'-' || first == b'+' {
            // `1b` and `1f` are labels, not numbers.
            if is_local_label(text) {
                return Ok(Operand::Label(text.to_string()));
            }
            return self.number(text, column).map(Operand::Immediate);
        }
        Ok(Operand::Label(text.to_string()))
    }

    /// Reads `base + index*scale ± displacement`.
    fn read_intel_sum(
        &self,
        text: &str,
        column: usize,
        memory: &mut MemoryOperand,
    ) -> Result<(), AsmError> {
        let mut start = 0;
        let ends = text
            .char_indices()
            .filter(|(at, c)| *at > 0 && matches!(c, '+' | '-'));
        let ends = ends.map(|(at, _)| at).chain([text.len()]);
        for end in ends {
            let piece = &text[start..end];
            let body = piece.trim_start_matches(['+', '-']);
            let at = column
                + start
                + (piece.len() - body.len())
                + (body.len() - body.trim_start().len());
            let negative = piece.starts_with('-');
            self.read_intel_term(body.trim(), negative, at, memory)?;
            start = end;
        }
        Ok(())
    }

    fn read_intel_term(
        &self,
        term: &str,
        negative: bool,
        column: usize,
        memory: &mut MemoryOperand,
    ) -> Result<(), AsmError> {
        if term.is_empty() {
            return Err(self.error(column, "a term is missing here", "remove the sign"));
        }
        if let Some((left, right)) = term.split_once('*') {
            let (name, factor) = if parse_number(left).is_some() {
                (right, left)
            } else {
                (left, right)
            };
            memory.index = self.register(name, column)?;
            let at = column + term.find(factor.trim()).unwrap_or(0);
            memory.scale = self.scale(factor, at)?;
        } else if parse_number(term).is_some() {
            let value = self.number(term, column)?;
            memory.displacement += if negative { -value } else { value };
        } else {
            let register = self.register(term, column)?;
            if memory.base == Register::None {
                memory.base = register;
            } else if memory.index == Register::None {
                memory.index = register;
            } else {
                let what = "an address has at most two registers";
                return Err(self.error(column, what, "add the third one beforehand"));
            }
        }
        Ok(())
    }

    fn scale(&self, text: &str, column: usize) -> Result<u32, AsmError> {
        match self.number(text, column)? {
            1 => Ok(1),
            2 => Ok(2),
            4 => Ok(4),
            8 => Ok(8),
            other => {
                let what = format!("an index cannot be scaled by {other}");
                Err(self.error(column, what, "scales are 1, 2, 4 and 8"))
            }
        }
    }

    fn read_att(&self, text: &str, column: usize) -> Result<Operand, AsmError> {
        if let Some(name) = text.strip_prefix('%') {
            return self.register(name, column).map(Operand::Register);
        }
        if let Some(number) = text.strip_prefix('$') {
            return self.number(number, column).map(Operand::Immediate);
        }
        let Some(open) = text.find('(') else {
            return Ok(Operand::Label(text.to_string()));
        };
        let Some(close) = text.rfind(')') else {
            let end = column + text.len();
            return Err(self.error(end, "the parenthesis is not closed", "add a `)`"));
        };
        let mut memory = MemoryOperand::EMPTY;
        if !text[..open].trim().is_empty() {
            memory.displacement = self.number(&text[..open], column)?;
        }
        let mut at = column + open + 1;
        for (place, piece) in text[open + 1..close].split(',').enumerate() {
            let name = piece.trim().trim_start_matches('%');
            match place {
                0 if name.is_empty() => {}
                0 => memory.base = self.register(name, at)?,
                1 => memory.index = self.register(name, at)?,
                2 => memory.scale = self.scale(name, at)?,
                _ => {
                    let hint = "the form is displacement(base,index,scale)";
                    return Err(self.error(at, "too many parts in an address", hint));
                }
            }
            at += piece.len() + 1;
        }
        Ok(Operand::Memory(memory))
    }
}

pub(crate) fn is_local_label(text: &str) -> bool {
    let digits = text.trim_end_matches(['b', 'f']);
    digits.len() + 1 == text.len() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// A number in decimal, or in hexadecimal with `0x` before or `h` after it.
pub(crate) fn parse_number(text: &str) -> Option<i64> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim()),
        None => (false, text.strip_prefix('+').unwrap_or(text).trim()),
    };
    let lower = digits.to_ascii_lowercase();
    if !lower.as_bytes().first()?.is_ascii_digit() {
        return None;
    }
    let value = if let Some(hex) = lower.strip_prefix("0x") {
        u64::from_str_radix(hex, 16).ok()?
    } else if let Some(hex) = lower.strip_suffix('h') {
        u64::from_str_radix(hex, 16).ok()?
    } else {
        lower.parse().ok()?
    };
    let value = value.cast_signed();
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}
