//! How often a program joins: the serial elision with a counter for a token.

use programs::ForkJoin;

use crate::program::Program;

/// Counts its joins in the token.
struct Counted;

impl ForkJoin for Counted {
    type Token<'a> = u64;

    fn join<A, B, RA, RB>(joins: &mut u64, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut u64) -> RA + Send,
        B: FnOnce(&mut u64) -> RB + Send,
    {
        *joins += 1;
        (a(joins), b(joins))
    }
}

/// Joins of one run at the table's size.
pub(crate) fn joins(program: Program) -> u64 {
    let mut joins = 0;
    program
        .input(program.full_size())
        .run::<Counted>(&mut joins);
    joins
}

#[cfg(test)]
mod tests {
    use super::Counted;
    use crate::program::Program;

    #[test]
    fn fib_joins_once_for_each_call_above_one() {
        let mut joins = 0;
        Program::Fib.input(20).run::<Counted>(&mut joins);
        assert_eq!(joins as f64, crate::sample::joins(20));
    }
}
