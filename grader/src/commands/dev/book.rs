//! `grader dev book`: checks the built book.
//!
//! Every link to a page, a place in a page, a picture or a script of the book has to lead somewhere,
//! and nothing may be fetched from another host. Links to other sites are for the reader's browser:
//! a test that needs a network fails for reasons that are not ours.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use clap::Args;

use crate::commands::{Outcome, complain, print};
use crate::course::Course;
use crate::error::{Error, Exit, While as _};
use crate::grading::count;

/// What `dev book` is told.
#[derive(Debug, Clone, Args)]
pub struct BookArgs {
    /// The folder with the built book
    #[arg(default_value = "book/book")]
    pub folder: PathBuf,
}

/// A built page: its anchors, and what it refers to.
#[derive(Debug, Default)]
struct Page {
    /// What mdBook could not expand, such as an included file that is missing; it only warns.
    unexpanded: Option<String>,
    anchors: BTreeSet<String>,
    /// Followed by a person who clicks.
    links: Vec<String>,
    /// Fetched by the browser without asking.
    fetched: Vec<String>,
}

/// Reads all pages and prints what leads nowhere.
///
/// # Errors
///
/// If there is no built book.
pub fn run(args: &BookArgs) -> Outcome {
    let course = Course::around_here()?;
    let folder = course.root.join(&args.folder);
    let pages = read_pages(&folder)?;
    if pages.is_empty() {
        let found = format!(
            "{} holds no pages: `cargo make book` builds them",
            folder.display()
        );
        return Err(Error::Book(found));
    }
    let mut problems = Vec::new();
    for lab in &course.labs {
        let page = folder.join(lab.page()).with_extension("html");
        if !pages.contains_key(&page) {
            problems.push(format!(
                "the lab {} has no page {}",
                lab.slug,
                page.display()
            ));
        }
    }
    let mut links = 0;
    for (path, page) in &pages {
        let shown = path.strip_prefix(&folder).unwrap_or(path).display();
        if let Some(found) = &page.unexpanded {
            problems.push(format!("{shown}: mdBook could not expand {found}"));
        }
        for target in page.links.iter().chain(&page.fetched) {
            links += 1;
            if let Some(found) = broken(target, path, &folder, &pages) {
                problems.push(format!("{shown}: {found}"));
            }
        }
        for target in page.fetched.iter().filter(|target| is_elsewhere(target)) {
            problems.push(format!("{shown}: fetches {target} from another host"));
        }
    }
    if problems.is_empty() {
        print(&format!(
            "{}, {} checked: all lead somewhere\n",
            count(pages.len(), "page"),
            count(links, "link")
        ));
        return Ok(Exit::Passed);
    }
    complain(&problems.join("\n"));
    Ok(Exit::Below)
}

fn is_elsewhere(target: &str) -> bool {
    target.starts_with("//")
        || target
            .split_once("://")
            .is_some_and(|(scheme, _)| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Why a link leads nowhere, if it does.
fn broken(
    target: &str,
    from: &Path,
    folder: &Path,
    pages: &BTreeMap<PathBuf, Page>,
) -> Option<String> {
    let is_for_the_browser = ["mailto:", "data:", "javascript:"];
    if is_elsewhere(target)
        || is_for_the_browser
            .iter()
            .any(|scheme| target.starts_with(scheme))
    {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = path.split('?').next().unwrap_or_default();
    let base = from.parent().unwrap_or(folder);
    let mut file = if path.is_empty() {
        from.to_path_buf()
    } else {
        joined(base, path)
    };
    if file.is_dir() {
        file.push("index.html");
    }
    if !file.starts_with(folder) || !file.is_file() {
        return Some(format!("{target} leads nowhere"));
    }
    let has_anchor = |page: &Page| anchor.is_empty() || page.anchors.contains(&decoded(anchor));
    match pages.get(&file) {
        Some(page) if !has_anchor(page) => Some(format!("{target}: that page has no such place")),
        _ => None,
    }
}

/// `base/path` with `.` and `..` taken out.
fn joined(base: &Path, path: &str) -> PathBuf {
    let mut joined = base.to_path_buf();
    for component in Path::new(&decoded(path)).components() {
        match component {
            Component::ParentDir => drop(joined.pop()),
            Component::Normal(name) => joined.push(name),
            _ => {}
        }
    }
    joined
}

/// `%20` and its kin as the characters that they stand for.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let hex = others.get(..2).filter(|_| *first == b'%');
        let byte = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &others[2..] } else { others };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn read_pages(folder: &Path) -> Result<BTreeMap<PathBuf, Page>, Error> {
    let mut pages = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "html")
            {
                let text = fs::read_to_string(&path)
                    .while_trying(|| format!("reading {}", path.display()))?;
                pages.insert(path, read_page(&text)?);
            }
        }
    }
    Ok(pages)
}

fn read_page(text: &str) -> Result<Page, Error> {
    let parsed = tl::parse(text, tl::ParserOptions::default())
        .map_err(|error| Error::Book(format!("a page cannot be read: {error}")))?;
    let unexpanded = text
        .split_once("{{#")
        .and_then(|(_, rest)| rest.split_once("}}"));
    let unexpanded = unexpanded.map(|(what, _)| format!("{{{{#{what}}}}}"));
    let mut page = Page {
        unexpanded,
        ..Page::default()
    };
    for tag in parsed.nodes().iter().filter_map(|node| node.as_tag()) {
        let attribute = |name: &str| {
            let value = tag.attributes().get(name).flatten()?;
            Some(value.as_utf8_str().replace("&amp;", "&"))
        };
        page.anchors.extend(attribute("id"));
        let name = tag.name().as_utf8_str();
        match name.as_ref() {
            "a" => {
                page.anchors.extend(attribute("name"));
                page.links.extend(attribute("href"));
            }
            "link" => page.fetched.extend(attribute("href")),
            _ => page.fetched.extend(attribute("src")),
        }
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{broken, read_pages};

    #[test]
    fn links_to_missing_pages_and_places_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::create_dir(folder.join("part")).unwrap();
        fs::write(folder.join("index.html"), "<h1 id=\"top\">T</h1>").unwrap();
        fs::write(folder.join("part/a b.html"), "<h2 id=\"sec-1\">S</h2>").unwrap();
        let pages = read_pages(folder).unwrap();
        let from = folder.join("part/a b.html");
        let check = |target: &str| broken(target, &from, folder, &pages).is_some();
        for sound in [
            "../index.html",
            "../index.html#top",
            "#sec-1",
            "a%20b.html",
            "../",
            "https://x.y",
        ] {
            assert!(!check(sound), "{sound}");
        }
        for nowhere in [
            "index.html",
            "../index.html#bottom",
            "#sec-2",
            "../../etc/passwd",
        ] {
            assert!(check(nowhere), "{nowhere}");
        }
    }
}
