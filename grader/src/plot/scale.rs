//! From values to positions, and the values worth a tick.

/// Where values lie between the two ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    first: f64,
    last: f64,
    logarithmic: bool,
}

impl Scale {
    /// Equal differences are equally far apart. An empty range becomes one of length 1.
    #[must_use]
    pub fn linear(first: f64, last: f64) -> Self {
        let last = if last > first { last } else { first + 1.0 };
        Self {
            first,
            last,
            logarithmic: false,
        }
    }

    /// Equal factors are equally far apart; for positive values.
    #[must_use]
    pub fn logarithmic(first: f64, last: f64) -> Self {
        let first = first.max(f64::MIN_POSITIVE);
        let last = if last > first { last } else { first * 2.0 };
        Self {
            first,
            last,
            logarithmic: true,
        }
    }

    /// 0 at the first end, 1 at the last, and beyond for values beyond.
    #[must_use]
    pub fn position(&self, value: f64) -> f64 {
        if self.logarithmic {
            (value.max(f64::MIN_POSITIVE) / self.first).ln() / (self.last / self.first).ln()
        } else {
            (value - self.first) / (self.last - self.first)
        }
    }

    /// At most about `wanted` round values within the scale, in order.
    #[must_use]
    pub fn ticks(&self, wanted: u32) -> Vec<f64> {
        if self.logarithmic {
            self.powers_of_two(wanted)
        } else {
            self.round_steps(wanted)
        }
    }

    fn round_steps(&self, wanted: u32) -> Vec<f64> {
        let rough = (self.last - self.first) / f64::from(wanted.max(1));
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|step| *step >= rough)
            .unwrap_or(power * 10.0);
        let mut ticks = Vec::new();
        let mut tick = (self.first / step).ceil() * step;
        while tick <= self.last + step / 1e6 {
            ticks.push(tick);
            tick += step;
        }
        ticks
    }

    fn powers_of_two(&self, wanted: u32) -> Vec<f64> {
        let doublings = (self.last / self.first).log2();
        let step = (doublings / f64::from(wanted.max(1))).ceil().max(1.0);
        let mut ticks = Vec::new();
        let mut exponent = self.first.log2().ceil();
        while exponent <= self.last.log2() + 1e-9 {
            ticks.push(exponent.exp2());
            exponent += step;
        }
        ticks
    }
}

/// A value with at most three digits and a decimal prefix: `1.5 G`, `28 k`, `7`.
#[must_use]
pub fn with_prefix(value: f64) -> String {
    const PREFIXES: [(f64, &str); 4] = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    let found = PREFIXES.iter().find(|(size, _)| value.abs() >= *size);
    let (size, prefix) = found.copied().unwrap_or((1.0, ""));
    let text = format!("{:.2}", value / size);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{prefix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_ticks_are_round_and_inside() {
        assert_eq!(
            Scale::linear(0.0, 4353.0).ticks(5),
            [0.0, 1000.0, 2000.0, 3000.0, 4000.0]
        );
        assert_eq!(Scale::linear(0.0, 1.0).ticks(2), [0.0, 0.5, 1.0]);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_two() {
        assert_eq!(
            Scale::logarithmic(1.0, 64.0).ticks(3),
            [1.0, 4.0, 16.0, 64.0]
        );
    }

    #[test]
    fn ends_lie_at_zero_and_one() {
        for scale in [Scale::linear(2.0, 8.0), Scale::logarithmic(2.0, 8.0)] {
            assert!(scale.position(2.0).abs() < 1e-12);
            assert!((scale.position(8.0) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn empty_range_has_a_position() {
        assert!(Scale::linear(3.0, 3.0).position(3.0).abs() < 1e-12);
    }

    #[test]
    fn prefixes_keep_three_digits() {
        let shown = [7.0, 28_000.0, 1.5e9, 0.0].map(with_prefix);
        assert_eq!(shown, ["7", "28 k", "1.5 G", "0"]);
    }
}
