//! What pages take from the course itself, so that the two cannot disagree: a lab's card from its
//! lab.toml, and the table of meters.

use crate::course::{Course, Lab};
use crate::meter::{METERS, Meter};
use crate::report::factor;

const OPEN: &str = "{{#lab ";
const CLOSE: &str = "}}";

/// Replaces every `{{#lab SLUG}}`; `repository` is where the sources can be read on the web.
pub(super) fn expand(
    text: &str,
    course: &Course,
    repository: Option<&str>,
) -> Result<String, String> {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(OPEN) {
        let (before, after) = rest.split_at(start);
        let after = &after[OPEN.len()..];
        let (slug, after) = after
            .split_once(CLOSE)
            .ok_or_else(|| format!("`{OPEN}` without `{CLOSE}`"))?;
        let lab = course.lab(slug.trim()).map_err(|error| error.to_string())?;
        expanded.push_str(before);
        expanded.push_str(&card(lab, repository));
        rest = after;
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// Puts the table of all meters where a page says `{{#meters}}`.
pub(super) fn expand_meters(text: &str) -> String {
    let row = |meter: &Meter| {
        let Meter {
            name,
            counts,
            instrument,
            ..
        } = meter;
        format!("| `{name}` | {counts} | {} |\n", instrument.name())
    };
    let rows: String = METERS.iter().map(row).collect();
    let table = format!("| meter | counts | with |\n| --- | --- | --- |\n{rows}");
    text.replace("{{#meters}}", table.trim_end())
}

/// HTML without blank lines: Markdown would take one for the end of it.
fn card(lab: &Lab, repository: Option<&str>) -> String {
    let Lab {
        slug,
        part,
        manifest,
        ..
    } = lab;
    let path = format!("labs/{part}/{slug}/src/solution.rs");
    let source = match repository {
        Some(repository) => {
            let address = format!("{}/blob/main/{path}", repository.trim_end_matches('/'));
            format!("<a href=\"{}\"><code>{path}</code></a>", escaped(&address))
        }
        None => format!("<code>{path}</code>"),
    };
    let meter = manifest.scored_meter();
    let guards: String = manifest
        .guard
        .iter()
        .map(|guard| {
            let (meter, most) = (escaped(&guard.meter), guard.at_most);
            format!("<dt>Guard</dt><dd>{meter}: at most {most} × the baseline's</dd>\n")
        })
        .collect();
    let closer = meter.instrument.closer_look(slug);
    let closer = closer.map_or(String::new(), |command| {
        format!("<dt>Look closer</dt><dd><code>{command}</code></dd>\n")
    });
    format!(
        "<aside class=\"lab-card\" aria-label=\"Lab: {title}\">\n\
         <p class=\"lab-card-title\">Lab: {title}</p>\n\
         <p>{task}</p>\n\
         <dl>\n\
         <dt>You edit</dt><dd>{source}</dd>\n\
         <dt>Scored on</dt><dd><code>{name}</code>: {counts}</dd>\n\
         <dt>Full score</dt><dd>{full} fewer than the baseline</dd>\n\
         {guards}\
         <dt>Grade it</dt><dd><code>cargo make grade {slug}</code></dd>\n\
         {closer}\
         <dt>Stuck?</dt><dd><code>cargo make hint {slug}</code></dd>\n\
         </dl>\n\
         </aside>\n",
        title = escaped(&manifest.title),
        task = escaped(&manifest.task),
        name = meter.name,
        counts = escaped(meter.counts),
        full = factor(manifest.meter.full),
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
