//! Labs that are scored on page walks: where huge pages are off, and run after run.

use std::fs;

use rustix::thread::{disable_transparent_huge_pages, transparent_huge_pages_are_disabled};

use crate::course_copy::CourseCopy;

/// The lab's description with page walks for its meter, and no guards.
fn scored_on_walks(course: &CourseCopy, needs: &str) {
    let manifest = course.read("lab.toml");
    let guards = manifest.find("[[guard]]");
    let hints = manifest.find("[[hint]]").unwrap();
    let head = &manifest[..guards.unwrap_or(hints).min(hints)];
    let head = head
        .replace("l1-misses", "page-walks")
        .replace("[meter]", &format!("{needs}\n[meter]"));
    fs::write(
        course.lab("lab.toml"),
        format!("{head}{}", &manifest[hints..]),
    )
    .unwrap();
}

/// Switches transparent huge pages off for this process and those that it starts, until it is
/// dropped, also by a test that fails. The machine's setting stays what it is.
struct WithoutHugePages;

impl WithoutHugePages {
    fn now() -> Self {
        disable_transparent_huge_pages(true).unwrap();
        assert!(transparent_huge_pages_are_disabled().unwrap());
        Self
    }
}

impl Drop for WithoutHugePages {
    fn drop(&mut self) {
        let _ = disable_transparent_huge_pages(false);
    }
}

#[test]
fn a_lab_that_needs_huge_pages_is_ungraded_without_them() {
    let course = CourseCopy::fresh();
    scored_on_walks(&course, "needs = \"advised-huge-pages\"");
    let without = WithoutHugePages::now();
    let run = course.grade_json(&[]);
    let doctor = course.run(&["doctor"]);
    drop(without);
    run.assert_exit(3);
    assert_eq!(run.only_grade()["status"], "ungraded");
    assert!(run.only_grade()["score"].is_null());
    run.assert_detail(&["transparent huge pages: they are off", "To get it:"]);
    doctor.assert_says(&["hugepages", "they are off"]);
}

#[test]
fn a_lab_that_needs_something_unknown_is_named() {
    let course = CourseCopy::fresh();
    scored_on_walks(&course, "needs = \"luck\"");
    let run = course.grade_json(&[]);
    run.assert_exit(2);
    run.assert_complains(&["lab.toml", "luck", "advised-huge-pages"]);
}

#[test]
fn page_walks_are_the_same_in_every_run_and_environment() {
    let course = CourseCopy::fresh();
    scored_on_walks(&course, "");
    let counts = |padding: usize| {
        let run = course.grade_json_with("PADDING", &"x".repeat(padding));
        let grade = run.only_grade();
        assert_eq!(grade["status"], "scored", "{run:?}");
        (
            grade["baseline"].as_u64().unwrap(),
            grade["solution"].as_u64().unwrap(),
        )
    };
    let first = counts(0);
    assert!(first.0 > 0);
    // Longer than a page, so that everything on the stack would be in another one.
    for padding in [77, 2500, 4099] {
        assert_eq!(counts(padding), first);
    }
}
