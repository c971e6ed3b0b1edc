//! Counts that a model gives: a lab whose answer is judged by a simulation, not by its own cost.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::{Lab, Variant};

/// Environment variable: count only this variant, `baseline` or `solution`.
const VARIANT: &str = "LAB_KIT_VARIANT";

/// A lab that is scored by what a model counts while it runs the reader's function.
pub trait ModelLab: Lab {
    /// The counts of `function` on the metered input, by the name of their reading.
    fn counts(function: Self::Function) -> Vec<(&'static str, u64)>;
}

/// Prints the counts of the variant that [`VARIANT`] names, the solution's if it names none, as one
/// JSON object; [`model_counts!`](crate::model_counts) calls it.
///
/// # Panics
///
/// If the model refuses the function; the gate, which comes before any count, says so in its words.
pub fn print_model_counts<L: ModelLab>() {
    let named = std::env::var(VARIANT).ok();
    let variant = named
        .as_deref()
        .and_then(Variant::from_name)
        .unwrap_or(Variant::Solution);
    let line = as_json(&L::counts(L::function(variant)));
    // A closed stdout leaves nobody to tell.
    let _ = std::io::stdout().write_all(line.as_bytes());
}

fn as_json(counts: &[(&str, u64)]) -> String {
    let mut text = String::from("{");
    for (index, (name, count)) in counts.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}\"{name}\": {count}");
    }
    text.push_str("}\n");
    text
}

/// Makes the `benches/instructions.rs` of a lab that a model scores:
/// `lab_kit::model_counts!(space_bounded::SpaceBoundedLab);`
#[macro_export]
macro_rules! model_counts {
    ($lab:ty) => {
        fn main() {
            $crate::print_model_counts::<$lab>();
        }
    };
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_are_one_object_of_whole_numbers() {
        let text = super::as_json(&[("l3-misses", 7), ("makespan", 9)]);
        assert_eq!(text, "{\"l3-misses\": 7, \"makespan\": 9}\n");
    }
}
