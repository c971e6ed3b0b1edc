//! What readers and machines get wrong, run against a small copy of the real course: the message
//! names the place and the next step, the exit code is right, and nothing is lost.
//!
//! The copy holds lab-kit and one lab, built in the workspace's target folder under a version of its
//! own. The tests take turns: they share the copy.

#![allow(clippy::unwrap_used, reason = "a helper of tests may fail like a test")]

#[path = "bad_input/course_copy.rs"]
mod course_copy;
#[path = "bad_input/page_walks.rs"]
mod page_walks;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use course_copy::{CourseCopy, Run};

const LAB: &str = "loop-interchange";

/// A solution with `body` at the start of the function.
fn solution_that(body: &str) -> String {
    format!(
        "use crate::Matrix;\n\
         #[allow(unreachable_code, unused_variables, clippy::all)]\n\
         pub(crate) fn multiply(a: &Matrix, b: &Matrix) -> Matrix {{\n\
         {body}\n\
         Matrix::zero(a.rows(), b.columns())\n}}\n"
    )
}

#[track_caller]
fn assert_refused(run: &Run, words: &[&str]) {
    run.assert_exit(1);
    let grade = run.only_grade();
    assert_eq!(grade["status"], "refused", "{run:?}");
    assert_eq!(grade["score"], 0.0, "{run:?}");
    run.assert_detail(words);
}

#[test]
fn an_untouched_solution_scores_0_and_a_repeat_is_remembered() {
    let course = CourseCopy::fresh();
    let first = course.grade_json(&[]);
    first.assert_exit(1);
    assert_eq!(first.only_grade()["status"], "scored");
    assert!(first.only_grade()["score"].as_f64().unwrap() < 0.05);
    let second = course.grade_json(&[]);
    assert_eq!(first.json(), second.json());
    assert!(!second.stderr.contains("measuring"), "{second:?}");
    let again = course.grade_json(&["--no-cache"]);
    assert_eq!(first.json(), again.json());
    assert!(again.stderr.contains("measuring"), "{again:?}");
}

#[test]
fn the_reference_scores_100_and_the_best_score_is_kept() {
    let course = CourseCopy::fresh();
    course.write_solution(&course.read("reference/solution.rs"));
    let run = course.grade(&[]);
    run.assert_exit(0);
    assert!(run.stdout.contains("100"), "{run:?}");
    course.write_solution(&solution_that("todo_later()"));
    course.grade(&[]).assert_exit(1);
    assert!(course.progress().contains("100"), "{}", course.progress());
}

#[test]
fn a_solution_that_does_not_compile_is_shown_the_compilers_words() {
    let course = CourseCopy::fresh();
    course.write_solution(&solution_that("let x: u32 = \"text\";"));
    let run = course.grade(&[]);
    run.assert_exit(1);
    run.assert_says(&["does not compile", "expected `u32`", "src/solution.rs"]);
    assert!(
        !run.stdout.contains("could not compile"),
        "a wall of cargo: {run:?}"
    );
}

#[test]
fn a_panic_is_told_with_its_message_place_and_input() {
    let course = CourseCopy::fresh();
    course.write_solution(&solution_that("panic!(\"lost a row\");"));
    assert_refused(
        &course.grade_json(&[]),
        &["lost a row", "solution.rs:", "two by two"],
    );
}

#[test]
fn a_solution_that_loops_for_ever_is_ended() {
    let course = CourseCopy::fresh();
    course.write_solution(&solution_that("loop { std::hint::spin_loop(); }"));
    assert_refused(
        &course.grade_json(&[]),
        &["20 s of processor time", "two by two"],
    );
}

#[test]
fn a_solution_that_allocates_without_end_runs_into_the_limit() {
    let course = CourseCopy::fresh();
    let body = "let mut kept = Vec::new(); loop { kept.push(Vec::<u8>::with_capacity(64 << 20)); }";
    course.write_solution(&solution_that(body));
    assert_refused(&course.grade_json(&[]), &["ran out of memory", "2 GiB"]);
}

#[test]
fn a_solution_that_exits_has_not_passed() {
    let course = CourseCopy::fresh();
    course.write_solution(&solution_that("std::process::exit(0);"));
    assert_refused(&course.grade_json(&[]), &["exit code 0", "has to return"]);
}

#[test]
fn megabytes_on_standard_output_do_no_harm() {
    let course = CourseCopy::fresh();
    let talk = "for _ in 0..200_000 { println!(\"a line of about thirty bytes\"); }";
    course.write_solution(&solution_that(talk));
    let run = course.grade_json(&[]);
    // It talks and gives a wrong answer: the answer is what is told.
    assert_refused(&run, &["wrong answer"]);
    assert!(run.stdout.len() < 10_000, "{}", run.stdout.len());
}

#[test]
fn a_deleted_solution_is_missed_and_reset_brings_it_back() {
    let course = CourseCopy::fresh();
    let before = course.read("src/solution.rs");
    fs::remove_file(course.lab("src/solution.rs")).unwrap();
    let run = course.grade(&[]);
    run.assert_exit(1);
    run.assert_says(&[
        "src/solution.rs is gone",
        "cargo make reset loop-interchange",
    ]);
    course.run(&["reset", LAB, "--yes"]).assert_exit(0);
    assert_eq!(course.read("src/solution.rs"), before);
}

#[test]
fn reset_keeps_what_was_written() {
    let course = CourseCopy::fresh();
    course.write_solution("// mine, first\n");
    course.run(&["reset", LAB, "--yes"]).assert_exit(0);
    course.write_solution("// mine, second\n");
    let asked = course.run(&["reset", LAB]);
    assert_eq!(
        course.read("src/solution.rs"),
        "// mine, second\n",
        "{asked:?}"
    );
    course.run(&["reset", LAB, "--yes"]).assert_exit(0);
    assert_eq!(course.read("src/solution.rs.kept-1"), "// mine, first\n");
    assert_eq!(course.read("src/solution.rs.kept-2"), "// mine, second\n");
}

#[test]
fn a_solution_that_is_no_text_is_told_its_line() {
    let course = CourseCopy::fresh();
    fs::write(course.lab("src/solution.rs"), b"// fine\n// \xff\xfe\n").unwrap();
    let run = course.grade(&[]);
    run.assert_exit(1);
    run.assert_says(&["not UTF-8", "line 2"]);
}

#[test]
fn an_edited_baseline_counts_for_nothing_and_is_told() {
    let course = CourseCopy::fresh();
    let slow = course
        .read("src/baseline.rs")
        .replace("let mut product", "let _ = a.rows();\n    let mut product");
    fs::write(course.lab("src/baseline.rs"), &slow).unwrap();
    let snapshot = "tests/snapshots/correct__one_row.snap";
    fs::write(
        course.lab(snapshot),
        course.read(snapshot).replace("531", "532"),
    )
    .unwrap();
    let run = course.grade_json(&[]);
    run.assert_exit(1);
    assert_eq!(run.only_grade()["status"], "scored", "{run:?}");
    let edited = run.only_grade()["edited"].to_string();
    assert!(
        edited.contains("src/baseline.rs") && edited.contains("correct__one_row"),
        "{edited}"
    );
    assert_eq!(
        course.read("src/baseline.rs"),
        slow,
        "a reader's edit was overwritten"
    );
}

#[test]
fn without_valgrind_labs_are_ungraded_and_not_failed() {
    let course = CourseCopy::fresh();
    let run = course.run_with_path(
        &["grade", "--format", "json"],
        &course.tools_without_valgrind(),
    );
    run.assert_exit(3);
    assert_eq!(run.only_grade()["status"], "ungraded");
    assert!(run.only_grade()["score"].is_null());
    run.assert_detail(&["no `valgrind` in PATH", "To get it:", "valgrind"]);
    assert!(
        !course.progress().contains("best_score"),
        "{}",
        course.progress()
    );
}

#[test]
fn an_old_valgrind_is_told_from_none() {
    let course = CourseCopy::fresh();
    let tools = course.tools_without_valgrind();
    let old = tools.join("valgrind");
    fs::write(&old, "#!/bin/sh\necho valgrind-3.10.1\n").unwrap();
    fs::set_permissions(&old, fs::Permissions::from_mode(0o755)).unwrap();
    let run = course.run_with_path(&["grade", "--format", "json"], &tools);
    run.assert_exit(3);
    run.assert_detail(&["version 3.10.1", "3.19 or newer"]);
}

#[test]
fn a_lab_that_is_not_described_is_named() {
    let course = CourseCopy::fresh();
    let manifest = course.read("lab.toml");
    for (text, words) in [
        (
            manifest.replace("l1-misses", "l9-misses"),
            ["no meter `l9-misses`", "l1-misses"],
        ),
        (manifest.replace("[meter]", "[meter"), ["lab.toml", "line"]),
        (
            manifest.replace("full = 16.6", "full = 1.0"),
            ["lab.toml", "above 1"],
        ),
    ] {
        fs::write(course.lab("lab.toml"), text).unwrap();
        let run = course.grade(&[]);
        run.assert_exit(2);
        run.assert_complains(&words);
    }
    fs::remove_file(course.lab("lab.toml")).unwrap();
    let run = course.grade(&[]);
    run.assert_exit(2);
    run.assert_complains(&["lab.toml is missing", "git checkout"]);
}

#[test]
fn an_unknown_lab_gets_the_nearest_name() {
    let course = CourseCopy::fresh();
    let run = course.run(&["grade", "lop-interchang"]);
    run.assert_exit(2);
    run.assert_complains(&["no lab `lop-interchang`", "did you mean `loop-interchange`"]);
}

#[test]
fn a_progress_file_that_cannot_be_saved_is_told_and_the_grade_shown() {
    let course = CourseCopy::fresh();
    // A file where the folder should be fails for root as well, unlike a read-only folder.
    fs::write(course.root().join(".cyclewise"), "in the way").unwrap();
    let run = course.grade(&[]);
    run.assert_exit(1);
    run.assert_says(&["loop-interchange"]);
    run.assert_complains(&["progress was not saved", ".cyclewise"]);
    assert_eq!(
        fs::read_to_string(course.root().join(".cyclewise")).unwrap(),
        "in the way"
    );
}

#[test]
fn a_full_disk_loses_no_progress() {
    let course = CourseCopy::fresh();
    course.grade(&[]).assert_exit(1);
    let before = course.progress();
    course.write_solution(&course.read("reference/solution.rs"));
    // Once built and measured, all that is left to write is the progress: with files limited to
    // no bytes that fails as on a full disk.
    course.grade(&[]).assert_exit(0);
    fs::write(course.root().join(".cyclewise/progress.json"), &before).unwrap();
    let run = course.grade_without_room();
    run.assert_says(&["100"]);
    run.assert_complains(&["progress was not saved"]);
    assert_eq!(course.progress(), before);
}

#[test]
fn ctrl_c_ends_a_grade_and_all_that_it_started() {
    let course = CourseCopy::fresh();
    course.grade(&[]).assert_exit(1);
    let before = course.progress();
    course.write_solution(&solution_that("loop { std::hint::spin_loop(); }"));
    let run = course.interrupt_grade(Duration::from_millis(500), "checking");
    run.assert_exit(130);
    run.assert_complains(&["interrupted"]);
    assert_eq!(course.progress(), before);
    assert!(
        !course.is_anything_running(),
        "the gate outlived the grader"
    );
}

#[test]
fn two_graders_at_once_give_the_same_grade() {
    let course = CourseCopy::fresh();
    let runs = std::thread::scope(|scope| {
        let grade = || course.grade_json(&["--no-cache"]);
        let other = scope.spawn(grade);
        [grade(), other.join().unwrap()]
    });
    runs[0].assert_exit(1);
    assert_eq!(runs[0].json(), runs[1].json());
}

#[test]
fn outside_of_a_course_the_way_back_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let run = course_copy::run_in(folder.path(), &["grade"]);
    run.assert_exit(2);
    run.assert_complains(&["no course found", "Change into your checkout"]);
}

#[test]
fn a_new_lab_compiles_and_starts_at_0() {
    let course = CourseCopy::fresh();
    let made = course.run(&["dev", "new", "memory/trial-lab"]);
    made.assert_exit(0);
    made.assert_says(&["SUMMARY.md", "cargo make dev-check trial-lab"]);
    let run = course.grade_json(&["trial-lab"]);
    run.assert_exit(1);
    assert_eq!(run.only_grade()["status"], "scored", "{run:?}");
    assert_eq!(run.only_grade()["score"], 0.0, "{run:?}");
    let again = course.run(&["dev", "new", "memory/trial-lab"]);
    again.assert_exit(2);
    again.assert_complains(&["the lab `trial-lab` exists already"]);
}

#[test]
fn a_class_is_graded_in_clean_copies() {
    let course = CourseCopy::fresh();
    let class = tempfile::tempdir().unwrap();
    let reference = course.read("reference/solution.rs");
    let hand_in = |who: &str, file: &str, text: &str| {
        let path = class.path().join(who).join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        class.path().join(who).display().to_string()
    };
    let ann = hand_in("ann", "loop-interchange.rs", &reference);
    let bob = hand_in(
        "bob",
        "loop-interchange/solution.rs",
        &solution_that("return 5;"),
    );
    // Whoever grades may have edits of their own lying about.
    fs::write(course.lab("src/baseline.rs"), "not even Rust").unwrap();
    let mine = solution_that("panic!(\"mine\")");
    course.write_solution(&mine);
    let run = course.run(&["regrade", "--format", "json", &ann, &bob]);
    run.assert_exit(1);
    let submissions = run.json()["submissions"].clone();
    assert_eq!(submissions[0]["submission"], ann, "{run:?}");
    assert_eq!(submissions[0]["total"], 100.0, "{run:?}");
    assert_eq!(
        submissions[1]["labs"][0]["status"], "does-not-compile",
        "{run:?}"
    );
    assert_eq!(submissions[1]["total"], 0.0, "{run:?}");
    assert_eq!(course.read("src/solution.rs"), mine);
    assert_eq!(course.progress(), "");
}

#[test]
fn a_submission_without_solutions_is_named_before_anything_is_graded() {
    let course = CourseCopy::fresh();
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().display().to_string();
    let run = course.run(&["regrade", &folder]);
    run.assert_exit(2);
    run.assert_complains(&[&folder, "holds no solution", "loop-interchange.rs"]);
}
