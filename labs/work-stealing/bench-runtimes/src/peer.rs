//! The runtimes that are compared, each behind one way to enter it.

use std::num::NonZero;

use anyhow::Context;
use programs::{Chili, ForkJoin, Forte, Magpie, Rayon, Serial};

/// The names on the command line and in the tables, in the tables' order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Peer {
    /// The serial elision, which the compiler may inline into itself.
    Serial,
    /// The serial elision with one call that the compiler cannot see through.
    Opaque,
    /// The runtime of the course.
    Magpie,
    /// Rayon.
    Rayon,
    /// Chili.
    Chili,
    /// Forte.
    Forte,
}

impl Peer {
    /// Runtimes, as opposed to elisions.
    pub(crate) const RUNTIMES: [Self; 4] = [Self::Magpie, Self::Rayon, Self::Chili, Self::Forte];
    /// All of them.
    pub(crate) const ALL: [Self; 6] = [
        Self::Serial,
        Self::Opaque,
        Self::Magpie,
        Self::Rayon,
        Self::Chili,
        Self::Forte,
    ];

    /// As on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Serial => "serial",
            Self::Opaque => "opaque",
            Self::Magpie => "magpie",
            Self::Rayon => "rayon",
            Self::Chili => "chili",
            Self::Forte => "forte",
        }
    }

    /// Starts a pool and hands it to `visitor`.
    pub(crate) fn with_pool<V: Visitor>(
        self,
        workers: usize,
        visitor: V,
    ) -> anyhow::Result<V::Output> {
        Ok(match self {
            Self::Serial => visitor.visit(&SerialPool),
            Self::Opaque => visitor.visit(&OpaquePool),
            Self::Magpie => visitor.visit(&magpie::Pool::new(workers)?),
            Self::Rayon => visitor.visit(
                &rayon::ThreadPoolBuilder::new()
                    .num_threads(workers)
                    .build()
                    .context("starting rayon's pool")?,
            ),
            Self::Chili => visitor.visit(&chili::ThreadPool::with_config(chili::Config {
                thread_count: NonZero::new(workers),
                ..chili::Config::default()
            })),
            Self::Forte => {
                static FORTE: forte::ThreadPool = forte::ThreadPool::new();
                // The calling thread works, too.
                FORTE.resize_to(workers.saturating_sub(1));
                visitor.visit(&FortePool(&FORTE))
            }
        })
    }
}

/// Something that works on any pool.
pub(crate) trait Visitor {
    type Output;
    fn visit<P: Pool>(self, pool: &P) -> Self::Output;
}

/// A pool of any runtime.
pub(crate) trait Pool {
    type Runtime: ForkJoin;
    /// Runs `body` on a worker.
    fn enter<F, O>(&self, body: F) -> O
    where
        F: for<'t> FnOnce(&mut <Self::Runtime as ForkJoin>::Token<'t>) -> O + Send,
        O: Send;
}

impl Pool for magpie::Pool {
    type Runtime = Magpie;
    fn enter<F, O>(&self, body: F) -> O
    where
        F: for<'t> FnOnce(&mut &'t magpie::Worker) -> O + Send,
        O: Send,
    {
        self.run(|mut worker| body(&mut worker))
    }
}

impl Pool for rayon::ThreadPool {
    type Runtime = Rayon;
    fn enter<F, O>(&self, body: F) -> O
    where
        F: FnOnce(&mut ()) -> O + Send,
        O: Send,
    {
        self.install(|| body(&mut ()))
    }
}

impl Pool for chili::ThreadPool {
    type Runtime = Chili;
    fn enter<F, O>(&self, body: F) -> O
    where
        F: for<'t> FnOnce(&mut chili::Scope<'t>) -> O + Send,
        O: Send,
    {
        body(&mut self.scope())
    }
}

/// Forte's pools are static.
struct FortePool(&'static forte::ThreadPool);

impl Pool for FortePool {
    type Runtime = Forte;
    fn enter<F, O>(&self, body: F) -> O
    where
        F: for<'t> FnOnce(&mut &'t forte::Worker) -> O + Send,
        O: Send,
    {
        self.0.with_worker(|mut worker| body(&mut worker))
    }
}

/// No pool at all.
struct SerialPool;

impl Pool for SerialPool {
    type Runtime = Serial;
    fn enter<F, O>(&self, body: F) -> O
    where
        F: FnOnce(&mut ()) -> O + Send,
        O: Send,
    {
        body(&mut ())
    }
}

/// No pool, and a call as expensive as one that a runtime has to make.
struct OpaquePool;

/// The serial elision whose first branch is a call that the compiler must really make.
struct Opaque;

impl ForkJoin for Opaque {
    type Token<'a> = ();

    #[inline]
    fn join<A, B, RA, RB>((): &mut (), a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut ()) -> RA + Send,
        B: FnOnce(&mut ()) -> RB + Send,
    {
        (call(a), b(&mut ()))
    }
}

#[inline(never)]
fn call<A: FnOnce(&mut ()) -> RA, RA>(a: A) -> RA {
    std::hint::black_box(a)(&mut ())
}

impl Pool for OpaquePool {
    type Runtime = Opaque;
    fn enter<F, O>(&self, body: F) -> O
    where
        F: FnOnce(&mut ()) -> O + Send,
        O: Send,
    {
        body(&mut ())
    }
}
