//! What the model owes the paper, one sentence each, and whether it pays.

use super::Comparison;
use crate::schedule::paper::published;

/// How far WS and PWS may be from the published misses.
const OWED_STEALING: f64 = 0.05;
/// How far SB and SB-D may be.
const OWED_SPACE_BOUNDED: f64 = 0.10;
/// How far RRM's ratio of active times may be.
const OWED_RATIO: f64 = 0.15;
/// Where the paper's abstract puts the reduction of SB against WS.
const REDUCTION: std::ops::RangeInclusive<f64> = 0.25..=0.65;

/// A sentence and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What is claimed, with our numbers.
    pub claim: String,
    /// Whether it holds.
    pub holds: bool,
}

/// All claims about these programs.
pub fn verdicts(comparisons: &[Comparison]) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for c in comparisons {
        let gaps = c.gaps().map(f64::abs);
        let stealing = gaps[0].max(gaps[1]);
        let bounded = gaps[2].max(gaps[3]);
        verdicts.push(Verdict {
            claim: format!(
                "{}: misses of WS, PWS within 5 % ({:.1}), SB, SB-D within 10 % ({:.1})",
                c.program,
                stealing * 100.0,
                bounded * 100.0
            ),
            holds: stealing <= OWED_STEALING && bounded <= OWED_SPACE_BOUNDED,
        });
    }
    for c in comparisons {
        let [ours, paper] = c.reductions();
        if REDUCTION.contains(&paper) {
            verdicts.push(Verdict {
                claim: format!(
                    "{}: SB misses 25 to 65 % less than WS ({:.0})",
                    c.program,
                    ours * 100.0
                ),
                holds: REDUCTION.contains(&ours),
            });
        }
    }
    verdicts.push(Verdict {
        claim: "the order of the active times is the paper's everywhere".to_string(),
        holds: comparisons.iter().all(|c| c.same_order == [true, true]),
    });
    verdicts.extend(
        comparisons
            .iter()
            .filter(|c| c.program == "rrm")
            .flat_map(ratios),
    );
    verdicts
}

/// RRM's active time under WS over that under SB, at both bandwidths.
fn ratios(rrm: &Comparison) -> [Verdict; 2] {
    let paper = published(rrm.program).expect("compared programs are published");
    [
        ("100 %", &rrm.active_ms, &paper.active_ms),
        ("25 %", &rrm.active_quarter_ms, &paper.active_quarter_ms),
    ]
    .map(|(bandwidth, ours, paper)| {
        let (ours, paper) = (ours[0] / ours[2], paper[0] / paper[2]);
        Verdict {
            claim: format!(
                "rrm at {bandwidth}: active WS / SB within 15 % ({ours:.2}, paper {paper:.2})"
            ),
            holds: (ours / paper - 1.0).abs() <= OWED_RATIO,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::verdicts;
    use crate::schedule::agreement::Comparison;
    use crate::schedule::paper::PUBLISHED;

    /// A model that is as good as the paper, but for what `spoil` does to it.
    fn spoilt(spoil: impl Fn(&mut Comparison)) -> Vec<String> {
        let mut comparisons = PUBLISHED.map(|p| Comparison {
            program: p.program,
            misses_millions: p.misses_millions,
            published_misses_millions: p.misses_millions,
            active_ms: p.active_ms,
            active_quarter_ms: p.active_quarter_ms,
            overhead_ms: p.overhead_ms,
            same_order: [true, true],
        });
        spoil(&mut comparisons[0]);
        let failed = verdicts(&comparisons).into_iter().filter(|v| !v.holds);
        failed.map(|v| v.claim).collect()
    }

    #[test]
    fn the_papers_own_figures_hold_and_spoilt_ones_do_not() {
        assert_eq!(spoilt(|_| {}), Vec::<String>::new());
        assert_eq!(spoilt(|rrm| rrm.misses_millions[1] *= 1.06).len(), 1);
        assert_eq!(spoilt(|rrm| rrm.misses_millions[3] *= 0.92).len(), 0);
        assert_eq!(spoilt(|rrm| rrm.misses_millions[2] = 53.0).len(), 2);
        assert_eq!(spoilt(|rrm| rrm.same_order[1] = false).len(), 1);
        let ratio = spoilt(|rrm| rrm.active_quarter_ms[2] *= 1.2);
        assert!(ratio[0].starts_with("rrm at 25 %"), "{ratio:?}");
    }
}
