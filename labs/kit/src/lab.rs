//! The [`Lab`] trait: the one description of a lab that tests, benches and the plain run share.

use std::fmt;

use crate::{Compare, Seed};

/// One input of the gate, with the name that a refusal shows.
#[derive(Debug, Clone)]
pub struct Case<Input> {
    /// What makes this input worth trying, as a reader should read it: `empty`, `one column`.
    pub name: String,
    /// What the function under test is given.
    pub input: Input,
}

impl<Input> Case<Input> {
    /// Names an input.
    pub fn new(name: impl Into<String>, input: Input) -> Self {
        Self {
            name: name.into(),
            input,
        }
    }
}

/// Which of a lab's functions to run.
///
/// The reference answer is no variant: with the feature `reference` it takes the solution's place,
/// so that nothing a reader writes can reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// The frozen slow version.
    Baseline,
    /// The reader's version.
    Solution,
}

impl Variant {
    /// Both variants, in the order in which reports show them.
    pub const ALL: [Self; 2] = [Self::Baseline, Self::Solution];

    /// The word for it on command lines and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Solution => "solution",
        }
    }

    /// The variant of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A lab: one function with a slow version and a reader's version, and the inputs to judge them by.
pub trait Lab {
    /// What the function works on. It is cloned outside of what is measured.
    type Input: Clone;
    /// What the function gives back.
    type Output: Compare + fmt::Debug;
    /// The function's type, as a reader sees its signature in `solution.rs`.
    type Function: Copy;

    /// The frozen slow version.
    const BASELINE: Self::Function;
    /// The reader's version.
    const SOLUTION: Self::Function;

    /// Calls `function` on `input`; what this does is what is measured.
    fn call(function: Self::Function, input: &mut Self::Input) -> Self::Output;

    /// Small fixed inputs whose outputs are committed as snapshots.
    fn examples() -> Vec<Case<Self::Input>>;

    /// Inputs of several sizes and shapes drawn from `seed`, which changes from run to run: empty,
    /// one element, not a multiple of anything, adversarial.
    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>>;

    /// The one input that the meter uses. It is the same in every run and on every machine.
    fn metered() -> Self::Input;

    /// What whoever wrote `function` should be told although it is right, such as what it asked the
    /// kernel for and did not get. The gate asks, once the function has passed.
    fn remark(function: Self::Function) -> Option<String> {
        let _ = function;
        None
    }

    /// The function of a variant.
    fn function(variant: Variant) -> Self::Function {
        match variant {
            Variant::Baseline => Self::BASELINE,
            Variant::Solution => Self::SOLUTION,
        }
    }
}
