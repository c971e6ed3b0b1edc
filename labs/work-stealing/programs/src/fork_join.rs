//! What a program needs of a runtime, and the runtimes that offer it.

/// A runtime on which a program can fork.
///
/// A program gets the runtime's own token and hands it down its calls, so that it compiles to the
/// same code as if it had been written for that runtime alone.
pub trait ForkJoin: 'static {
    /// What stands for "the worker that runs this", for as long as a call.
    type Token<'a>;

    /// Runs both closures, perhaps in parallel, and returns both results.
    fn join<A, B, RA, RB>(token: &mut Self::Token<'_>, a: A, b: B) -> (RA, RB)
    where
        A: for<'t> FnOnce(&mut Self::Token<'t>) -> RA + Send,
        B: for<'t> FnOnce(&mut Self::Token<'t>) -> RB + Send,
        RA: Send,
        RB: Send;
}

/// The serial elision: `join` is a call, then another.
#[derive(Clone, Copy, Debug)]
pub struct Serial;

impl ForkJoin for Serial {
    type Token<'a> = ();

    #[inline]
    fn join<A, B, RA, RB>((): &mut (), a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut ()) -> RA + Send,
        B: FnOnce(&mut ()) -> RB + Send,
    {
        (a(&mut ()), b(&mut ()))
    }
}

/// The runtime of this part of the course.
#[derive(Clone, Copy, Debug)]
pub struct Magpie;

impl ForkJoin for Magpie {
    type Token<'a> = &'a magpie::Worker;

    #[inline]
    fn join<A, B, RA, RB>(token: &mut &magpie::Worker, a: A, b: B) -> (RA, RB)
    where
        A: for<'t> FnOnce(&mut &'t magpie::Worker) -> RA + Send,
        B: for<'t> FnOnce(&mut &'t magpie::Worker) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        token.join(|mut worker| a(&mut worker), |mut worker| b(&mut worker))
    }
}

/// Rayon, which finds its worker through a thread-local and so needs no token.
#[derive(Clone, Copy, Debug)]
pub struct Rayon;

impl ForkJoin for Rayon {
    type Token<'a> = ();

    #[inline]
    fn join<A, B, RA, RB>((): &mut (), a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut ()) -> RA + Send,
        B: FnOnce(&mut ()) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        rayon::join(|| a(&mut ()), || b(&mut ()))
    }
}

/// Chili, which shares a fork only once in a while.
#[derive(Clone, Copy, Debug)]
pub struct Chili;

impl ForkJoin for Chili {
    type Token<'a> = chili::Scope<'a>;

    #[inline]
    fn join<A, B, RA, RB>(token: &mut chili::Scope<'_>, a: A, b: B) -> (RA, RB)
    where
        A: for<'t> FnOnce(&mut chili::Scope<'t>) -> RA + Send,
        B: for<'t> FnOnce(&mut chili::Scope<'t>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        token.join(a, b)
    }
}

/// Forte, which shares a fork when its heartbeat asks for one.
#[derive(Clone, Copy, Debug)]
pub struct Forte;

impl ForkJoin for Forte {
    type Token<'a> = &'a forte::Worker;

    #[inline]
    fn join<A, B, RA, RB>(token: &mut &forte::Worker, a: A, b: B) -> (RA, RB)
    where
        A: for<'t> FnOnce(&mut &'t forte::Worker) -> RA + Send,
        B: for<'t> FnOnce(&mut &'t forte::Worker) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        token.join(|mut worker| a(&mut worker), |mut worker| b(&mut worker))
    }
}
