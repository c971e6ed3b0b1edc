//! `grader dev new`: a complete lab crate that compiles and passes its own tests, and a page stub.
//!
//! The files come from `grader/templates/lab`, where each field is explained by a comment above it.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::{Outcome, print};
use crate::course::Course;
use crate::error::{Error, Exit, While as _};

/// What `dev new` is told.
#[derive(Debug, Clone, Args)]
pub struct NewArgs {
    /// The part of the course and the lab's name, as in `memory/loop-tiling`
    #[arg(value_name = "PART/SLUG", value_parser = part_and_slug)]
    pub lab: (String, String),
}

/// A template: where it goes, below the lab's folder, and its text.
const TEMPLATES: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        include_str!("../../../templates/lab/Cargo.toml.template"),
    ),
    (
        "lab.toml",
        include_str!("../../../templates/lab/lab.toml.template"),
    ),
    (
        "src/lib.rs",
        include_str!("../../../templates/lab/lib.rs.template"),
    ),
    (
        "src/main.rs",
        include_str!("../../../templates/lab/main.rs.template"),
    ),
    (
        "src/baseline.rs",
        include_str!("../../../templates/lab/baseline.rs.template"),
    ),
    (
        "src/solution.rs",
        include_str!("../../../templates/lab/solution.rs.template"),
    ),
    (
        "reference/solution.rs",
        include_str!("../../../templates/lab/reference.rs.template"),
    ),
    (
        "wrong/misses_the_last.rs",
        include_str!("../../../templates/lab/wrong.rs.template"),
    ),
    (
        "tests/correct.rs",
        include_str!("../../../templates/lab/correct.rs.template"),
    ),
    (
        "tests/snapshots/correct__up_and_down.snap",
        include_str!("../../../templates/lab/snapshot.template"),
    ),
    (
        "benches/instructions.rs",
        include_str!("../../../templates/lab/instructions.rs.template"),
    ),
    (
        "benches/time.rs",
        include_str!("../../../templates/lab/time.rs.template"),
    ),
];
const PAGE: &str = include_str!("../../../templates/lab/page.md.template");

fn part_and_slug(text: &str) -> Result<(String, String), String> {
    let is_slug = |name: &str| {
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(letters)
    };
    match text.split_once('/') {
        Some((part, slug)) if is_slug(part) && is_slug(slug) => Ok((part.into(), slug.into())),
        _ => Err("expected PART/SLUG in small letters, digits and hyphens".into()),
    }
}

/// Writes the files; none of them may exist.
///
/// # Errors
///
/// If the lab exists already, or a file cannot be written.
pub fn run(args: &NewArgs) -> Outcome {
    let course = Course::around_here()?;
    let (part, slug) = &args.lab;
    let folder = course.root.join("labs").join(part).join(slug);
    if let Some(lab) = course.labs.iter().find(|lab| &lab.slug == slug) {
        return Err(Error::Exists {
            what: format!("the lab `{slug}`"),
            at: lab.folder.clone(),
        });
    }
    if folder.exists() {
        return Err(Error::Exists {
            what: "this folder".into(),
            at: folder,
        });
    }
    let fill = |template: &str| filled(template, part, slug);
    for (file, template) in TEMPLATES {
        write(&folder.join(file), &fill(template))?;
    }
    let page = course
        .root
        .join("book/src")
        .join(part)
        .join(slug)
        .with_extension("md");
    if !page.exists() {
        write(&page, &fill(PAGE))?;
    }
    let mut said = format!(
        "Made labs/{part}/{slug} and book/src/{part}/{slug}.md.\n\nNext:\n\
         1. List the page in book/src/SUMMARY.md.\n"
    );
    if needs_member(&course.root, part)? {
        said += &format!("2. Add \"labs/{part}/*\" to the members in Cargo.toml.\n");
    }
    said += &format!(
        "Then write the lab and run `cargo make dev-check {slug}` until it has nothing to say.\n"
    );
    print(&said);
    Ok(Exit::Passed)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).while_trying(|| format!("making {}", folder.display()))?;
    fs::write(path, text).while_trying(|| format!("writing {}", path.display()))
}

/// Whether the workspace does not take in this part's folder yet.
fn needs_member(root: &Path, part: &str) -> Result<bool, Error> {
    let path: PathBuf = root.join("Cargo.toml");
    let text = fs::read_to_string(&path).while_trying(|| format!("reading {}", path.display()))?;
    Ok(!text.contains(&format!("\"labs/{part}/*\"")))
}

/// The template with the lab's names in it: `{slug}`, `{crate}`, `{Lab}`, `{Title}`.
fn filled(template: &str, part: &str, slug: &str) -> String {
    let words: Vec<&str> = slug.split('-').filter(|word| !word.is_empty()).collect();
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    let type_name: String = words.iter().map(|word| capital(word)).collect();
    template
        .replace("{part}", part)
        .replace("{slug}", slug)
        .replace("{crate}", &slug.replace('-', "_"))
        .replace("{Lab}", &type_name)
        .replace("{Title}", &capital(&words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::{filled, part_and_slug};

    #[test]
    fn names_are_made_from_the_slug() {
        let text = filled(
            "{part} {slug} {crate} {Lab} {Title}",
            "memory",
            "loop-tiling",
        );
        assert_eq!(
            text,
            "memory loop-tiling loop_tiling LoopTiling Loop tiling"
        );
    }

    #[test]
    fn only_slugs_with_a_part_are_taken() {
        assert!(part_and_slug("memory/loop-tiling").is_ok());
        for bad in [
            "loop-tiling",
            "memory/Loop",
            "memory/",
            "a/b/c",
            "../x/y",
            "memory/1a",
        ] {
            assert!(part_and_slug(bad).is_err(), "{bad}");
        }
    }
}
