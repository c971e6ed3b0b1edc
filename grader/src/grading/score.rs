//! The score: logarithmic, so that the second doubling is worth what the first was.
//!
//! ```text
//! score = 100 × ln(baseline ÷ solution) ÷ ln(full), clamped to 0 … 100
//! ```

/// How much further than full score a star is.
const STAR: f64 = 1.10;

/// Points, 0 to 100 in hundredths, for an improvement (baseline ÷ solution) when `full` earns 100.
///
/// Two functions of the same code may differ by a handful of counts, since they do not lie at the
/// same addresses; a hundredth of a point is more than that.
pub fn score(improvement: f64, full: f64) -> f64 {
    let points = (100.0 * improvement.ln() / full.ln()).clamp(0.0, 100.0);
    (points * 100.0).round() / 100.0
}

/// Whether an improvement beats the reference by a further ten percent.
pub fn has_star(improvement: f64, full: f64) -> bool {
    improvement >= full * STAR
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{has_star, score};

    #[test]
    fn no_improvement_scores_0_and_full_scores_100() {
        assert_eq!(score(1.0, 16.0), 0.0);
        assert_eq!(score(16.0, 16.0), 100.0);
        assert_eq!(score(0.5, 16.0), 0.0);
        assert_eq!(score(64.0, 16.0), 100.0);
    }

    #[test]
    fn each_doubling_is_worth_the_same() {
        let doublings = [1.0, 2.0, 4.0, 8.0, 16.0].map(|improvement| score(improvement, 16.0));
        for (earned, expected) in doublings.iter().zip([0.0, 25.0, 50.0, 75.0, 100.0]) {
            assert!((earned - expected).abs() < 1e-9, "{doublings:?}");
        }
    }

    #[test]
    fn a_star_is_ten_percent_beyond_full_score() {
        assert!(!has_star(10.9, 10.0));
        assert!(has_star(11.0, 10.0));
    }

    proptest! {
        #[test]
        fn a_better_solution_never_scores_less(
            a in 0.01f64..1000.0, b in 0.01f64..1000.0, full in 1.01f64..1000.0
        ) {
            let (low, high) = (a.min(b), a.max(b));
            prop_assert!(score(low, full) <= score(high, full));
            prop_assert!((0.0..=100.0).contains(&score(a, full)));
        }
    }
}
