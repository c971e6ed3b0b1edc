//! The program interface: strands that touch memory and end in a fork or a join.

use alloc::vec::Vec;
use core::fmt;

/// Whether an access changes memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Load.
    Read,
    /// Store; the line is fetched first, as caches that allocate on a write do.
    Write,
}

/// Memory that a strand streams over: `rows` rows of `bytes` bytes, `stride` bytes apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// First byte.
    pub start: u64,
    /// Bytes of one row.
    pub bytes: u64,
    /// Rows.
    pub rows: u64,
    /// Bytes from the start of one row to the start of the next.
    pub stride_bytes: u64,
    /// Read or written.
    pub access: Access,
}

/// Ranges streamed over side by side, with the computation that goes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) first_range: usize,
    pub(crate) end_range: usize,
    pub(crate) cycles: u64,
}

/// How large a task and one of its strands is, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// What the whole task touches; `u64::MAX` for a task that does not say.
    pub task_bytes: u64,
    /// What the strand touches.
    pub strand_bytes: u64,
}

impl Size {
    /// A task that states one size, for its strands as well.
    pub fn of(bytes: u64) -> Self {
        Self {
            task_bytes: bytes,
            strand_bytes: bytes,
        }
    }

    /// No annotation.
    pub fn unknown() -> Self {
        Self::of(u64::MAX)
    }
}

/// What one strand does. The simulator empties it, the program fills it, in order.
#[derive(Clone, Debug)]
pub struct Script<S> {
    pub(crate) ranges: Vec<Range>,
    pub(crate) steps: Vec<Step>,
    pub(crate) children: Vec<S>,
    pub(crate) continuation: Option<S>,
}

impl<S> Default for Script<S> {
    fn default() -> Self {
        Self {
            ranges: Vec::new(),
            steps: Vec::new(),
            children: Vec::new(),
            continuation: None,
        }
    }
}

impl<S> Script<S> {
    pub(crate) fn clear(&mut self) {
        self.ranges.clear();
        self.steps.clear();
        self.children.clear();
        self.continuation = None;
    }

    /// Computes for `cycles` without touching memory.
    pub fn compute(&mut self, cycles: u64) {
        self.stream(&[], cycles);
    }

    /// Streams over `ranges` side by side, each in proportion, computing `cycles` on the way.
    pub fn stream(&mut self, ranges: &[Range], cycles: u64) {
        let first_range = self.ranges.len();
        self.ranges.extend_from_slice(ranges);
        self.steps.push(Step {
            first_range,
            end_range: self.ranges.len(),
            cycles,
        });
    }

    /// Ends the strand: `children` may run in parallel, then `continuation` runs, a strand of the
    /// same task as this one. Without children the strand would never continue, so it joins.
    pub fn fork(&mut self, children: impl IntoIterator<Item = S>, continuation: S) {
        self.children.extend(children);
        self.continuation = Some(continuation);
    }
}

/// A fork-join program. A strand that does not fork joins, and its task ends.
///
/// What a strand does may depend on nothing but the strand: the same program then comes out under
/// every scheduler.
pub trait Program {
    /// What names a strand: the function and its arguments.
    type Strand: fmt::Debug;

    /// The first strand.
    fn root(&self) -> Self::Strand;
    /// How large the strand and its task are. Asked when the strand becomes ready.
    fn size(&self, strand: &Self::Strand) -> Size;
    /// Writes down what the strand does.
    fn run(&self, strand: &Self::Strand, script: &mut Script<Self::Strand>);
    /// Which part of the program the strand belongs to, a small number: misses are counted apart
    /// for each part. RRM, for one, numbers the levels of its recursion.
    fn part(&self, _strand: &Self::Strand) -> usize {
        0
    }
    /// Bytes of the address space: every range lies below.
    fn address_space_bytes(&self) -> u64;
}

/// A contiguous range that is read.
pub fn read(start: u64, bytes: u64) -> Range {
    Range {
        start,
        bytes,
        rows: 1,
        stride_bytes: bytes,
        access: Access::Read,
    }
}

/// A contiguous range that is written.
pub fn write(start: u64, bytes: u64) -> Range {
    Range {
        start,
        bytes,
        rows: 1,
        stride_bytes: bytes,
        access: Access::Write,
    }
}
