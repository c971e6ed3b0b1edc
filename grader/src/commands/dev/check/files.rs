//! A lab's files: hints, page, the untouched solution, and nothing that does not belong.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::course::{Course, Lab, fresh_solution};
use crate::host::git;

const FEWEST_HINTS: usize = 3;

/// What is wrong with the lab's files, each with what to do.
pub(super) fn problems(course: &Course, lab: &Lab) -> Vec<String> {
    let mut problems = hint_problems(lab);
    problems.extend(page_problems(course, lab));
    problems.extend(solution_problem(course, lab));
    problems.extend(stray_files(course, lab));
    problems
}

fn hint_problems(lab: &Lab) -> Vec<String> {
    let hints = &lab.manifest.hint;
    let mut problems = Vec::new();
    if hints.len() < FEWEST_HINTS {
        problems.push(format!(
            "lab.toml holds {} hints; {FEWEST_HINTS} lead from where to look to what to do",
            hints.len()
        ));
    }
    let texts: BTreeSet<&str> = hints.iter().map(|hint| hint.text.trim()).collect();
    if texts.len() < hints.len() || texts.contains("") {
        problems.push("a hint is empty, or says what another one says".into());
    }
    problems
}

fn page_problems(course: &Course, lab: &Lab) -> Vec<String> {
    let source = course.root.join("book/src");
    let page = lab.page();
    let Ok(text) = fs::read_to_string(source.join(&page)) else {
        return vec![format!(
            "book/src/{} is missing: every lab has its page",
            page.display()
        )];
    };
    let mut problems = Vec::new();
    let card = format!("{{{{#lab {}}}}}", lab.slug);
    if !text.contains(&card) {
        problems.push(format!(
            "book/src/{} does not show the lab: put {card} there",
            page.display()
        ));
    }
    let summary = fs::read_to_string(source.join("SUMMARY.md")).unwrap_or_default();
    if !summary.contains(&format!("({})", page.display())) {
        problems.push(format!(
            "book/src/SUMMARY.md does not list {}",
            page.display()
        ));
    }
    problems
}

/// What is committed has to be the baseline's code; what lies in the checkout may be a reader's.
fn solution_problem(course: &Course, lab: &Lab) -> Option<String> {
    let text = |path: PathBuf| git::committed(&course.root, &path).or_else(|| fs::read(&path).ok());
    let baseline = String::from_utf8(text(lab.baseline())?).ok()?;
    let solution = text(lab.solution())?;
    (solution != fresh_solution(&baseline).as_bytes()).then(|| {
        format!(
            "the committed src/solution.rs does not start as the baseline's code: `cargo make \
             reset {}` makes it so, then commit it",
            lab.slug
        )
    })
}

/// Files that a lab has no use for; they would only puzzle its readers.
fn stray_files(course: &Course, lab: &Lab) -> Vec<String> {
    let relative = lab.folder.strip_prefix(&course.root).unwrap_or(&lab.folder);
    let files = git::files(&course.root).unwrap_or_default();
    let within = files
        .iter()
        .filter_map(|file| file.strip_prefix(relative).ok());
    let strays = within.filter(|file| !belongs(file));
    strays
        .map(|file| format!("{} does not belong to a lab", file.display()))
        .collect()
}

fn belongs(file: &Path) -> bool {
    let is_rust = file.extension().is_some_and(|extension| extension == "rs");
    let folder = file
        .iter()
        .next()
        .map(|name| name.to_string_lossy().into_owned());
    match folder.as_deref() {
        Some("Cargo.toml" | "lab.toml" | "build.rs" | ".clippy.toml") => file.iter().count() == 1,
        Some("src" | "reference" | "wrong" | "benches") => is_rust,
        Some("tests") => is_rust || file.starts_with("tests/snapshots"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::belongs;

    #[test]
    fn notes_and_leftovers_do_not_belong_to_a_lab() {
        for file in [
            "lab.toml",
            "src/a/b.rs",
            "wrong/x.rs",
            "tests/snapshots/correct__a.snap",
        ] {
            assert!(belongs(Path::new(file)), "{file}");
        }
        for file in [
            "notes.md",
            "src/solution.rs.orig",
            "src/data.bin",
            "scratch/x.rs",
        ] {
            assert!(!belongs(Path::new(file)), "{file}");
        }
    }
}
