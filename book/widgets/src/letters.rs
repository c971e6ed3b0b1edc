//! Patterns that a reader types: `a1 b1 e1 b2 c1 d1 a2`, and which letters share a line.

use std::collections::BTreeMap;

use thiserror::Error;

/// Bytes from one letter of a line to the next.
const LETTER_BYTES: u64 = 8;
const LETTERS_PER_LINE: usize = 8;
const MOST_ACCESSES: usize = 1000;

/// Why typed letters are no pattern.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LettersError {
    /// A word that is not letters and perhaps a number.
    #[error("“{0}” is not an access: type a letter and, if you like, a number, as in a1")]
    NotAnAccess(String),
    /// Nothing was typed.
    #[error("type at least one access, as in a1 b1 a2")]
    Empty,
    /// More than the figure shows.
    #[error("{0} accesses are too many here: the limit is 1000")]
    TooMany(usize),
    /// A name stands in two lines.
    #[error("{0} stands in two lines: a location lies in one")]
    InTwoLines(String),
    /// A line with too many names.
    #[error("a line of 64 bytes holds 8 locations of 8 bytes: “{0}” has more")]
    LineFull(String),
}

/// Names and addresses of the accesses in `typed`, given the lines as in `a b c | d e`.
///
/// A number after a name only counts its uses for the reader. Names that stand in no line get one
/// of their own.
pub(crate) fn accesses(typed: &str, lines: &str) -> Result<Vec<(String, u64)>, LettersError> {
    let mut addresses = BTreeMap::new();
    let mut line_start = 0;
    for line in lines.split('|') {
        let names: Vec<String> = line
            .split_whitespace()
            .map(name_of)
            .collect::<Result<_, _>>()?;
        if names.len() > LETTERS_PER_LINE {
            return Err(LettersError::LineFull(line.trim().to_owned()));
        }
        for (place, name) in (0..).zip(names) {
            if addresses
                .insert(name.clone(), line_start + place * LETTER_BYTES)
                .is_some()
            {
                return Err(LettersError::InTwoLines(name));
            }
        }
        line_start += models::reuse::LINE_BYTES;
    }

    let words: Vec<&str> = typed.split_whitespace().collect();
    match words.len() {
        0 => return Err(LettersError::Empty),
        1..=MOST_ACCESSES => {}
        many => return Err(LettersError::TooMany(many)),
    }
    let mut accesses = Vec::new();
    for word in words {
        let name = name_of(word)?;
        let address = *addresses.entry(name).or_insert_with(|| {
            line_start += models::reuse::LINE_BYTES;
            line_start - models::reuse::LINE_BYTES
        });
        accesses.push((word.to_owned(), address));
    }
    Ok(accesses)
}

fn name_of(word: &str) -> Result<String, LettersError> {
    let name = word.trim_end_matches(|character: char| character.is_ascii_digit());
    if name.is_empty() || !name.chars().all(char::is_alphabetic) {
        return Err(LettersError::NotAnAccess(word.to_owned()));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_a_line_lie_eight_bytes_apart_and_others_alone() {
        let accesses = accesses("a1 c1 d1 z1 a2 y1", "a b c | d e").unwrap();
        let addresses: Vec<u64> = accesses.iter().map(|access| access.1).collect();
        assert_eq!(addresses, [0, 16, 64, 128, 0, 192]);
        assert_eq!(accesses[4].0, "a2");
    }

    #[test]
    fn what_is_no_pattern_is_refused_with_its_reason() {
        let not = |word: &str| LettersError::NotAnAccess(word.into());
        assert_eq!(accesses("a1 3 b", ""), Err(not("3")));
        assert_eq!(accesses("a-1", ""), Err(not("a-1")));
        assert_eq!(accesses(" ", "a b"), Err(LettersError::Empty));
        assert_eq!(
            accesses(&"a ".repeat(1001), ""),
            Err(LettersError::TooMany(1001))
        );
        assert_eq!(
            accesses("a", "a b | b"),
            Err(LettersError::InTwoLines("b".into()))
        );
        let nine = "a b c d e f g h i";
        assert_eq!(
            accesses("a", nine),
            Err(LettersError::LineFull(nine.into()))
        );
    }
}
