//! Measuring only while one function runs.
//!
//! The function's entry is recognised when its block is translated; its return when a block starts
//! with the stack pointer above where it was at the entry, which a return, an unwind and a long jump
//! all reach. Recursive entries belong to the outermost one. While any thread is inside, everything
//! that runs counts, on every thread: a function that hands its work to other threads is measured
//! whole. A signal handler on a stack of its own, above the program's, would end the region early.

use crate::{hot::HOT, valgrind::symbols};
use alloc::{string::String, vec::Vec};

/// Which threads are inside the function.
pub(crate) struct Region {
    function: Option<String>,
    /// By Valgrind's thread number: the stack pointer above which the thread has left.
    leave_above: Vec<u64>,
    threads_inside: u32,
    /// Outermost entries so far.
    pub(crate) entries: u64,
}

/// The thread is not inside.
const OUTSIDE: u64 = u64::MAX;

impl Region {
    pub(crate) const fn new() -> Self {
        Self {
            function: None,
            leave_above: Vec::new(),
            threads_inside: 0,
            entries: 0,
        }
    }

    /// From now on only `function` counts.
    pub(crate) fn limit_to(&mut self, function: String) {
        self.function = Some(function);
        HOT.inside.set(0);
    }

    /// Whether measuring is limited at all.
    pub(crate) fn is_limited(&self) -> bool {
        self.function.is_some()
    }

    /// Whether what runs now counts.
    pub(crate) fn is_open(&self) -> bool {
        !self.is_limited() || self.threads_inside > 0
    }

    /// Whether the function starts at `address`.
    pub(crate) fn starts_at(&self, address: u64) -> bool {
        let Some(wanted) = &self.function else {
            return false;
        };
        symbols::function_entry(address).is_some_and(|name| names(&name, wanted))
    }

    fn slot(&mut self, thread: u32) -> Option<&mut u64> {
        let index = thread as usize;
        if index >= self.leave_above.len() {
            self.leave_above.resize(index + 1, OUTSIDE);
        }
        self.leave_above.get_mut(index)
    }

    /// `thread` is about to run the function's first instruction.
    pub(crate) fn enter(&mut self, thread: u32, stack_pointer: u64) {
        let Some(slot) = self.slot(thread) else {
            return;
        };
        if *slot != OUTSIDE {
            return;
        }
        *slot = stack_pointer;
        self.threads_inside += 1;
        self.entries += 1;
        HOT.leave_above.set(stack_pointer);
        HOT.inside.set(u64::MAX);
    }

    /// `thread` has returned from the function, or ended.
    pub(crate) fn leave(&mut self, thread: u32) {
        let Some(slot) = self.slot(thread) else {
            return;
        };
        if *slot == OUTSIDE {
            return;
        }
        *slot = OUTSIDE;
        self.threads_inside -= 1;
        HOT.leave_above.set(OUTSIDE);
        if self.threads_inside == 0 {
            HOT.inside.set(0);
        }
    }

    /// `thread` runs from here on.
    pub(crate) fn thread_runs(&mut self, thread: u32) {
        if self.is_limited()
            && let Some(slot) = self.slot(thread)
        {
            HOT.leave_above.set(*slot);
        }
    }
}

/// Whether `wanted` names the function `full`: all of it, or its last path segments, without
/// parameters, template arguments and symbol version. `module::*` names all functions of a module.
fn names(full: &str, wanted: &str) -> bool {
    let end = full.find(['(', '@', '<']).filter(|&end| end > 0);
    let plain = end.map_or(full, |end| full.get(..end).unwrap_or(full));
    let plain = plain.trim_end_matches("::");
    if let Some(module) = wanted.strip_suffix("::*") {
        return plain
            .rsplit_once("::")
            .is_some_and(|(path, _)| names(path, module));
    }
    [full, plain].into_iter().any(|name| {
        name == wanted
            || name
                .strip_suffix(wanted)
                .is_some_and(|before| before.ends_with("::"))
    })
}
