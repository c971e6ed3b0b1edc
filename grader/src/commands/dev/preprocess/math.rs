//! `$…$` and `$$…$$` into MathML, which browsers draw by themselves.

use pulldown_cmark::{Event, Options, Parser};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Storage, mathml};

/// Replaces the mathematics in a page; code stays as it is.
pub(super) fn expand(text: &str) -> Result<String, String> {
    let options = Options::ENABLE_MATH | Options::ENABLE_TABLES;
    let mut expanded = String::new();
    let mut copied = 0;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let (formula, mode) = match event {
            Event::InlineMath(formula) => (formula, DisplayMode::Inline),
            Event::DisplayMath(formula) => (formula, DisplayMode::Block),
            _ => continue,
        };
        expanded.push_str(&text[copied..range.start]);
        expanded.push_str(&mathml(&formula, mode)?);
        copied = range.end;
    }
    expanded.push_str(&text[copied..]);
    Ok(expanded)
}

fn mathml(formula: &str, display_mode: DisplayMode) -> Result<String, String> {
    let storage = Storage::new();
    let parser = pulldown_latex::Parser::new(formula, &storage);
    let config = RenderConfig {
        display_mode,
        ..RenderConfig::default()
    };
    let mut rendered = String::new();
    // Errors of the formula are errors of the page, not red text in it.
    let events: Result<Vec<_>, _> = parser.collect();
    let events = events.map_err(|error| format!("cannot read `{formula}`: {error}"))?;
    let events = events.into_iter().map(Ok::<_, std::convert::Infallible>);
    mathml::push_mathml(&mut rendered, events, config)
        .map_err(|error| format!("cannot render `{formula}`: {error}"))?;
    // A line break would end the HTML that Markdown passes on.
    Ok(rendered.replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn formulas_become_mathml_and_code_stays() {
        let text =
            expand("A line holds $64 / 4 = 16$ numbers; `$HOME` and\n\n    $x$\n\nstay.").unwrap();
        assert!(
            text.contains("<math") && text.contains("<mn>16</mn>"),
            "{text}"
        );
        assert!(
            text.contains("`$HOME`") && text.contains("    $x$"),
            "{text}"
        );
    }

    #[test]
    fn a_broken_formula_is_told_with_its_text() {
        let found = expand(r"$\nosuchcommand{1}$").unwrap_err();
        assert!(found.contains(r"\nosuchcommand"), "{found}");
    }
}
