//! The model against measurements: close on average, and nowhere far off without a reason.

use grader::pipeline::accuracy::{
    against_model, blocks, compare, expectations, independent_loops, loops, mean_error, measure,
};
use models::pipeline::machines::{self, MACHINES};

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

/// Largest mean error of loops that others measured as wholes, as a fraction.
const INDEPENDENT: f64 = 0.10;

#[test]
fn loops_measured_by_others_are_met_without_their_figures_in_any_table() {
    for (name, at_least) in [("skylake", 12), ("zen4", 15)] {
        let machine = machines::by_name(name).expect("it is a machine");
        let set = independent_loops(machine);
        assert!(set.len() >= at_least, "{name} has {}", set.len());
        let errors = set.iter().map(|one| against_model(one, machine).0);
        let mean = errors.sum::<f64>() / set.len() as f64;
        assert!(mean <= INDEPENDENT, "{name}: {mean:.3}");
    }
}

#[test]
fn blocks_measured_by_others_are_met() {
    let all: Vec<_> = blocks().into_iter().map(measure).collect();
    assert_eq!(all.len(), 100);
    let errors: Vec<f64> = all.iter().filter_map(|one| one.error()).collect();
    assert!(errors.len() >= 95, "{} have figures", errors.len());
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(mean <= INDEPENDENT, "{mean:.3}");
}
