//! What the reader looks at: its width and its colours.

use std::env;

use anstyle::{AnsiColor, Style};

/// Headings and names.
pub const STRONG: Style = Style::new().bold();
/// A full score, a tool that is there.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// On the way: a score between 0 and 100, a warning.
pub const WARN: Style = AnsiColor::Yellow.on_default();
/// A refusal.
pub const BAD: Style = AnsiColor::Red.on_default();
/// What is read last.
pub const QUIET: Style = Style::new().dimmed();

/// Text in a style. Whoever prints it strips the style again for a pipe or under `NO_COLOR`.
pub fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// How wide reports are: 80 columns, or fewer in a narrower terminal.
pub fn width() -> usize {
    const WIDEST: usize = 80;
    const NARROWEST: usize = 40;
    let told = env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    told.map_or(WIDEST, |columns: usize| columns.clamp(NARROWEST, WIDEST))
}

/// `text` in lines of at most `width` characters, each after `indent` spaces. Blank lines stay.
pub fn wrap(text: &str, width: usize, indent: usize) -> String {
    let mut wrapped = String::new();
    for paragraph in text.trim_end().split('\n') {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let longer = line.chars().count() + 1 + word.chars().count();
            if !line.is_empty() && longer > width - indent {
                push_line(&mut wrapped, indent, &line);
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        push_line(&mut wrapped, indent, &line);
    }
    wrapped
}

fn push_line(text: &mut String, indent: usize, line: &str) {
    if !line.is_empty() {
        text.extend(std::iter::repeat_n(' ', indent));
        text.push_str(line);
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(
            wrap("one two three\n\nfour", 10, 2),
            "  one two\n  three\n\n  four\n"
        );
    }
}
