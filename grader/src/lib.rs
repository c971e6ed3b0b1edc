//! What the `grader` command is made of: labs, meters, the score, reports.
