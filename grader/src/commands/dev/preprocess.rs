//! `grader dev preprocess`: what mdBook asks before it renders a page.
//!
//! Three things are expanded: `{{#lab SLUG}}` into the lab's card, `{{#meters}}` into the table of
//! meters, and mathematics into MathML, which
//! browsers draw without a script or a network.

mod card;
mod math;

use std::io;

use clap::{Args, Subcommand};
use mdbook_preprocessor::book::{Book, BookItem};

use crate::commands::{Outcome, complain, print};
use crate::course::Course;
use crate::error::{Error, Exit, While as _};

/// What `dev preprocess` is told.
#[derive(Debug, Clone, Args)]
pub struct PreprocessArgs {
    #[command(subcommand)]
    question: Option<Question>,
}

#[derive(Debug, Clone, Subcommand)]
enum Question {
    /// Whether a renderer is supported
    Supports {
        /// The renderer's name
        renderer: String,
    },
}

/// Answers mdBook: reads a book from standard input and writes it expanded to standard output.
///
/// # Errors
///
/// If the input is no book, or a page names no existing lab or has mathematics that cannot be read.
pub fn run(args: &PreprocessArgs) -> Outcome {
    if let Some(Question::Supports { renderer }) = &args.question {
        return Ok(if renderer == "html" {
            Exit::Passed
        } else {
            Exit::Below
        });
    }
    let (context, mut book) = mdbook_preprocessor::parse_input(io::stdin())
        .map_err(|error| Error::Book(format!("mdBook sent no book: {error}")))?;
    let course = Course::at(context.root.parent().unwrap_or(&context.root))?;
    let repository: Option<String> = context
        .config
        .get("output.html.git-repository-url")
        .ok()
        .flatten();
    let mut problems = Vec::new();
    expand(&mut book, |page, text| {
        let text = card::expand(&card::expand_meters(text), &course, repository.as_deref());
        text.and_then(|text| math::expand(&text))
            .map_err(|found| problems.push(format!("{page}: {found}")))
    });
    if !problems.is_empty() {
        complain(&problems.join("\n"));
        return Err(Error::Book("the book was not built".into()));
    }
    let text = serde_json::to_string(&book).map_err(io::Error::from);
    print(&text.while_trying(|| "writing the book for mdBook".into())?);
    Ok(Exit::Passed)
}

/// Lets `expand` replace the text of every page; a page that it cannot expand stays as it is.
fn expand(book: &mut Book, mut expand: impl FnMut(&str, &str) -> Result<String, ()>) {
    book.for_each_mut(|item| {
        if let BookItem::Chapter(chapter) = item {
            let page = chapter
                .source_path
                .as_ref()
                .map(|path| path.display().to_string());
            if let Ok(text) = expand(&page.unwrap_or_default(), &chapter.content) {
                chapter.content = text;
            }
        }
    });
}
