//! A lab's bench under Valgrind, through iai-callgrind.
//!
//! iai-callgrind's own `main!` would compile the code that sends a bench's description to the
//! runner anew into every lab, which is most of the time between saving a solution and seeing its
//! score. [`run_groups`] does what that macro does, once, in the kit; the two share internals,
//! which is one more reason why the workspace pins one exact version.

use iai_callgrind::__internal::lib_bench::GroupsBuilder;
use iai_callgrind::__internal::{
    BenchmarkKind, InternalLibraryBenchmarkConfig, InternalMacroLibBench, Runner,
};
use iai_callgrind::{LibraryBenchmarkConfig, bincode};

/// Environment variable: count only this variant, `baseline` or `solution`.
const VARIANT: &str = "LAB_KIT_VARIANT";

/// glibc chooses its memcpy and its kin by the host's CPU. Without the wide ones every host runs
/// the same instructions. The names changed in glibc 2.33; it passes over those it does not know.
const SAME_LIBC_EVERYWHERE: &str = "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-ERMS,-FSRM,\
     -AVX512F,-AVX512F_Usable,-AVX512VL,-AVX_Fast_Unaligned_Load,-Prefer_No_VZEROUPPER";

/// A program finds its own path on its stack, twice: as `argv[0]` and behind `AT_EXECFN`. The path's
/// length shifts all that stands above, and then other lines of the modelled cache conflict. This much
/// path and padding together are as long in every checkout and with every target folder.
const PATH_AND_PADDING: usize = 1024;

/// Fills up what twice the program's path leaves of [`PATH_AND_PADDING`].
fn padding(program: &str) -> String {
    "-".repeat(PATH_AND_PADDING.saturating_sub(2 * program.len()))
}

/// Where a bench stands, as `env!`, `file!` and `module_path!` give it.
#[derive(Debug, Clone, Copy)]
pub struct BenchFile {
    /// `CARGO_MANIFEST_DIR`
    pub package_folder: &'static str,
    /// `CARGO_PKG_NAME`
    pub package: &'static str,
    /// `file!()`
    pub file: &'static str,
    /// `module_path!()`
    pub module: &'static str,
}

/// The benches of a group as `library_benchmark_group!` lists them: function, configuration, cases.
pub type GroupBenches = &'static [&'static (
    &'static str,
    fn() -> Option<InternalLibraryBenchmarkConfig>,
    &'static [InternalMacroLibBench],
)];

/// A benchmark group of one variant, as `library_benchmark_group!` made it.
#[derive(Clone, Copy)]
pub struct CountedGroup {
    /// The group's name, which is the variant's.
    pub variant: &'static str,
    /// The group's benches.
    pub benches: GroupBenches,
    /// Runs the bench of these two indices; only called under Valgrind.
    pub run: fn(usize, usize),
}

/// The `main` of a bench: under Valgrind it runs the one bench that its arguments name, otherwise
/// it starts the runner once for each group that is wanted.
///
/// # Panics
///
/// If the runner's arguments are not the ones that this version of iai-callgrind gives.
pub fn run_groups(bench: &BenchFile, groups: &[CountedGroup]) {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("--iai-run") {
        let name = arguments.next();
        let mut index = || arguments.next().and_then(|index| index.parse().ok());
        let group = groups
            .iter()
            .find(|group| Some(group.variant) == name.as_deref());
        let (Some(group), Some(first), Some(second)) = (group, index(), index()) else {
            panic!(
                "the runner asked for {name:?}, which is no bench of {}",
                bench.file
            );
        };
        (group.run)(first, second);
        return;
    }
    let asked = std::env::var(VARIANT).ok();
    for group in groups {
        if asked.as_deref().is_none_or(|asked| asked == group.variant) {
            start_runner(bench, group);
        }
    }
}

fn start_runner(bench: &BenchFile, group: &CountedGroup) {
    let mut arguments = std::env::args();
    let program = arguments.next().unwrap_or_default();
    let config = LibraryBenchmarkConfig::default()
        .env("GLIBC_TUNABLES", SAME_LIBC_EVERYWHERE)
        .env("LAB_KIT_PADDING", padding(&program))
        .clone();
    let config: InternalLibraryBenchmarkConfig = config.into();
    let mut groups = GroupsBuilder::new(Some(config), arguments.collect(), false, false);
    groups.add_group(
        group.variant.to_owned(),
        None,
        None,
        false,
        false,
        group.benches,
    );
    let description =
        bincode::serialize(&groups.build()).expect("a bench's description holds only plain data");
    // The runner's folder stands first in PATH, so it is found by its name alone.
    let runner = Runner::new(
        None,
        &BenchmarkKind::LibraryBenchmark,
        bench.package_folder,
        bench.package,
        bench.file,
        bench.module,
        program,
    );
    if let Err(errors) = runner.exec(description) {
        eprintln!("{errors}");
        std::process::exit(1);
    }
}

/// Makes a lab's `benches/instructions.rs`: `lab_kit::instructions!(loop_interchange::LoopInterchange);`
///
/// The input is made before and dropped after what is counted. With the environment variable
/// `LAB_KIT_VARIANT` set, only that variant runs: iai-callgrind can choose between bench files but
/// not within one, and the grader runs the two variants side by side.
#[macro_export]
macro_rules! instructions {
    ($lab:ty) => {
        #[allow(
            missing_docs,
            unreachable_pub,
            reason = "iai-callgrind's macros make public items without any"
        )]
        mod counted {
            use $crate::{Lab as _, iai_callgrind};

            type Input = <$lab as $crate::Lab>::Input;
            type Output = <$lab as $crate::Lab>::Output;

            // Each boxes a number of its own: the compiler makes one function of two that are the
            // same, and no tool would find the other's name.
            #[iai_callgrind::library_benchmark]
            #[bench::metered(setup = <$lab>::metered)]
            fn count_baseline(mut input: Input) -> (Output, Input) {
                ::std::hint::black_box(1u8);
                let output = <$lab>::call(::std::hint::black_box(<$lab>::BASELINE), &mut input);
                ::std::hint::black_box((output, input))
            }

            #[iai_callgrind::library_benchmark]
            #[bench::metered(setup = <$lab>::metered)]
            fn count_solution(mut input: Input) -> (Output, Input) {
                ::std::hint::black_box(2u8);
                let output = <$lab>::call(::std::hint::black_box(<$lab>::SOLUTION), &mut input);
                ::std::hint::black_box((output, input))
            }

            iai_callgrind::library_benchmark_group!(name = baseline; benchmarks = count_baseline);
            iai_callgrind::library_benchmark_group!(name = solution; benchmarks = count_solution);

            pub const GROUPS: &[$crate::CountedGroup] = &[
                $crate::CountedGroup {
                    variant: "baseline",
                    benches: baseline::__BENCHES,
                    run: baseline::__run,
                },
                $crate::CountedGroup {
                    variant: "solution",
                    benches: solution::__BENCHES,
                    run: solution::__run,
                },
            ];
        }

        fn main() {
            let bench = $crate::BenchFile {
                package_folder: env!("CARGO_MANIFEST_DIR"),
                package: env!("CARGO_PKG_NAME"),
                file: file!(),
                module: module_path!(),
            };
            $crate::run_groups(&bench, counted::GROUPS);
        }
    };
}

#[cfg(test)]
mod tests {
    use super::padding;

    #[test]
    fn a_path_and_its_padding_are_always_as_long() {
        let together = |path: &str| 2 * path.len() + padding(path).len();
        assert_eq!(
            together("/a/bench"),
            together("/a/much/longer/way/to/the/bench")
        );
        assert_eq!(padding(&"x".repeat(4000)), "");
    }
}
