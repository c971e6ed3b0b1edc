//! What an owner and, now and then, a thief do to a deque.

use lab_kit::Seed;

/// One call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// The owner adds the entry of this number.
    Push(u64),
    /// The owner takes the youngest.
    Pop,
    /// A thief takes the oldest.
    Steal,
}

/// What the calls gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// One number a call: 0 for a full deque or an empty one, 1 for a push, one more than the
    /// entry for what was taken. Only of the first 64 calls.
    pub first: Vec<u64>,
    /// All of these numbers, each multiplied into the sum of those before.
    pub checksum: u64,
}

lab_kit::compare_fields!(Taken: first, checksum);

/// How a fork-join program of `pairs` forks uses its deque: it pushes, goes deeper or pops, and
/// ends where it began. `depth` bounds the entries; one call in `steal_every` comes from a thief.
pub fn fork_join(pairs: usize, depth: usize, steal_every: usize, seed: &mut Seed) -> Vec<Call> {
    let mut calls = Vec::new();
    let (mut begun, mut open) = (0, 0);
    while begun < pairs || open > 0 {
        let deeper = begun < pairs && open < depth && (open == 0 || seed.below(2) == 0);
        if deeper {
            calls.push(Call::Push(begun as u64));
            begun += 1;
            open += 1;
        } else {
            calls.push(Call::Pop);
            open -= 1;
        }
        if steal_every > 0 && seed.below(steal_every) == 0 {
            calls.push(Call::Steal);
        }
    }
    calls
}

/// Plays calls against a deque.
#[macro_export]
macro_rules! play {
    ($deque:ty) => {
        |calls: &[$crate::Call]| {
            let deque = <$deque>::new();
            let mut taken = $crate::Taken {
                first: Vec::with_capacity(64),
                checksum: 0,
            };
            for &call in calls {
                let number = match call {
                    $crate::Call::Push(entry) => u64::from(deque.push(entry)),
                    $crate::Call::Pop => deque.pop().map_or(0, |entry| entry + 1),
                    $crate::Call::Steal => deque.steal().map_or(0, |entry| entry + 1),
                };
                if taken.first.len() < 64 {
                    taken.first.push(number);
                }
                taken.checksum = taken.checksum.wrapping_mul(31).wrapping_add(number);
            }
            taken
        }
    };
}
