//! A lab's solution as it was before anybody touched it.

/// The first line of every untouched solution.
const HEADER: &str = "//! Yours to change: the only file of this lab that you edit.\n";

/// The untouched solution that belongs to a baseline: its code below a header of its own, without
/// the marks by which the book includes pieces of it.
pub fn fresh_solution(baseline: &str) -> String {
    let is_header = |line: &&str| line.starts_with("//!");
    let mut solution = String::from(HEADER);
    for line in baseline.lines().skip_while(is_header) {
        let is_mark = line.trim_start().starts_with("// ANCHOR");
        if !is_mark {
            solution.push_str(line);
            solution.push('\n');
        }
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::fresh_solution;

    #[test]
    fn header_and_marks_are_left_out() {
        let baseline = "//! Slow.\n//! Frozen.\n\n// ANCHOR: f\nfn f() {}\n// ANCHOR_END: f\n";
        insta::assert_snapshot!(fresh_solution(baseline), @r"
        //! Yours to change: the only file of this lab that you edit.

        fn f() {}
        ");
    }
}
