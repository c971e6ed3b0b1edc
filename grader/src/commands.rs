//! The subcommands: one file each, what a person types.

pub mod dev;
pub mod doctor;
mod emit;
pub mod explain;
pub mod footprint;
pub mod grade;
pub mod hint;
pub mod list;
pub mod pages;
pub mod pipeline;
pub mod plot;
mod profiling;
pub mod regrade;
pub mod reset;
pub mod reuse;
pub mod reveal;
pub mod schedule;
pub mod tlb;
pub mod watch;

use std::io::Write as _;

use crate::course::Course;
use crate::error::Error;
use crate::store::progress::{Progress, ProgressFile};

/// Prints text, without its styles where they do not belong. A reader who closed the pipe has seen
/// enough.
pub fn print(text: &str) {
    let mut stdout = anstream::stdout().lock();
    let _ = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
}

/// Prints to the error stream, in the same way.
pub fn complain(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// The reader's progress; one that cannot be read is complained about and taken as none.
pub fn progress_of(course: &Course) -> (ProgressFile, Progress) {
    let file = ProgressFile::new(&course.keepsakes());
    let progress = file.read().unwrap_or_else(|error| {
        complain(&format!("your progress cannot be read: {error}"));
        Progress::default()
    });
    (file, progress)
}

/// Changes the reader's progress; one that cannot be saved is complained about, and the command
/// goes on: what it found out is still worth showing.
pub fn keep_progress(file: &ProgressFile, change: impl FnOnce(&mut Progress)) {
    if let Err(error) = file.update(change) {
        complain(&format!(
            "your progress was not saved in {}: {error}\n\
             What was saved before is untouched. Make room there or make it writable, and run \
             this again.",
            file.path().display()
        ));
    }
}

/// A short line about what is going on, on the error stream: rewritten in a terminal, plain
/// elsewhere.
pub fn tell(text: &str) {
    use std::io::IsTerminal as _;
    let mut stderr = std::io::stderr().lock();
    let _ = if stderr.is_terminal() {
        write!(stderr, "\r\x1b[K{text} …").and_then(|()| stderr.flush())
    } else {
        writeln!(stderr, "{text}")
    };
}

/// Wipes the line that [`tell`] left in a terminal.
pub fn tell_no_more() {
    use std::io::IsTerminal as _;
    let mut stderr = std::io::stderr().lock();
    if stderr.is_terminal() {
        let _ = write!(stderr, "\r\x1b[K").and_then(|()| stderr.flush());
    }
}

/// Asks a question that `y` or `yes` affirms; nobody there to answer is a no.
pub fn ask(question: &str) -> bool {
    let mut stderr = anstream::stderr().lock();
    let _ = write!(stderr, "{question} [y/N] ").and_then(|()| stderr.flush());
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer).unwrap_or(0);
    if read == 0 {
        let _ = writeln!(stderr);
    }
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

/// What a subcommand comes to.
pub type Outcome = Result<crate::error::Exit, Error>;
