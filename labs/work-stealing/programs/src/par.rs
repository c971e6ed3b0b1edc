//! Loops by halving, for any runtime: the programs' parallel-for.

use crate::ForkJoin;

/// Calls `body` with disjoint chunks of at most `grain` elements and the index of their first.
pub(crate) fn for_each_chunk<R, T, F>(
    token: &mut R::Token<'_>,
    data: &mut [T],
    first: usize,
    grain: usize,
    body: &F,
) where
    R: ForkJoin,
    T: Send,
    F: for<'t> Fn(&mut R::Token<'t>, usize, &mut [T]) + Sync,
{
    if data.len() <= grain {
        if !data.is_empty() {
            body(token, first, data);
        }
        return;
    }
    let middle = data.len().div_ceil(grain) / 2 * grain;
    let (left, right) = data.split_at_mut(middle);
    R::join(
        token,
        |token| for_each_chunk::<R, T, F>(token, left, first, grain, body),
        |token| for_each_chunk::<R, T, F>(token, right, first + middle, grain, body),
    );
}

/// Maps chunks of at most `grain` elements to a value each and folds the values in order.
pub(crate) fn map_reduce<R, T, V, M, F>(
    token: &mut R::Token<'_>,
    data: &[T],
    first: usize,
    grain: usize,
    map: &M,
    fold: &F,
) -> V
where
    R: ForkJoin,
    T: Sync,
    V: Send,
    M: Fn(usize, &[T]) -> V + Sync,
    F: Fn(V, V) -> V + Sync,
{
    if data.len() <= grain {
        return map(first, data);
    }
    let middle = data.len().div_ceil(grain) / 2 * grain;
    let (left, right) = data.split_at(middle);
    let (a, b) = R::join(
        token,
        |token| map_reduce::<R, T, V, M, F>(token, left, first, grain, map, fold),
        |token| map_reduce::<R, T, V, M, F>(token, right, first + middle, grain, map, fold),
    );
    fold(a, b)
}
