//! A lab as an ordinary program, so that any profiler or debugger can be put on it.

use std::hint::black_box;
use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::{Lab, Variant, measured};

/// Runs one variant on the metered input, as the command line asks; [`main!`](crate::main) calls it.
///
/// The arguments are `baseline` or `solution` and, if wanted, how often to repeat the call.
pub fn run_plainly<L: Lab>(slug: &str, arguments: impl Iterator<Item = String>) -> ExitCode {
    let arguments: Vec<String> = arguments.collect();
    let (variant, repeats) = match parsed(&arguments) {
        Ok(parsed) => parsed,
        Err(found) => {
            let usage = format!(
                "{slug}: {found}\n\
                 usage: cargo run --release -p {slug} -- baseline|solution [REPEATS]\n"
            );
            // A closed stderr leaves nobody to tell.
            let _ = io::stderr().write_all(usage.as_bytes());
            return ExitCode::from(2);
        }
    };
    let function = L::function(variant);
    let input = L::metered();
    for _ in 0..repeats {
        let mut input = black_box(input.clone());
        let output = measured(|| L::call(black_box(function), &mut input));
        drop(black_box(output));
    }
    // To stderr, so that nothing of this is in the way of a tool that reads stdout.
    let done = format!(
        "{slug}: the {} ran {repeats} × on the metered input\n",
        arguments[0]
    );
    let _ = io::stderr().write_all(done.as_bytes());
    ExitCode::SUCCESS
}

fn parsed(arguments: &[String]) -> Result<(Variant, u64), String> {
    let (variant, repeats) = match arguments {
        [variant] => (variant, 1),
        [variant, repeats] => {
            let count = repeats.parse();
            (
                variant,
                count.map_err(|_| format!("`{repeats}` is not a number of repeats"))?,
            )
        }
        _ => return Err("expected the name of a variant".into()),
    };
    let named = Variant::from_name(variant).ok_or(format!("there is no variant `{variant}`"))?;
    Ok((named, repeats))
}

/// Makes a lab's `src/main.rs`: `lab_kit::main!(loop_interchange::LoopInterchange);`
#[macro_export]
macro_rules! main {
    ($lab:ty) => {
        fn main() -> ::std::process::ExitCode {
            $crate::run_plainly::<$lab>(env!("CARGO_PKG_NAME"), ::std::env::args().skip(1))
        }
    };
}

#[cfg(test)]
mod tests {
    use super::parsed;
    use crate::Variant;

    #[test]
    fn a_variant_and_a_number_of_repeats_are_understood() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert_eq!(parsed(&words("solution 3")), Ok((Variant::Solution, 3)));
        assert_eq!(parsed(&words("baseline")), Ok((Variant::Baseline, 1)));
        assert!(parsed(&words("reference")).is_err());
        assert!(parsed(&words("solution many")).is_err());
        assert!(parsed(&[]).is_err());
    }
}
