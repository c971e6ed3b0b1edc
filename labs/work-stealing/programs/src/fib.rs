//! Fibonacci numbers by the recursion that defines them: the program that is nothing but forks.

use crate::ForkJoin;

// ANCHOR: fib
/// The `n`th Fibonacci number, forking at every level down to 1.
pub fn fib<R: ForkJoin>(token: &mut R::Token<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = R::join(
        token,
        move |token| fib::<R>(token, n - 1),
        move |token| fib::<R>(token, n - 2),
    );
    a + b
}
// ANCHOR_END: fib
