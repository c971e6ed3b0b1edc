//! The model against measurements: close on average, and nowhere far off without a reason.

use grader::pipeline::accuracy::{compare, expectations, loops, mean_error};
use models::pipeline::machines::MACHINES;

/// Largest mean error per machine, as a fraction.
const MEAN: f64 = 0.05;
/// Largest error of one loop that needs no explanation.
const SINGLE: f64 = 0.15;

#[test]
fn the_set_has_at_least_sixty_loops_and_every_expectation_is_of_one() {
    let set = loops();
    assert!(set.len() >= 60, "{}", set.len());
    for expected in expectations() {
        assert!(
            set.iter().any(|one| one.name == expected.name),
            "{}",
            expected.name
        );
        assert!(
            MACHINES.iter().any(|one| one.name == expected.machine),
            "{}",
            expected.machine
        );
    }
}

#[test]
fn the_model_is_within_five_percent_on_average_on_each_machine() {
    for machine in MACHINES {
        let comparisons = compare(machine);
        assert!(
            comparisons.len() >= 50,
            "{} has {}",
            machine.name,
            comparisons.len()
        );
        let mean = mean_error(&comparisons);
        assert!(mean <= MEAN, "{}: {:.3}", machine.name, mean);
    }
}

#[test]
fn no_loop_is_far_off_without_an_explanation() {
    for machine in MACHINES {
        for one in compare(machine) {
            let fine = one.error() <= SINGLE || one.expected.explained.is_some();
            assert!(
                fine,
                "{} on {}: expected {:.2}, modelled {:.2}",
                one.expected.name, machine.name, one.expected.cycles, one.modelled
            );
        }
    }
}
