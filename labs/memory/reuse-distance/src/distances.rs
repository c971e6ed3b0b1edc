//! What one access is told: how far back its two earlier uses lie.

use std::fmt;

use lab_kit::{Compare, Difference};

/// The two reuse distances of one access, in distinct addresses.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Distances {
    /// Other addresses accessed since the same address; `None` on its first use.
    pub temporal: Option<u32>,
    /// Other addresses accessed since another address of the line; `None` if there was none.
    pub spatial: Option<u32>,
}

/// In one line: `temporal 4, spatial none`.
impl fmt::Debug for Distances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |distance: Option<u32>| distance.map_or("none".into(), |it| it.to_string());
        let (temporal, spatial) = (shown(self.temporal), shown(self.spatial));
        write!(f, "temporal {temporal}, spatial {spatial}")
    }
}

impl Compare for Distances {
    fn first_difference(&self, found: &Self) -> Option<Difference> {
        (self != found).then(|| Difference {
            place: String::new(),
            expected: format!("{self:?}"),
            found: format!("{found:?}"),
        })
    }
}
