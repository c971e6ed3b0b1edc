//! From Valgrind's description of an address to the line that the user wrote.

use serde::Serialize;
use std::path::Path;

/// Folders of code that comes with the toolchain or from a registry.
const OTHER_PEOPLES: &[&str] = &[
    "/rustc/",
    "/rustlib/src/",
    "/.cargo/registry/",
    "/.cargo/git/",
    "/usr/include/",
    "/usr/lib/gcc/",
];

/// Where an instruction comes from, as far as the debug information says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceLine {
    /// The function; an address in an object file if there is no symbol.
    pub function: String,
    /// `file:line`, relative to the current folder if it lies below it.
    pub line: Option<String>,
    /// The object file, if there is no line.
    pub object: Option<String>,
}

/// The innermost of `frames` that the user wrote, or else the innermost.
///
/// `frames` are Valgrind's, innermost inlined function first: `name (file:line)`,
/// `name (in object)` or `???`. An iterator adaptor inlined into a loop is thus named at the loop.
#[must_use]
pub fn source_line(
    frames: &[String],
    address: u64,
    object: Option<&str>,
    here: &Path,
) -> SourceLine {
    let parsed: Vec<(&str, Option<&str>)> = frames.iter().map(|frame| split(frame)).collect();
    let is_users = |(_, line): &&(&str, Option<&str>)| {
        line.is_some_and(|line| !OTHER_PEOPLES.iter().any(|folder| line.contains(folder)))
    };
    let chosen = parsed.iter().find(is_users).or(parsed.first());
    let (function, line) = chosen.copied().unwrap_or(("???", None));
    let line = line.map(|line| relative(line, here));
    let function = match (function, object) {
        ("???" | "", Some(object)) => format!("{address:#x} in {}", file_name(object)),
        ("???" | "", None) => format!("{address:#x}"),
        (function, _) => function.to_owned(),
    };
    let object = if line.is_none() {
        object.map(str::to_owned)
    } else {
        None
    };
    SourceLine {
        function,
        line,
        object,
    }
}

/// The name, and the `file:line` if the frame has one.
fn split(frame: &str) -> (&str, Option<&str>) {
    // Names may hold parentheses themselves: the last pair is Valgrind's.
    let Some((name, rest)) = frame.rsplit_once(" (") else {
        return (frame, None);
    };
    let place = rest.trim_end_matches(')');
    if place.starts_with("in ") {
        return (name, None);
    }
    (name, Some(place))
}

fn relative(line: &str, here: &Path) -> String {
    // A module with a `path` attribute is named from the file that declares it.
    let line = &line.replace("/src/../", "/");
    let below = here.to_str().and_then(|here| line.strip_prefix(here));
    let line = below
        .and_then(|line| line.strip_prefix('/'))
        .unwrap_or(line);
    match line.strip_suffix(":0") {
        // What DWARF says of an instruction that the compiler made from several lines.
        Some(file) => format!("{file} (several lines)"),
        None => line.to_owned(),
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(frames: &[&str]) -> SourceLine {
        let frames: Vec<String> = frames.iter().map(|&frame| frame.to_owned()).collect();
        source_line(
            &frames,
            0x4005,
            Some("/usr/bin/gzip"),
            Path::new("/home/me/project"),
        )
    }

    #[test]
    fn inlined_library_code_is_named_at_the_users_line() {
        let line = of(&[
            "core::iter::adapters::zip::next (/rustc/abc/library/core/src/iter/zip.rs:166)",
            "project::multiply (/home/me/project/src/main.rs:41)",
            "project::main (/home/me/project/src/main.rs:90)",
        ]);
        assert_eq!(line.function, "project::multiply");
        assert_eq!(line.line.as_deref(), Some("src/main.rs:41"));
        assert_eq!(line.object, None);
    }

    #[test]
    fn library_code_that_nobody_inlined_is_named_itself() {
        let line = of(&["core::sort (/rustc/abc/library/core/src/sort.rs:5)"]);
        assert_eq!(line.function, "core::sort");
        assert_eq!(
            line.line.as_deref(),
            Some("/rustc/abc/library/core/src/sort.rs:5")
        );
    }

    #[test]
    fn symbol_without_line_names_its_object() {
        let line = of(&["deflate (in /usr/bin/gzip)"]);
        assert_eq!((line.function.as_str(), line.line), ("deflate", None));
        assert_eq!(line.object.as_deref(), Some("/usr/bin/gzip"));
    }

    #[test]
    fn address_without_symbol_is_an_address_in_its_object() {
        assert_eq!(of(&["??? (in /usr/bin/gzip)"]).function, "0x4005 in gzip");
        assert_eq!(of(&["???"]).function, "0x4005 in gzip");
        assert_eq!(of(&[]).function, "0x4005 in gzip");
    }

    #[test]
    fn a_module_at_another_path_is_named_plainly() {
        let line = of(&["f (/home/me/project/src/../reference/f.rs:3)"]);
        assert_eq!(line.line.as_deref(), Some("reference/f.rs:3"));
    }

    #[test]
    fn line_zero_stands_for_several_lines() {
        let line = of(&["f (/home/me/project/f.rs:0)"]);
        assert_eq!(line.line.as_deref(), Some("f.rs (several lines)"));
    }

    #[test]
    fn parentheses_in_a_name_stay() {
        let line = of(&["f(int, char (*)[3]) (/home/me/project/f.cpp:3)"]);
        assert_eq!(line.function, "f(int, char (*)[3])");
    }
}
