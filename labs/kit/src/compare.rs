//! Where two outputs first differ, in words a reader can act on.

use std::fmt::Debug;

/// The first place where an output is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The place, such as `[3].1` or `length`; empty when the whole value is one item.
    pub place: String,
    /// What the baseline gives there.
    pub expected: String,
    /// What the solution gives there.
    pub found: String,
}

impl Difference {
    fn of<Value: Debug + Compare>(expected: &Value, found: &Value) -> Self {
        Self {
            place: String::new(),
            expected: shown(expected, Value::MOST_CHARACTERS),
            found: shown(found, Value::MOST_CHARACTERS),
        }
    }

    fn within(mut self, place: impl AsRef<str>) -> Self {
        self.place.insert_str(0, place.as_ref());
        self
    }
}

fn shown(value: &impl Debug, most_characters: usize) -> String {
    let text = format!("{value:?}");
    if text.chars().count() <= most_characters {
        return text;
    }
    let start: String = text.chars().take(most_characters).collect();
    format!("{start}…")
}

/// Outputs that can say where they first differ.
pub trait Compare {
    /// How much of a value is shown: at most one line of a terminal, but for sentences.
    const MOST_CHARACTERS: usize = 60;

    /// The first place where `found` is not `self`, or `None` when they agree.
    fn first_difference(&self, found: &Self) -> Option<Difference>;
}

macro_rules! compare_as_one_item {
    ($($item:ty),*) => {$(
        impl Compare for $item {
            fn first_difference(&self, found: &Self) -> Option<Difference> {
                (self != found).then(|| Difference::of(self, found))
            }
        }
    )*};
}

compare_as_one_item!(
    (),
    bool,
    char,
    u8,
    u16,
    u32,
    u64,
    u128,
    usize,
    i8,
    i16,
    i32,
    i64,
    i128,
    isize
);

impl Compare for String {
    /// A simulator's account of what went wrong has its point at the end.
    const MOST_CHARACTERS: usize = 500;

    fn first_difference(&self, found: &Self) -> Option<Difference> {
        (self != found).then(|| Difference::of(self, found))
    }
}

macro_rules! compare_by_bits {
    ($($float:ty),*) => {$(
        /// Bit for bit: a lab whose answer may be rounded otherwise compares in a type of its own.
        impl Compare for $float {
            fn first_difference(&self, found: &Self) -> Option<Difference> {
                (self.to_bits() != found.to_bits()).then(|| Difference::of(self, found))
            }
        }
    )*};
}

compare_by_bits!(f32, f64);

impl<Item: Compare + Debug> Compare for Vec<Item> {
    fn first_difference(&self, found: &Self) -> Option<Difference> {
        let within_both = self.iter().zip(found).enumerate();
        for (index, (expected, found)) in within_both {
            if let Some(difference) = expected.first_difference(found) {
                return Some(difference.within(format!("[{index}]")));
            }
        }
        (self.len() != found.len())
            .then(|| Difference::of(&self.len(), &found.len()).within("length"))
    }
}

impl<Item: Compare + Debug> Compare for Option<Item> {
    const MOST_CHARACTERS: usize = Item::MOST_CHARACTERS;

    fn first_difference(&self, found: &Self) -> Option<Difference> {
        match (self, found) {
            (None, None) => None,
            (Some(expected), Some(found)) => expected.first_difference(found),
            _ => Some(Difference::of(self, found)),
        }
    }
}

impl<A: Compare, B: Compare> Compare for (A, B) {
    fn first_difference(&self, found: &Self) -> Option<Difference> {
        let first = self
            .0
            .first_difference(&found.0)
            .map(|difference| difference.within(".0"));
        first.or_else(|| {
            self.1
                .first_difference(&found.1)
                .map(|difference| difference.within(".1"))
        })
    }
}

/// Derives [`Compare`] for a struct from its fields, in the order given.
#[macro_export]
macro_rules! compare_fields {
    ($type:ty: $($field:ident),+ $(,)?) => {
        impl $crate::Compare for $type {
            fn first_difference(&self, found: &Self) -> Option<$crate::Difference> {
                $(
                    if let Some(mut difference) = self.$field.first_difference(&found.$field) {
                        difference.place.insert_str(0, concat!(".", stringify!($field)));
                        return Some(difference);
                    }
                )+
                None
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::{Compare, Difference};

    fn place(difference: Option<Difference>) -> Option<String> {
        difference.map(|difference| difference.place)
    }

    #[test]
    fn the_first_differing_place_is_named() {
        let expected = vec![(1, vec![1, 2]), (2, vec![3, 4])];
        let found = vec![(1, vec![1, 2]), (2, vec![3, 5])];
        let difference = expected.first_difference(&found).unwrap();
        assert_eq!(
            difference,
            Difference {
                place: "[1].1[1]".into(),
                expected: "4".into(),
                found: "5".into()
            }
        );
    }

    #[test]
    fn a_shorter_output_differs_in_its_length() {
        assert_eq!(
            place(vec![1, 2].first_difference(&vec![1])),
            Some("length".into())
        );
        assert_eq!(
            place(vec![1, 2].first_difference(&vec![3])),
            Some("[0]".into())
        );
    }

    #[test]
    fn floats_are_compared_bit_for_bit() {
        assert_eq!(f64::NAN.first_difference(&f64::NAN), None);
        assert!(0.0f64.first_difference(&-0.0).is_some());
    }

    #[test]
    fn a_huge_value_is_cut_and_a_sentence_is_not() {
        let difference = "x".repeat(10_000).first_difference(&String::new()).unwrap();
        assert!(difference.expected.chars().count() < 510);
        let huge = Some((0..1000).collect::<Vec<u32>>());
        let difference = huge.first_difference(&None).unwrap();
        assert!(difference.expected.chars().count() < 70);
        let sentence = "get(worker 1) returned job 12, ".repeat(4) + "which was never added";
        let difference = None.first_difference(&Some(sentence)).unwrap();
        assert!(
            difference.found.ends_with("never added\")"),
            "{}",
            difference.found
        );
    }
}
