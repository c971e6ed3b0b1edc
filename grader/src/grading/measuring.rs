//! Measures the labs that passed the gate: each variant under each instrument that its meters need.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Candidate, Counts, Grade, Guarded, Settings, Status, scored, without_counts};
use crate::build::BuiltLab;
use crate::course::{Course, Lab, Need};
use crate::error::{Error, While as _};
use crate::host::side_by_side::{cores, side_by_side};
use crate::host::terminal::{width, wrap};
use crate::meter::{Instrument, Readings};
use crate::store::memory::{Key, Memory};

const VARIANTS: [&str; 2] = ["baseline", "solution"];

/// One measured variant.
#[derive(Debug, Clone)]
pub struct Measured {
    /// What the instrument read.
    pub readings: Readings,
    /// The folder with the instrument's own files.
    pub files: PathBuf,
}

/// Measures a variant, or recalls what was measured before.
///
/// # Errors
///
/// [`Error::Missing`] without the instrument, [`Error::Measure`] if it gave no numbers.
pub fn measure_variant(
    course: &Course,
    lab: &BuiltLab,
    variant: &str,
    instrument: Instrument,
    memory: &Memory,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<Measured, Error> {
    let version = instrument.check_host()?;
    let facts = [instrument.name(), &version, variant];
    let key = Key::new(&[&lab.bench], &facts)
        .while_trying(|| format!("reading {}", lab.bench.display()))?;
    let runs = course.scratch().join("runs");
    let files = runs
        .join(&lab.slug)
        .join(format!("{variant}, {}", instrument.name()));
    let files_key = files.join("key");
    let is_of_this_run = || fs::read_to_string(&files_key).is_ok_and(|text| text == key.text());
    if let Some(readings) = memory.recall(&key)
        && is_of_this_run()
    {
        return Ok(Measured { readings, files });
    }
    let tool = instrument.name();
    tell(&format!("measuring {}, {variant}, with {tool}", lab.slug));
    fs::create_dir_all(&runs).while_trying(|| format!("making {}", runs.display()))?;
    // A second grader may be measuring the same; each writes a folder of its own first.
    let fresh = tempfile::tempdir_in(&runs).while_trying(|| format!("using {}", runs.display()))?;
    let readings = instrument.measure(lab, variant, &fresh.path().join("run"))?;
    let kept = fs::write(fresh.path().join("run/key"), key.text())
        .and_then(|()| fs::create_dir_all(runs.join(&lab.slug)))
        .and_then(|()| replace_folder(&files, &fresh.path().join("run"), fresh.path()));
    kept.while_trying(|| format!("keeping {}", files.display()))?;
    memory.keep(&key, &readings);
    Ok(Measured { readings, files })
}

/// Puts the folder `new` in the place of `old`, whatever other graders do there meanwhile: whoever
/// comes last stays. What was there goes to `aside`.
fn replace_folder(old: &Path, new: &Path, aside: &Path) -> io::Result<()> {
    /// Each further attempt means that another grader has just kept a run of the same lab.
    const ATTEMPTS: usize = 100;
    for attempt in 1.. {
        match fs::rename(old, aside.join(format!("old-{attempt}"))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        match fs::rename(new, old) {
            Err(error)
                if error.kind() == io::ErrorKind::DirectoryNotEmpty && attempt < ATTEMPTS => {}
            ended => return ended,
        }
    }
    unreachable!("the last attempt returns")
}

/// Measures every candidate that is left and gives every candidate its grade.
pub(super) fn measure_all(
    course: &Course,
    candidates: Vec<Candidate<'_>>,
    memory: &Memory,
    settings: &Settings<'_>,
) -> Result<Vec<Grade>, Error> {
    let candidates: Vec<Candidate<'_>> = candidates.into_iter().map(without_needed).collect();
    let mut jobs = Vec::new();
    for candidate in &candidates {
        if let Candidate::Built { lab, built, .. } = candidate {
            for (variant, instrument) in runs_of(lab) {
                let tell = settings.tell;
                jobs.push(move || {
                    measure_variant(course, built, variant, instrument, memory, tell)
                        .map(|measured| measured.readings)
                });
            }
        }
    }
    let mut results = side_by_side(cores(), jobs).into_iter();
    let mut grades = Vec::new();
    for candidate in candidates {
        grades.push(match candidate {
            Candidate::Done(grade) => *grade,
            Candidate::Built {
                lab,
                edited,
                remark,
                ..
            } => {
                let runs = runs_of(lab);
                let results: Vec<_> = results.by_ref().take(runs.len()).collect();
                let mut grade = judge(lab, runs, results)?;
                grade.edited = edited;
                grade.detail = grade.detail.or(remark);
                grade
            }
        });
    }
    Ok(grades)
}

/// A lab whose needs this machine does not meet is ungraded, not measured.
fn without_needed(candidate: Candidate<'_>) -> Candidate<'_> {
    let Candidate::Built { lab, edited, .. } = &candidate else {
        return candidate;
    };
    match lab.manifest.needs.map(Need::meet) {
        Some(Err(missing)) => {
            let mut detail = wrap(&missing.to_string(), width(), 0).trim_end().to_owned();
            if lab.manifest.needs == Some(Need::AdvisedHugePages) {
                detail += &format!(
                    "\nTo practise meanwhile, on a model that assumes huge pages everywhere:\n  \
                     cargo run -p grader -- tlb {} --pages 2m",
                    lab.slug
                );
            }
            let mut grade = without_counts(lab, Status::Ungraded, detail);
            grade.edited.clone_from(edited);
            Candidate::Done(Box::new(grade))
        }
        _ => candidate,
    }
}

/// Which instruments a lab's meters need, for both variants.
fn runs_of(lab: &Lab) -> Vec<(&'static str, Instrument)> {
    let mut instruments: Vec<_> = lab
        .manifest
        .meters()
        .iter()
        .map(|meter| meter.instrument)
        .collect();
    instruments.sort();
    instruments.dedup();
    // Callgrind with branches reads all that plain Callgrind reads.
    if instruments.contains(&Instrument::CallgrindBranches) {
        instruments.retain(|&instrument| instrument != Instrument::Callgrind);
    }
    let both = |instrument| VARIANTS.map(|variant| (variant, instrument));
    instruments.into_iter().flat_map(both).collect()
}

/// The grade that a lab's runs give. Only Ctrl-C is an error; what fails is the lab's own matter.
fn judge(
    lab: &Lab,
    runs: Vec<(&'static str, Instrument)>,
    results: Vec<Result<Readings, Error>>,
) -> Result<Grade, Error> {
    let mut readings: BTreeMap<&str, Readings> = BTreeMap::new();
    for ((variant, _), result) in runs.into_iter().zip(results) {
        match result {
            Ok(read) => readings.entry(variant).or_default().extend(read),
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            Err(error) => return Ok(without_counts(lab, Status::Ungraded, error.to_string())),
        }
    }
    let counts_of = |meter: &crate::meter::Meter| {
        let [baseline, solution] =
            VARIANTS.map(|variant| readings.get(variant).and_then(|read| meter.read(read)));
        Some(Counts {
            baseline: baseline?,
            solution: solution?,
        })
    };
    let meter = lab.manifest.scored_meter();
    let Some(counts) = counts_of(meter) else {
        let detail = format!("{} read no {}", meter.instrument.name(), meter.unit);
        return Ok(without_counts(lab, Status::Ungraded, detail));
    };
    let guards = lab.manifest.guard.iter().filter_map(|guard| {
        let meter = crate::meter::Meter::named(&guard.meter)?;
        Some(Guarded {
            meter,
            counts: counts_of(meter)?,
            at_most: guard.at_most,
        })
    });
    Ok(scored(lab, meter, counts, guards.collect()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::replace_folder;

    #[test]
    fn many_replace_one_folder_and_a_whole_one_stays() {
        let root = tempfile::tempdir().unwrap();
        let kept = root.path().join("kept");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let (root, kept) = (root.path(), &kept);
                scope.spawn(move || {
                    for round in 0..200 {
                        let own = root.join(format!("{writer}-{round}"));
                        fs::create_dir_all(own.join("new/inner")).unwrap();
                        fs::write(own.join("new/inner/file"), "whole").unwrap();
                        replace_folder(kept, &own.join("new"), &own).unwrap();
                    }
                });
            }
        });
        assert_eq!(
            fs::read_to_string(kept.join("inner/file")).unwrap(),
            "whole"
        );
    }
}
