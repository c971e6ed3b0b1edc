//! Grades for people: what each lab below 100 still needs, and a table of at most 80 columns.

use std::fmt::Write as _;

use super::{factor, grouped};
use crate::grading::{Grade, Guarded, Status};
use crate::host::terminal::{BAD, GOOD, QUIET, STRONG, WARN, paint, width, wrap};
use crate::store::progress::Progress;

/// Widths of the table's columns: nine digits in groups, a factor, a score.
const COUNT: usize = 11;
const BETTER: usize = 6;
const SCORE: usize = 5;

/// The grades, with styles that whoever prints them strips where they do not belong.
pub fn render(grades: &[Grade], progress: &Progress) -> String {
    let mut text = String::new();
    for grade in grades {
        text.push_str(&needs(grade, progress));
    }
    // The table comes last: with many labs it is what stays in sight.
    let gap = if text.is_empty() { "" } else { "\n" };
    text + gap + &table(grades)
}

pub(super) fn table(grades: &[Grade]) -> String {
    let longest = |of: fn(&Grade) -> &str| grades.iter().map(|grade| of(grade).len()).max();
    let name = longest(|grade| &grade.lab.slug)
        .unwrap_or_default()
        .max("lab".len());
    let meter = longest(|grade| &grade.lab.manifest.meter.name).unwrap_or_default();
    // The longest names still fit into 80 columns, with a narrower gap.
    let columns = name + meter + COUNT + COUNT + BETTER + SCORE;
    let gap = if columns + 2 * 5 > width() { " " } else { "  " };
    let row = |cells: [&str; 5]| {
        let [lab, metered, baseline, solution, better] = cells;
        format!(
            "{lab:name$}{gap}{metered:meter$}{gap}{baseline:>COUNT$}{gap}{solution:>COUNT$}{gap}\
             {better:>BETTER$}{gap}"
        )
    };
    let mut text = String::new();
    let heading = row(["lab", "meter", "baseline", "solution", "better"]) + "score";
    let _ = writeln!(text, "{}", paint(STRONG, heading));
    for grade in grades {
        let counts = grade.counts;
        let shown = |count: Option<u64>| count.map_or("–".into(), grouped);
        let cells = row([
            &grade.lab.slug,
            &grade.lab.manifest.meter.name,
            &shown(counts.map(|counts| counts.baseline)),
            &shown(counts.map(|counts| counts.solution)),
            &counts.map_or("–".into(), |counts| factor(counts.improvement())),
        ]);
        let _ = writeln!(text, "{cells}{}", shown_score(grade));
    }
    if grades.len() > 1 {
        let total: f64 = grades.iter().filter_map(|grade| grade.score).sum();
        let total = format!("{} of {}", rounded(total), 100 * grades.len());
        let before = columns + 5 * gap.len() - "total".len();
        let _ = writeln!(text, "{}", paint(STRONG, format!("total{total:>before$}")));
    }
    text
}

/// Rounded down: 100 is shown only for a full score.
pub(super) fn rounded(score: f64) -> String {
    format!("{:.0}", (score + 1e-9).floor())
}

fn shown_score(grade: &Grade) -> String {
    let Some(score) = grade.score else {
        return paint(WARN, format!("{:>SCORE$}", "–"));
    };
    let style = match grade.status {
        Status::Scored if score >= 100.0 => GOOD,
        Status::Scored => WARN,
        _ => BAD,
    };
    let star = if grade.has_star() { " ★" } else { "" };
    paint(style, format!("{:>SCORE$}{star}", rounded(score)))
}

/// What one lab still needs, or why it is not scored.
fn needs(grade: &Grade, progress: &Progress) -> String {
    let lab = &grade.lab;
    let mut text = String::new();
    if let Some(line) = edited_note(grade) {
        let _ = write!(text, "\n{}:\n{line}", paint(STRONG, &lab.slug));
    }
    let detail = grade.detail.as_deref().unwrap_or_default();
    let said = match grade.status {
        Status::Scored if grade.score.is_some_and(|score| score >= 100.0) => None,
        Status::Scored if detail.is_empty() => Some(full_score_needs(grade) + &guards(grade)),
        Status::Scored => {
            let remark = wrap(detail, width(), 2);
            Some(full_score_needs(grade) + &guards(grade) + "\n" + remark.trim_end())
        }
        Status::Guard => Some(paint(BAD, "correct, but it costs too much elsewhere: ") + detail),
        Status::Refused => Some(paint(BAD, "refused") + "\n" + &folded(detail)),
        Status::DoesNotCompile => Some(paint(BAD, "does not compile") + "\n" + detail),
        Status::Ungraded => Some(paint(WARN, "ungraded, not failed") + "\n" + detail),
    };
    let Some(said) = said else { return text };
    let first_line = said.lines().next().unwrap_or_default().chars().count();
    let gap = if lab.slug.len() + ": ".len() + first_line > width() {
        "\n  "
    } else {
        " "
    };
    let _ = writeln!(text, "\n{}:{gap}{said}", paint(STRONG, &lab.slug));
    let best = progress.labs.get(&lab.slug).and_then(|lab| lab.best_score);
    if let Some(best) = best.filter(|&best| grade.score.is_none_or(|score| best > score + 0.5)) {
        let _ = writeln!(text, "  your best so far: {}", rounded(best));
    }
    let slug = &lab.slug;
    let next = match grade.status {
        Status::Scored => {
            let closer = lab.manifest.scored_meter().instrument.closer_look(slug);
            let closer = closer.map_or(String::new(), |command| format!("    {command}"));
            let both = format!("cargo make hint {slug}{closer}");
            let fits = both.len() + 2 <= width();
            if fits {
                both
            } else {
                both.replace("    ", "\n  ")
            }
        }
        Status::Refused | Status::Guard => format!("cargo make hint {slug}"),
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

/// What else is watched, a line each.
fn guards(grade: &Grade) -> String {
    let line = |guard: &Guarded| {
        format!(
            "\n  guard: {:.2} times the baseline's {}, of at most {:.2}",
            guard.growth(),
            guard.meter.unit,
            guard.at_most
        )
    };
    grade.guards.iter().map(line).collect()
}

/// Lines that are too long, folded; a line that goes on is indented by four.
fn folded(text: &str) -> String {
    let fold = |line: &str| {
        if line.chars().count() <= width() {
            return line.to_owned();
        }
        let indent = line.len() - line.trim_start().len();
        let lines = wrap(line, width() - 4, 0);
        let lines = lines.trim_end().replace('\n', "\n    ");
        " ".repeat(indent) + &lines
    };
    text.lines().map(fold).collect::<Vec<_>>().join("\n")
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

#[cfg(test)]
mod tests {
    use super::render;
    use crate::course::{Lab, Manifest};
    use crate::grading::{Counts, Grade, Guarded, Status};
    use crate::meter::Meter;
    use crate::store::progress::Progress;

    fn lab(slug: &str, meter: &str) -> Lab {
        let manifest = format!(
            "title = 'T'\ntask = 'Do.'\nhint = []\n[meter]\nname = '{meter}'\nfull = 16.0\n\
             [reveal]\nwhy = 'w'\n"
        );
        Lab {
            slug: slug.into(),
            part: "part".into(),
            folder: "labs/part".into(),
            manifest: Manifest::parse(&manifest).unwrap(),
        }
    }

    fn grade(lab: Lab, status: Status, counts: Option<(u64, u64)>, score: Option<f64>) -> Grade {
        Grade {
            lab,
            status,
            guards: Vec::new(),
            counts: counts.map(|(baseline, solution)| Counts { baseline, solution }),
            score,
            detail: (status != Status::Scored).then(|| "the reason stands here".into()),
            edited: Vec::new(),
        }
    }

    /// What a pipe sees.
    fn plain(grades: &[Grade], progress: &Progress) -> String {
        anstream::adapter::strip_str(&render(grades, progress)).to_string()
    }

    #[test]
    fn what_each_lab_needs_comes_before_the_table() {
        let mut progress = Progress::default();
        progress.keep_best("half-way", 75.0);
        let mut half_way = grade(
            lab("half-way", "l1-misses"),
            Status::Scored,
            Some((1600, 400)),
            Some(50.0),
        );
        half_way.guards.push(Guarded {
            meter: Meter::named("instructions").unwrap(),
            counts: Counts {
                baseline: 1000,
                solution: 1070,
            },
            at_most: 1.1,
        });
        assert!(!half_way.guards[0].is_passed());
        let grades = [
            half_way,
            grade(
                lab("beaten", "instructions"),
                Status::Scored,
                Some((900, 10)),
                Some(100.0),
            ),
            grade(
                lab("wrong", "heap-blocks"),
                Status::Refused,
                None,
                Some(0.0),
            ),
            grade(lab("no-tool", "heap-peak"), Status::Ungraded, None, None),
        ];
        insta::assert_snapshot!(plain(&grades, &progress));
    }

    #[test]
    fn the_longest_names_fit_into_eighty_columns() {
        let longest = lab("hierarchy-aware-stealing", "code-page-walks");
        let counts = Some((148_416_413, 148_416_413));
        let grades = [
            grade(longest.clone(), Status::Scored, counts, Some(0.0)),
            grade(longest, Status::Scored, Some((999_999_999, 1)), Some(100.0)),
        ];
        let text = plain(&grades, &Progress::default());
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{text}");
    }
}
