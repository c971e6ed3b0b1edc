//! Reports of grades, for people and for programs.

pub mod class;
pub mod json;
pub mod text;

/// A count with thin groups of three digits: `5 211 717`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

/// A factor with three digits that mean something: `1.00×`, `16.6×`, `4096×`.
///
/// From ten thousand on in thousands, from a million on in millions: `26k×`.
pub fn factor(factor: f64) -> String {
    if factor >= 1e6 {
        return format!("{:.0}M×", factor / 1e6);
    }
    if factor >= 1e4 {
        return format!("{:.0}k×", factor / 1e3);
    }
    let decimals = if factor < 10.0 {
        2
    } else {
        usize::from(factor < 100.0)
    };
    format!("{factor:.decimals$}×")
}

#[cfg(test)]
mod tests {
    use super::{factor, grouped};

    #[test]
    fn counts_are_grouped_by_three() {
        let counts = [0, 999, 1000, 5_211_717].map(grouped);
        assert_eq!(counts, ["0", "999", "1 000", "5 211 717"]);
    }

    #[test]
    fn factors_show_what_can_be_told_apart() {
        assert_eq!(
            [1.0, 16.62, 4096.4, 26_100.0, 3e7].map(factor),
            ["1.00×", "16.6×", "4096×", "26k×", "30M×"]
        );
    }
}
