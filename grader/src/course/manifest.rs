//! `lab.toml`: what the grader knows of a lab.

use serde::Deserialize;

use crate::host::huge_pages;
use crate::host::tools::Missing;
use crate::meter::Meter;

/// A lab's description.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The lab's name for people.
    pub title: String,
    /// What to do, in one sentence.
    pub task: String,
    /// What the machine has to offer, if that is more than other labs need; without it the lab is
    /// ungraded.
    pub needs: Option<Need>,
    /// What is scored.
    pub meter: Scored,
    /// Counts that may not grow.
    #[serde(default)]
    pub guard: Vec<Guard>,
    /// Hints, each telling more than the one before.
    pub hint: Vec<Hint>,
    /// What `reveal` says beside the reference.
    pub reveal: Reveal,
}

/// What a lab needs of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// Huge pages for programs that ask for them, and for no others.
    AdvisedHugePages,
    /// Small pages for programs that ask for nothing.
    SmallPages,
}

impl Need {
    /// Sees to it that this process and its children have it.
    ///
    /// Where huge pages are given unasked, this process and its children do without them from here
    /// on: what they measure is what they would on a machine that gives them on request.
    ///
    /// # Errors
    ///
    /// [`Missing`] with what to do about it.
    pub fn meet(self) -> Result<(), Missing> {
        let setting = huge_pages::transparent();
        if setting.as_deref().is_ok_and(|setting| setting == "always") {
            let met = huge_pages::give_on_request_only()
                || (self == Self::SmallPages && huge_pages::give_none());
            return if met { Ok(()) } else { Err(given_unasked()) };
        }
        match self {
            Self::AdvisedHugePages => setting.map(|_| ()),
            Self::SmallPages => Ok(()),
        }
    }
}

fn given_unasked() -> Missing {
    Missing {
        tool: "transparent huge pages",
        found: "this machine gives them to every large mapping unasked, so the baseline has them \
                too, and its kernel is older than 6.18 and cannot except a process"
            .into(),
        remedy: "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled".into(),
    }
}

/// The scored meter.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scored {
    /// The meter's name.
    pub name: String,
    /// The improvement, baseline ÷ solution, that earns 100 points.
    pub full: f64,
}

/// A count that may not grow, so that the score cannot be bought with it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// The meter's name.
    pub meter: String,
    /// The largest allowed solution ÷ baseline.
    pub at_most: f64,
}

/// One hint.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// What the hint says.
    pub text: String,
}

/// What `reveal` says beside the reference.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// Why the reference is fast.
    pub why: String,
}

impl Manifest {
    /// Reads a lab.toml and checks what its types cannot.
    ///
    /// # Errors
    ///
    /// What is wrong, where it is, in the parser's words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let manifest: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let guards = manifest.guard.iter().map(|guard| &guard.meter);
        for name in guards.chain([&manifest.meter.name]) {
            if Meter::named(name).is_none() {
                let known: Vec<_> = crate::meter::METERS
                    .iter()
                    .map(|meter| meter.name)
                    .collect();
                return Err(format!(
                    "there is no meter `{name}`; the meters are {}",
                    known.join(", ")
                ));
            }
        }
        if manifest.meter.full.is_nan() || manifest.meter.full <= 1.0 {
            return Err(format!(
                "`full` in [meter] is {}; the improvement that earns 100 is above 1",
                manifest.meter.full
            ));
        }
        Ok(manifest)
    }

    /// The scored meter.
    ///
    /// # Panics
    ///
    /// Never for a manifest that [`Manifest::parse`] gave.
    pub fn scored_meter(&self) -> &'static Meter {
        Meter::named(&self.meter.name).expect("parsing refuses unknown meters")
    }

    /// The scored meter and the guards' meters, each once.
    pub fn meters(&self) -> Vec<&'static Meter> {
        let mut meters = vec![self.scored_meter()];
        for guard in self
            .guard
            .iter()
            .filter_map(|guard| Meter::named(&guard.meter))
        {
            if meters.iter().all(|meter| meter.name != guard.name) {
                meters.push(guard);
            }
        }
        meters
    }
}

#[cfg(test)]
mod tests {
    use super::Manifest;

    const GOOD: &str = r#"
        title = "T"
        task = "Do."
        [meter]
        name = "instructions"
        full = 2.0
        [[hint]]
        text = "h"
        [reveal]
        why = "w"
    "#;

    #[test]
    fn a_complete_manifest_is_read() {
        let manifest = Manifest::parse(GOOD).unwrap();
        assert_eq!(manifest.meters().len(), 1);
    }

    #[test]
    fn a_need_is_read_and_an_unknown_one_is_named() {
        let with = |need| GOOD.replace("[meter]", &format!("needs = \"{need}\"\n[meter]"));
        let manifest = Manifest::parse(&with("advised-huge-pages")).unwrap();
        assert_eq!(manifest.needs, Some(super::Need::AdvisedHugePages));
        let found = Manifest::parse(&with("gold")).unwrap_err();
        assert!(found.contains("gold"), "{found}");
    }

    #[test]
    fn an_unknown_meter_is_named_with_the_known_ones() {
        let found = Manifest::parse(&GOOD.replace("instructions", "seconds")).unwrap_err();
        assert!(
            found.contains("`seconds`") && found.contains("heap-blocks"),
            "{found}"
        );
    }

    #[test]
    fn a_misspelt_field_is_named_with_its_line() {
        let found = Manifest::parse(&GOOD.replace("task", "tusk")).unwrap_err();
        assert!(
            found.contains("tusk") && found.contains("line 3"),
            "{found}"
        );
    }

    #[test]
    fn a_full_score_for_no_improvement_is_refused() {
        for full in ["1.0", "0", "-3", "nan"] {
            assert!(
                Manifest::parse(&GOOD.replace("2.0", full)).is_err(),
                "{full}"
            );
        }
    }
}
