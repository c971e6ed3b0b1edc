//! From a line of text to labels and statements.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::AsmError;
use super::operand::{Operand, OperandReader, register_names};

/// A mnemonic with its operands (in Intel order).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Statement {
    pub line: usize,
    pub column: usize,
    pub text: String,
    pub mnemonic: String,
    pub lock: bool,
    pub operands: Vec<Operand>,
    /// Columns of the operands, in the same order.
    pub columns: Vec<usize>,
    pub att: bool,
}

/// What a line holds.
#[derive(Default)]
pub(super) struct ParsedLine {
    pub labels: Vec<String>,
    pub statements: Vec<Statement>,
    pub directives: Vec<(usize, String, Vec<String>)>,
}

pub(super) fn parse_line(raw: &str, line: usize, att: bool) -> Result<ParsedLine, AsmError> {
    let mut parsed = ParsedLine::default();
    let comment = ["#", "//", ";"]
        .iter()
        .filter_map(|mark| raw.find(mark))
        .min();
    if let Some(at) = comment {
        let note = raw[at..].trim_start_matches(['#', '/', ';', ' ']);
        if let Some(directive) = note.strip_prefix('@') {
            let mut words = directive.split_whitespace().map(ToString::to_string);
            if let Some(name) = words.next() {
                parsed.directives.push((line, name, words.collect()));
            }
        }
    }
    let mut text = &raw[..comment.unwrap_or(raw.len())];
    let mut offset = 0;
    while let Some(colon) = text.find(':') {
        parsed.labels.push(text[..colon].trim().to_string());
        offset += colon + 1;
        text = &text[colon + 1..];
    }
    let lead = text.len() - text.trim_start().len();
    let column = offset + lead + 1;
    let text = text.trim();
    if text.is_empty() || text.starts_with('.') {
        return Ok(parsed);
    }
    parsed
        .statements
        .push(parse_statement(text, line, column, att)?);
    Ok(parsed)
}

fn parse_statement(
    text: &str,
    line: usize,
    column: usize,
    att: bool,
) -> Result<Statement, AsmError> {
    let names = register_names();
    let reader = OperandReader {
        names: &names,
        line,
        att,
    };
    let word_end = |text: &str| text.find(char::is_whitespace).unwrap_or(text.len());
    let mut end = word_end(text);
    let mut mnemonic = text[..end].to_ascii_lowercase();
    let mut start = 0;
    let mut lock = false;
    if matches!(
        mnemonic.as_str(),
        "lock" | "rep" | "repe" | "repne" | "notrack"
    ) {
        lock = mnemonic == "lock";
        let rest = text[end..].trim_start();
        start = text.len() - rest.len();
        end = start + word_end(rest);
        mnemonic = text[start..end].to_ascii_lowercase();
    }
    let _ = start;
    let mut operands = Vec::new();
    let mut columns = Vec::new();
    let rest = &text[end..];
    if !rest.trim().is_empty() {
        let mut at = end;
        for piece in split_operands(rest) {
            let lead = piece.len() - piece.trim_start().len();
            let place = column + at + lead;
            operands.push(reader.read(piece, column + at)?);
            columns.push(place);
            at += piece.len() + 1;
        }
    }
    if att {
        operands.reverse();
        columns.reverse();
    }
    Ok(Statement {
        line,
        column,
        text: text.to_string(),
        mnemonic,
        lock,
        operands,
        columns,
        att,
    })
}

/// Splits at the commas that stand outside parentheses and brackets.
fn split_operands(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                pieces.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    pieces
}
