//! What was found of a process, as data. Sizes in bytes.

use serde::Serialize;

use super::Mapping;
use super::mapping::Kind;
use super::why::{Circumstances, Why};
use crate::pages::settings::HugePageSettings;

/// When a process was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// As it was when asked.
    Now,
    /// When it had most memory.
    Peak,
}

/// How a process was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Looked {
    /// When.
    pub moment: Moment,
    /// How often, until the right moment was known.
    pub samples: u64,
    /// Whether page frames were looked at too.
    pub frames: bool,
    /// Why not.
    pub frames_denied: Option<String>,
}

/// A mapping and what was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// The first address.
    pub start: u64,
    /// The address behind the last.
    pub end: u64,
    /// What it shows.
    pub kind: Kind,
    /// Its file, or a name in brackets.
    pub name: String,
    /// What is in memory.
    pub in_memory_bytes: u64,
    /// What is on huge pages, mapped as such.
    pub huge_bytes: u64,
    /// What lies in frames of huge pages, however it is mapped; unknown without root.
    pub in_huge_frames_bytes: Option<u64>,
    /// Why not all that could be is on huge pages.
    pub why: Option<Why>,
    /// The next step.
    pub next: Option<&'static str>,
}

/// All that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PagesReport {
    /// The program's name.
    pub program: String,
    /// The process's number.
    pub process: u32,
    /// The machine's settings.
    pub settings: HugePageSettings,
    /// How it was looked at.
    pub looked: Looked,
    /// What is in memory in all.
    pub in_memory_bytes: u64,
    /// What of it is on huge pages.
    pub huge_bytes: u64,
    /// The mappings, by address.
    pub mappings: Vec<Judged>,
}

impl PagesReport {
    /// Judges the mappings of a process.
    pub fn new(
        program: String,
        process: u32,
        looked: Looked,
        mappings: &[Mapping],
        circumstances: &Circumstances,
    ) -> Self {
        let sum = |of: fn(&Mapping) -> u64| mappings.iter().map(of).sum();
        let judged = |mapping: &Mapping| {
            let why = Why::of(mapping, circumstances);
            Judged {
                start: mapping.range.start,
                end: mapping.range.end,
                kind: mapping.kind(),
                name: mapping.name.clone(),
                in_memory_bytes: mapping.in_memory_bytes(),
                huge_bytes: mapping.huge_bytes,
                in_huge_frames_bytes: None,
                why,
                next: why.map(Why::next),
            }
        };
        Self {
            program,
            process,
            settings: circumstances.settings.clone(),
            looked,
            in_memory_bytes: sum(Mapping::in_memory_bytes),
            huge_bytes: sum(|mapping| mapping.huge_bytes),
            mappings: mappings.iter().map(judged).collect(),
        }
    }

    /// Adds what page frames tell, in the mappings' order.
    pub fn add_frames(&mut self, frames: &[u64]) {
        for (mapping, &bytes) in self.mappings.iter_mut().zip(frames) {
            mapping.in_huge_frames_bytes = Some(bytes);
        }
    }
}
