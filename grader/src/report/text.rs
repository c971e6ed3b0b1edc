//! Grades for people: a table of at most 80 columns, and what each lab below 100 still needs.

use std::fmt::Write as _;

use super::{factor, grouped};
use crate::grading::{Grade, Status};
use crate::host::terminal::{BAD, GOOD, QUIET, STRONG, WARN, paint, width, wrap};
use crate::store::progress::Progress;

/// The grades, with styles that whoever prints them strips where they do not belong.
pub fn render(grades: &[Grade], progress: &Progress) -> String {
    let mut text = table(grades);
    for grade in grades {
        text.push_str(&below(grade, progress));
    }
    text
}

fn table(grades: &[Grade]) -> String {
    let longest = |of: fn(&Grade) -> &str| grades.iter().map(|grade| of(grade).len()).max();
    let name = longest(|grade| &grade.lab.slug)
        .unwrap_or_default()
        .max("lab".len());
    let meter = longest(|grade| &grade.lab.manifest.meter.name).unwrap_or_default();
    let mut text = String::new();
    let heading = format!(
        "{:name$}  {:meter$}  {:>11}  {:>11}  {:>7}  {:>5}",
        "lab", "meter", "baseline", "solution", "better", "score"
    );
    let _ = writeln!(text, "{}", paint(STRONG, heading));
    for grade in grades {
        let shown = |count: Option<u64>| count.map_or("–".into(), grouped);
        let counts = grade.counts;
        let better = counts.map_or("–".into(), |counts| factor(counts.improvement()));
        let _ = write!(
            text,
            "{:name$}  {:meter$}  {:>11}  {:>11}  {better:>7}  ",
            grade.lab.slug,
            grade.lab.manifest.meter.name,
            shown(counts.map(|counts| counts.baseline)),
            shown(counts.map(|counts| counts.solution)),
        );
        let _ = writeln!(text, "{}", shown_score(grade));
    }
    if grades.len() > 1 {
        let total: f64 = grades.iter().filter_map(|grade| grade.score).sum();
        let of = 100 * grades.len();
        let before = name + meter + 2 + 2 + 11 + 2 + 11;
        let total = format!("{} of {of}", rounded(total));
        let _ = writeln!(
            text,
            "{}",
            paint(STRONG, format!("{:before$}  {total:>14}", "total"))
        );
    }
    text
}

/// Rounded down: 100 is shown only for a full score.
fn rounded(score: f64) -> String {
    format!("{:.0}", (score + 1e-9).floor())
}

fn shown_score(grade: &Grade) -> String {
    let Some(score) = grade.score else {
        return paint(WARN, format!("{:>5}", "–"));
    };
    let style = match grade.status {
        Status::Scored if score >= 100.0 => GOOD,
        Status::Scored => WARN,
        _ => BAD,
    };
    let star = if grade.has_star() { " ★" } else { "" };
    paint(style, format!("{:>5}{star}", rounded(score)))
}

/// What stands under the table for one lab.
fn below(grade: &Grade, progress: &Progress) -> String {
    let lab = &grade.lab;
    let mut text = String::new();
    if let Some(line) = edited_note(grade) {
        let _ = write!(text, "\n{}:\n{line}", paint(STRONG, &lab.slug));
    }
    let detail = grade.detail.as_deref().unwrap_or_default();
    let said = match grade.status {
        Status::Scored if grade.score.is_some_and(|score| score >= 100.0) => None,
        Status::Scored => Some(full_score_needs(grade)),
        Status::Guard => Some(paint(BAD, "correct, but it costs too much elsewhere: ") + detail),
        Status::Refused => Some(paint(BAD, "refused") + "\n" + detail),
        Status::DoesNotCompile => Some(paint(BAD, "does not compile") + "\n" + detail),
        Status::Ungraded => Some(paint(WARN, "ungraded, not failed") + "\n" + detail),
    };
    let Some(said) = said else { return text };
    let _ = writeln!(text, "\n{}: {said}", paint(STRONG, &lab.slug));
    let best = progress.labs.get(&lab.slug).and_then(|lab| lab.best_score);
    if let Some(best) = best.filter(|&best| grade.score.is_none_or(|score| best > score + 0.5)) {
        let _ = writeln!(text, "  your best so far: {}", rounded(best));
    }
    let slug = &lab.slug;
    let next = match grade.status {
        Status::Scored | Status::Guard => {
            format!("cargo make hint {slug}    cargo make explain {slug}")
        }
        Status::Refused => format!("cargo make hint {slug}"),
        Status::DoesNotCompile | Status::Ungraded => return text,
    };
    let _ = writeln!(text, "  {}", paint(QUIET, next));
    text
}

fn full_score_needs(grade: &Grade) -> String {
    let scored = &grade.lab.manifest.meter;
    let meter = grade.lab.manifest.scored_meter();
    let Some(counts) = grade.counts else {
        return String::new();
    };
    let most = counts.baseline as f64 / scored.full;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count's part"
    )]
    let most = most.floor() as u64;
    format!(
        "100 needs at most {} {}, {} fewer",
        grouped(most),
        meter.unit,
        factor(scored.full)
    )
}

fn edited_note(grade: &Grade) -> Option<String> {
    let (first, others) = grade.edited.split_first()?;
    let what = match others.len() {
        0 => format!("{first} was edited"),
        more => format!("{first} and {more} more files were edited"),
    };
    let note = format!(
        "{what}. Only src/solution.rs is yours to change, so this grade is made with the \
         committed files."
    );
    Some(wrap(&note, width(), 2))
}
