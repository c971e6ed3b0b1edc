//! The gate: correct first, whatever it costs.
//!
//! The function under test is compared with the baseline on the lab's examples (which must also
//! match the committed snapshots), on inputs drawn from a fresh seed, and on the very input that
//! the meter uses. The first difference ends it.
//!
//! A solution may also end the whole process, or never end. The gate therefore reports each step
//! to the file named by [`VERDICT_FILE`] before taking it, so that whoever started the process
//! knows how far it came.

mod report;
mod watch_panic;

use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::{Case, Difference, Lab, Seed};

use report::Report;
use watch_panic::{Panicked, watch_panic};

/// Environment variable: the file to which the gate reports its steps and its verdict.
pub const VERDICT_FILE: &str = "LAB_KIT_VERDICT";
/// Environment variable: the seed of the drawn inputs, to repeat a failure.
pub const SEED: &str = "LAB_KIT_SEED";
/// Environment variable: bytes of address space that the process may use.
pub const MEMORY_LIMIT: &str = "LAB_KIT_MEMORY_LIMIT";
/// Environment variable: seconds of processor time that the process may use.
pub const PROCESSOR_LIMIT: &str = "LAB_KIT_PROCESSOR_LIMIT";

/// Why a function was turned away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The input at which it went wrong.
    pub case: String,
    /// What went wrong there.
    pub reason: Reason,
    /// The seed that draws the same inputs again; `None` where the input is the same each time.
    pub seed: Option<u64>,
}

/// What went wrong at an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The output is not the baseline's.
    Differs(Difference),
    /// The output is the baseline's, and neither is what was committed.
    SnapshotDiffers,
    /// The function panicked.
    Panicked {
        /// The panic's message.
        message: String,
        /// Where, as `file:line`.
        place: String,
    },
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { case, reason, seed } = self;
        match reason {
            Reason::Differs(Difference {
                place,
                expected,
                found,
            }) => {
                let place = if place.is_empty() {
                    "the output"
                } else {
                    place
                };
                writeln!(
                    f,
                    "wrong answer at the input `{case}`: {place} differs first"
                )?;
                writeln!(f, "  baseline: {expected}")?;
                write!(f, "  solution: {found}")?;
            }
            Reason::SnapshotDiffers => write!(
                f,
                "the output for the example `{case}` is not what the committed snapshot holds"
            )?,
            Reason::Panicked { message, place } => {
                writeln!(f, "panicked at the input `{case}`: {message}")?;
                write!(f, "  at {place}")?;
            }
        }
        match seed {
            Some(seed) => write!(f, "\nthe same inputs again: set {SEED}={seed}"),
            None => Ok(()),
        }
    }
}

/// Judges `function`; `check_snapshot` compares an example's output with the committed one and
/// panics when they differ, as insta does.
///
/// # Errors
///
/// The first thing that went wrong.
///
/// # Panics
///
/// If the verdict file was asked for and cannot be written.
pub fn judge<L: Lab>(
    function: L::Function,
    check_snapshot: impl Fn(&str, &L::Output),
) -> Result<(), Refusal> {
    limit(MEMORY_LIMIT, rlimit::Resource::AS);
    limit(PROCESSOR_LIMIT, rlimit::Resource::CPU);
    let seed = fresh_seed();
    let mut report = Report::open(env::var_os(VERDICT_FILE));
    let verdict = judge_cases::<L>(function, seed, &mut report, check_snapshot);
    if verdict.is_ok()
        && let Ok(Some(remark)) = watch_panic(|| L::remark(function))
    {
        report.remark(&remark);
    }
    report.verdict(&verdict);
    verdict
}

fn judge_cases<L: Lab>(
    function: L::Function,
    seed: u64,
    report: &mut Report,
    check_snapshot: impl Fn(&str, &L::Output),
) -> Result<(), Refusal> {
    for case in L::examples() {
        let output = judge_case::<L>(function, &case, None, report)?;
        watch_panic(|| check_snapshot(&case.name.replace(' ', "_"), &output)).map_err(|_| {
            Refusal {
                case: case.name,
                reason: Reason::SnapshotDiffers,
                seed: None,
            }
        })?;
    }
    report.seed(seed);
    for case in L::cases(&mut Seed::new(seed)) {
        judge_case::<L>(function, &case, Some(seed), report)?;
    }
    let metered = Case::new("the metered input", L::metered());
    judge_case::<L>(function, &metered, None, report)?;
    Ok(())
}

fn judge_case<L: Lab>(
    function: L::Function,
    case: &Case<L::Input>,
    seed: Option<u64>,
    report: &mut Report,
) -> Result<L::Output, Refusal> {
    let expected = L::call(L::BASELINE, &mut case.input.clone());
    let mut judge_call = |name: String| {
        report.case(&name);
        let mut input = case.input.clone();
        let found = watch_panic(|| L::call(function, &mut input));
        let reason = match found {
            Err(Panicked { message, place }) => Reason::Panicked { message, place },
            Ok(found) => match crate::Compare::first_difference(&expected, &found) {
                None => return Ok(found),
                Some(difference) => Reason::Differs(difference),
            },
        };
        Err(Refusal {
            case: name,
            reason,
            seed,
        })
    };
    judge_call(case.name.clone())?;
    // A function that keeps something between calls shows it when it is called again.
    judge_call(format!("{}, called again", case.name))
}

/// The seed asked for, or one that nobody chose.
fn fresh_seed() -> u64 {
    let asked = env::var(SEED).ok().and_then(|text| text.parse().ok());
    asked.unwrap_or_else(|| {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        u64::from(now.subsec_nanos()) ^ (now.as_secs() << 20)
    })
}

/// A solution without end, in space or in time, ends in this process instead of filling the machine.
fn limit(variable: &str, resource: rlimit::Resource) {
    let Some(most) = env::var(variable).ok().and_then(|text| text.parse().ok()) else {
        return;
    };
    // A system that refuses the limit still has the patience of whoever started us as an end.
    let _ = rlimit::setrlimit(resource, most, most);
}

/// Makes a lab's `tests/correct.rs`.
///
/// ```text
/// lab_kit::gate!(LoopInterchange, multiply, wrong: {
///     skips_the_last_row = "../wrong/skips_the_last_row.rs",
/// });
/// ```
///
/// The second word is the name that `solution.rs` and every wrong answer give their function. A
/// wrong answer is compiled as a module of the test, so the test imports from the lab whatever the
/// answer names as `crate::…`.
#[macro_export]
macro_rules! gate {
    ($lab:ty, $function:ident, wrong: { $($name:ident = $file:literal),+ $(,)? }) => {
        type Function = <$lab as $crate::Lab>::Function;

        fn judge(function: Function) -> ::std::result::Result<(), $crate::gate::Refusal> {
            $crate::gate::judge::<$lab>(function, |name, output| {
                $crate::insta::assert_debug_snapshot!(name, output);
            })
        }

        #[test]
        fn gate() {
            if let Err(refusal) = judge(<$lab as $crate::Lab>::SOLUTION) {
                panic!("{refusal}");
            }
        }

        $(
            #[path = $file]
            mod $name;
        )+

        /// Plausible mistakes, each of which the gate has to turn away.
        mod wrong {
            $(
                #[test]
                fn $name() {
                    let function: super::Function = super::$name::$function;
                    let refusal =
                        super::judge(function).expect_err("this wrong answer passes the gate");
                    ::std::eprintln!("{refusal}");
                }
            )+
        }
    };
}
