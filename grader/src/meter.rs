//! What can be counted, and with which instrument.

mod cycles;
mod model;
mod tracer;
mod valgrind;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::build::BuiltLab;
use crate::error::{Error, While as _};
use crate::host::tools::Missing;

/// A number that does not depend on what else the machine does.
#[derive(Debug, PartialEq, Eq)]
pub struct Meter {
    /// Its name in lab.toml and in reports.
    pub name: &'static str,
    /// What one of it is, in the plural.
    pub unit: &'static str,
    /// What it counts, in one line.
    pub counts: &'static str,
    /// What reads it.
    pub instrument: Instrument,
    /// The instrument's readings that it adds up.
    pub readings: &'static [&'static str],
}

/// A tool that reads several meters in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Instrument {
    /// Callgrind with its cache model, through iai-callgrind.
    Callgrind,
    /// Callgrind with its branch predictor as well.
    CallgrindBranches,
    /// DHAT, through iai-callgrind.
    Dhat,
    /// A simulation that the lab's own bench runs.
    Model,
    /// The tracer's footprint in lines.
    Lines,
    /// The tracer's footprint in pages.
    Pages,
    /// The tracer's reuse distances.
    Reuse,
    /// The model core, fed by the tracer.
    Core,
    /// The tracer's page walks.
    Walks,
}

pub use cycles::CORE_COSTS;
pub use tracer::same_environment;

/// An instrument's readings of one run, by name.
pub type Readings = BTreeMap<String, u64>;

/// All meters. A new one is a line here, and an instrument if none reads it yet.
pub const METERS: &[Meter] = &[
    Meter {
        name: "instructions",
        unit: "instructions",
        counts: "instructions executed",
        instrument: Instrument::Callgrind,
        readings: &["Ir"],
    },
    Meter {
        name: "l1-misses",
        unit: "L1 misses",
        counts: "loads and stores that miss a 32 KB, 8-way L1 data cache",
        instrument: Instrument::Callgrind,
        readings: &["D1mr", "D1mw"],
    },
    Meter {
        name: "ll-misses",
        unit: "last-level misses",
        counts: "loads and stores that miss an 8 MB, 16-way last-level cache",
        instrument: Instrument::Callgrind,
        readings: &["DLmr", "DLmw"],
    },
    Meter {
        name: "branch-misses",
        unit: "mispredicted branches",
        counts: "conditional and indirect branches that a simple predictor gets wrong",
        instrument: Instrument::CallgrindBranches,
        readings: &["Bcm", "Bim"],
    },
    Meter {
        name: "heap-blocks",
        unit: "heap blocks",
        counts: "blocks allocated",
        instrument: Instrument::Dhat,
        readings: &["TotalBlocks"],
    },
    Meter {
        name: "heap-bytes",
        unit: "heap bytes",
        counts: "bytes allocated",
        instrument: Instrument::Dhat,
        readings: &["TotalBytes"],
    },
    Meter {
        name: "heap-peak",
        unit: "heap bytes at the peak",
        counts: "bytes allocated at the moment when most are",
        instrument: Instrument::Dhat,
        readings: &["MaximumBytes"],
    },
    Meter {
        name: "makespan",
        unit: "virtual cycles",
        counts: "virtual time of fork-join programs on a model multicore",
        instrument: Instrument::Model,
        readings: &["makespan"],
    },
    Meter {
        name: "l3-misses",
        unit: "L3 misses",
        counts: "misses of the shared caches of a model multicore",
        instrument: Instrument::Model,
        readings: &["l3-misses"],
    },
    Meter {
        name: "cache-lines",
        unit: "cache lines",
        counts: "distinct cache lines of 64 B touched, code included",
        instrument: Instrument::Lines,
        readings: &["lines"],
    },
    Meter {
        name: "pages",
        unit: "pages",
        counts: "distinct pages of 4 KiB touched, code included",
        instrument: Instrument::Pages,
        readings: &["pages"],
    },
    Meter {
        name: "reuse",
        unit: "far reuses",
        counts: "accesses whose reuse distance exceeds a 32 KB L1, first uses included",
        instrument: Instrument::Reuse,
        readings: &["far-reuses"],
    },
    Meter {
        name: "cycles",
        unit: "modelled cycles",
        counts: "cycles on a model of Golden Cove that starts with empty caches",
        instrument: Instrument::Core,
        readings: &["cycles"],
    },
    Meter {
        name: "page-walks",
        unit: "page walks",
        counts: "accesses that no TLB of a Zen 4 core translates, given the pages' real sizes",
        instrument: Instrument::Walks,
        readings: &["data-walks", "instruction-walks"],
    },
    Meter {
        name: "data-page-walks",
        unit: "page walks for data",
        counts: "loads and stores that no TLB of a Zen 4 core translates",
        instrument: Instrument::Walks,
        readings: &["data-walks"],
    },
    Meter {
        name: "code-page-walks",
        unit: "page walks for instructions",
        counts: "instruction fetches that no TLB of a Zen 4 core translates",
        instrument: Instrument::Walks,
        readings: &["instruction-walks"],
    },
    Meter {
        name: "line-transfers",
        unit: "line transfers",
        counts: "cache lines that move between the workers of a model multicore",
        instrument: Instrument::Model,
        readings: &["line-transfers"],
    },
];

/// The instrument's own output among the files of a run: the one whose name starts with `tool` and
/// ends with `.out`.
pub fn output_file(files: &Path, tool: &str) -> Option<PathBuf> {
    valgrind::find(files, &|name| {
        name.starts_with(tool) && name.ends_with(".out")
    })
}

impl Meter {
    /// The meter of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        METERS.iter().find(|meter| meter.name == name)
    }

    /// The meter's number from its instrument's readings; `None` if one is missing.
    pub fn read(&self, readings: &Readings) -> Option<u64> {
        self.readings.iter().map(|&name| readings.get(name)).sum()
    }
}

impl Instrument {
    /// The command that shows where a lab's count comes from; a model's virtual events stand on no line.
    pub fn closer_look(self, slug: &str) -> Option<String> {
        match self {
            Self::Callgrind | Self::CallgrindBranches | Self::Dhat | Self::Core => {
                Some(format!("cargo make explain {slug}"))
            }
            Self::Lines | Self::Pages | Self::Reuse => {
                Some(format!("cargo make reuse {slug} --loads"))
            }
            Self::Walks => Some(format!("cargo make tlb {slug} --by load")),
            Self::Model => None,
        }
    }

    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Callgrind => "Callgrind",
            Self::CallgrindBranches => "Callgrind with branches",
            Self::Dhat => "DHAT",
            Self::Model => "the model",
            Self::Lines => "the tracer, in lines",
            Self::Pages => "the tracer, in pages",
            Self::Reuse => "the tracer, reuse distances",
            Self::Core => "the model core",
            Self::Walks => "the tracer, page walks",
        }
    }

    /// What distinguishes its results from another version's, for the memory of results.
    ///
    /// # Errors
    ///
    /// [`Missing`] if this machine does not have what the instrument needs.
    pub fn check_host(self) -> Result<String, Missing> {
        match self {
            // The model is built with the lab, whose sources the memory of results knows.
            Self::Model => Ok("model".into()),
            Self::Lines | Self::Pages | Self::Reuse => tracer::version(),
            Self::Core => cycles::version(),
            // Which pages a program gets is the machine's choice as well.
            Self::Walks => Ok(format!(
                "{}, huge pages {}",
                tracer::version()?,
                crate::host::huge_pages::fingerprint()
            )),
            Self::Callgrind | Self::CallgrindBranches | Self::Dhat => {
                crate::host::tools::valgrind()
            }
        }
    }

    /// Measures one variant of a lab; the instrument's own files stay in `folder`.
    ///
    /// # Errors
    ///
    /// [`Error::Measure`] if the run gave no numbers, [`Error::Interrupted`] by Ctrl-C.
    pub fn measure(self, lab: &BuiltLab, variant: &str, folder: &Path) -> Result<Readings, Error> {
        match self {
            Self::Model => model::measure(self, lab, variant, folder),
            Self::Lines | Self::Pages | Self::Reuse | Self::Core | Self::Walks => {
                // The tracer leaves no files; what is remembered still has a folder of its own.
                std::fs::create_dir_all(folder)
                    .while_trying(|| format!("making {}", folder.display()))?;
                match self {
                    Self::Core => cycles::measure(lab, variant, folder),
                    _ => tracer::measure(self, lab, variant),
                }
            }
            Self::Callgrind | Self::CallgrindBranches | Self::Dhat => {
                valgrind::measure(self, lab, variant, folder)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{METERS, Meter, Readings};

    #[test]
    fn every_meter_has_a_name_of_its_own() {
        for meter in METERS {
            assert_eq!(Meter::named(meter.name), Some(meter));
        }
    }

    #[test]
    fn a_meter_adds_its_readings_and_misses_none() {
        let meter = Meter::named("l1-misses").unwrap();
        let mut readings = Readings::from([("D1mr".into(), 40), ("Ir".into(), 1)]);
        assert_eq!(meter.read(&readings), None);
        readings.insert("D1mw".into(), 2);
        assert_eq!(meter.read(&readings), Some(42));
    }
}
