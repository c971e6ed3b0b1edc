//! Sizes and counts, as people write and read them.

use std::{fmt, str::FromStr};

/// Bytes of a cache line, on every x86-64 processor so far.
pub const LINE_BYTES: u64 = models::reuse::LINE_BYTES;
/// Bytes of a small page on x86-64.
pub const PAGE_BYTES: u64 = 4096;
/// The biggest unit that the tracer takes: a huge page of 1 GiB.
const LARGEST_UNIT: u64 = 1 << 30;

/// A power of two of bytes that a footprint is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    bytes: u64,
}

impl Unit {
    /// Cache lines of 64 B.
    pub const LINE: Self = Self { bytes: LINE_BYTES };
    /// Pages of 4 KiB.
    pub const PAGE: Self = Self { bytes: PAGE_BYTES };

    /// Size in bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.bytes
    }

    /// log2 of the size in bytes.
    #[must_use]
    pub const fn shift(self) -> u32 {
        self.bytes.trailing_zeros()
    }

    /// What one is called, in the plural.
    #[must_use]
    pub fn plural(self) -> String {
        match self {
            Self::LINE => "lines".to_owned(),
            Self::PAGE => "pages".to_owned(),
            _ => format!("units of {}", bytes(self.bytes)),
        }
    }
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "line" => Ok(Self::LINE),
            "page" => Ok(Self::PAGE),
            _ => {
                let bytes = parse_bytes(text)
                    .ok_or("write `line`, `page`, or a size such as 4K or 2M".to_owned())?;
                if bytes.is_power_of_two() && bytes <= LARGEST_UNIT {
                    Ok(Self { bytes })
                } else {
                    Err("a unit is a power of two of at most 1G bytes".to_owned())
                }
            }
        }
    }
}

/// Reads `64`, `4K`, `2M` or `1G`, with or without `iB` or `B` behind.
#[must_use]
pub fn parse_bytes(text: &str) -> Option<u64> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, suffix) = text.split_at(digits);
    let shift = match suffix.trim().to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// Reads a count such as `28000`, `28k`, `10M` or `1G`: decimal prefixes, since it counts no bytes.
///
/// # Errors
///
/// If it is no such count, or 0.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let wrong =
        || "write a number of instructions of at least 1, such as 28000, 10M or 1G".to_owned();
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '_')
        .unwrap_or(text.len());
    let (number, suffix) = text.split_at(digits);
    let factor: u64 = match suffix {
        "" => 1,
        "k" | "K" => 1000,
        "m" | "M" => 1_000_000,
        "g" | "G" => 1_000_000_000,
        _ => return Err(wrong()),
    };
    let number: u64 = number.replace('_', "").parse().map_err(|_| wrong())?;
    number
        .checked_mul(factor)
        .filter(|&count| count > 0)
        .ok_or_else(wrong)
}

/// A size in bytes, with the largest binary prefix that leaves at least 1.
#[must_use]
pub fn bytes(size: u64) -> String {
    const PREFIXES: [(u32, &str); 4] = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let found = PREFIXES.iter().find(|(shift, _)| size >> shift > 0);
    let Some(&(shift, prefix)) = found else {
        return format!("{size} B");
    };
    // In tenths, rounded: exact for every size, unlike a float.
    let tenths = (u128::from(size) * 10 + (1 << (shift - 1))) >> shift;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {prefix}"),
        (whole, tenth) => format!("{whole}.{tenth} {prefix}"),
    }
}

/// A count with its digits in groups of three.
#[derive(Clone, Copy, Debug)]
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        f.pad(&text)
    }
}

/// `part` of `whole` in percent; 0 of nothing is 0.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "a share, shown with one decimal"
)]
pub fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_two() {
        assert_eq!("line".parse::<Unit>().unwrap().shift(), 6);
        assert_eq!("page".parse::<Unit>().unwrap().shift(), 12);
        assert_eq!("2M".parse::<Unit>().unwrap().shift(), 21);
        assert_eq!("64".parse::<Unit>().unwrap(), Unit::LINE);
        for wrong in ["0", "100", "2G", "lines", "-4", ""] {
            assert!(wrong.parse::<Unit>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts_take_decimal_prefixes_and_not_zero() {
        assert_eq!(parse_count("28k"), Ok(28_000));
        assert_eq!(parse_count("1_000_000"), Ok(1_000_000));
        assert_eq!(parse_count("1G"), Ok(1_000_000_000));
        for wrong in ["0", "0M", "-1", "1.5M", "many", "99999999999G"] {
            assert!(parse_count(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_have_one_decimal() {
        let shown = [0, 64, 4096, 49_152, 1_310_720, 3 << 30].map(bytes);
        assert_eq!(
            shown,
            ["0 B", "64 B", "4 KiB", "48 KiB", "1.3 MiB", "3 GiB"]
        );
    }

    #[test]
    fn digits_come_in_threes() {
        let shown = [0, 999, 1000, 1_234_567].map(|count| Grouped(count).to_string());
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(format!("{:>8}", Grouped(1000)), "   1,000");
    }
}
