//! Calls of the three programs, and what each costs when nobody forks.

/// Virtual cycles of one call of fib, without those that it makes.
const FIB_CYCLES: u64 = 6;
/// Virtual cycles per element of one partition.
const PARTITION_CYCLES: u64 = 3;
/// Virtual cycles of one multiplication and addition.
const MULTIPLY_CYCLES: u64 = 1;

/// A call that may fork in two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Call {
    /// `fib(n)`.
    Fib {
        /// The argument.
        n: u64,
    },
    /// Sorting: a partition, then both sides. Pivots are good: the sides differ by one at most.
    Quicksort {
        /// How many elements.
        elements: u64,
    },
    /// A product of matrices: the larger of the two outer dimensions is halved.
    Matmul {
        /// Rows of the product.
        rows: u64,
        /// Columns of the product.
        columns: u64,
        /// Terms of each sum.
        inner: u64,
    },
}

impl Call {
    /// Whether there are two parts to fork.
    pub fn can_fork(self) -> bool {
        match self {
            Self::Fib { n } => n >= 2,
            Self::Quicksort { elements } => elements >= 2,
            Self::Matmul { rows, columns, .. } => rows.max(columns) >= 2,
        }
    }

    /// What runs before the fork, in virtual cycles.
    pub fn own_cycles(self) -> u64 {
        match self {
            Self::Fib { .. } => FIB_CYCLES,
            Self::Quicksort { elements } => PARTITION_CYCLES * elements,
            Self::Matmul { .. } => 0,
        }
    }

    /// The two parts.
    pub fn parts(self) -> [Self; 2] {
        match self {
            Self::Fib { n } => [Self::Fib { n: n - 1 }, Self::Fib { n: n - 2 }],
            Self::Quicksort { elements } => {
                let low = elements / 2;
                [low, elements - low].map(|elements| Self::Quicksort { elements })
            }
            Self::Matmul {
                rows,
                columns,
                inner,
            } if rows >= columns => {
                let top = rows / 2;
                [top, rows - top].map(|rows| Self::Matmul {
                    rows,
                    columns,
                    inner,
                })
            }
            Self::Matmul {
                rows,
                columns,
                inner,
            } => {
                let left = columns / 2;
                [left, columns - left].map(|columns| Self::Matmul {
                    rows,
                    columns,
                    inner,
                })
            }
        }
    }

    /// What the whole call costs, run serially, in virtual cycles.
    pub fn serial_cycles(self) -> u64 {
        match self {
            Self::Fib { n } => FIB_CYCLES * fib_calls(n),
            Self::Quicksort { elements } => quicksort_cycles(elements),
            Self::Matmul {
                rows,
                columns,
                inner,
            } => MULTIPLY_CYCLES * rows * columns * inner,
        }
    }
}

/// Calls of fib that `fib(n)` makes, itself included: 2 · F(n + 1) − 1.
fn fib_calls(n: u64) -> u64 {
    let (mut a, mut b) = (0_u64, 1_u64);
    for _ in 0..=n {
        (a, b) = (b, a + b);
    }
    2 * a - 1
}

/// The sum over the halving recursion. Sides of one level have two sizes, k and k + 1.
fn quicksort_cycles(elements: u64) -> u64 {
    let mut cycles = 0;
    let (mut smaller, mut few, mut many) = (elements, 1, 0);
    // `few` sides of `smaller` elements and `many` of one more.
    while smaller >= 1 {
        let sum = |size: u64, sides: u64| if size >= 2 { size * sides } else { 0 };
        cycles += PARTITION_CYCLES * (sum(smaller, few) + sum(smaller + 1, many));
        let half = smaller / 2;
        (few, many) = if smaller.is_multiple_of(2) {
            (2 * few + many, many)
        } else {
            (few, few + 2 * many)
        };
        smaller = half;
    }
    cycles
}

#[cfg(test)]
mod tests {
    use super::Call;

    /// What the closed forms abbreviate.
    fn summed(call: Call) -> u64 {
        match call {
            Call::Matmul { .. } if !call.can_fork() => call.serial_cycles(),
            Call::Quicksort { .. } if !call.can_fork() => 0,
            _ if !call.can_fork() => call.own_cycles(),
            _ => call.own_cycles() + call.parts().map(summed).iter().sum::<u64>(),
        }
    }

    #[test]
    fn the_serial_cost_is_the_sum_over_the_recursion() {
        for n in 0..60 {
            for call in [
                Call::Fib { n: n % 20 },
                Call::Quicksort { elements: n * 7 },
                Call::Matmul {
                    rows: n % 9,
                    columns: n % 7,
                    inner: 3,
                },
            ] {
                assert_eq!(call.serial_cycles(), summed(call), "{call:?}");
            }
        }
    }
}
