//! Cargo's JSON messages: which programs were built, and what the compiler said of each package.
//!
//! Format: the Cargo book, "External tools", JSON messages.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use serde::Deserialize;

/// What one run of cargo said.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// Programs by package and target.
    programs: BTreeMap<(String, String), PathBuf>,
    /// The compiler's errors by package, as it would have shown them.
    errors: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(tag = "reason")]
enum Message {
    #[serde(rename = "compiler-artifact")]
    Built {
        package_id: String,
        target: Target,
        executable: Option<PathBuf>,
    },
    #[serde(rename = "compiler-message")]
    Diagnosed {
        package_id: String,
        message: Diagnostic,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    rendered: Option<String>,
}

impl Messages {
    pub(super) fn parse(stdout: &[u8]) -> io::Result<Self> {
        let mut messages = Self::default();
        for line in stdout.split(|&byte| byte == b'\n') {
            // A build script may print lines of its own.
            if !line.starts_with(b"{") {
                continue;
            }
            match serde_json::from_slice(line)? {
                Message::Built {
                    package_id,
                    target,
                    executable: Some(program),
                } => {
                    messages
                        .programs
                        .insert((package_name(&package_id), target.name), program);
                }
                Message::Diagnosed {
                    package_id,
                    message,
                } if message.level == "error" => {
                    let rendered = message.rendered.unwrap_or_default();
                    let errors = messages
                        .errors
                        .entry(package_name(&package_id))
                        .or_default();
                    // The same code is compiled for several targets; once is enough to read.
                    if !errors.contains(rendered.trim()) {
                        errors.push_str(&rendered);
                    }
                }
                _ => {}
            }
        }
        Ok(messages)
    }

    pub(super) fn program(&self, package: &str, target: &str) -> Option<PathBuf> {
        self.programs
            .get(&(package.to_owned(), target.to_owned()))
            .cloned()
    }

    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    pub(super) fn errors_of(&self, package: &str) -> String {
        self.errors
            .get(package)
            .map_or(String::new(), |errors| errors.trim_end().to_owned())
    }
}

/// The name in `path+file:///course/labs/memory/loop-interchange#0.1.0` or `…/folder#name@0.1.0`.
fn package_name(id: &str) -> String {
    let (source, fragment) = id.rsplit_once('#').unwrap_or((id, ""));
    match fragment.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => source.rsplit('/').next().unwrap_or(source).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Messages, package_name};

    #[test]
    fn both_forms_of_a_package_id_give_its_name() {
        assert_eq!(
            package_name("path+file:///c/labs/memory/loop-tiling#0.1.0"),
            "loop-tiling"
        );
        assert_eq!(
            package_name("path+file:///c/grader/runner#count-runner@0.1.0"),
            "count-runner"
        );
    }

    #[test]
    fn programs_and_errors_are_told_apart_and_repeats_dropped() {
        let error = r#"{"reason":"compiler-message","package_id":"path+file:///a#0.1.0",
            "message":{"level":"error","rendered":"E1\n"}}"#
            .replace('\n', "");
        let program = r#"{"reason":"compiler-artifact","package_id":"path+file:///b#0.1.0",
            "target":{"name":"correct"},"executable":"/t/correct-1"}"#
            .replace('\n', "");
        let text = [&error, &error, &program, "a build script speaks"]
            .map(String::from)
            .join("\n");
        let messages = Messages::parse(text.as_bytes()).unwrap();
        assert_eq!(messages.errors_of("a"), "E1");
        assert_eq!(
            messages.program("b", "correct").unwrap().to_str(),
            Some("/t/correct-1")
        );
        assert!(messages.has_errors());
    }
}
