//! The region that profilers look at when they are asked for a lab's kernel.

/// Calls `work` from a frame that tools can find by name in any build.
///
/// `grader footprint LAB` and `grader reuse LAB` count from the entry of `lab_kit_measured` to its
/// return; `perf` and a debugger can use the same name.
pub fn measured<R>(work: impl FnOnce() -> R) -> R {
    let mut work = Some(work);
    let mut result = None;
    let mut once = || {
        if let Some(work) = work.take() {
            result = Some(work());
        }
    };
    lab_kit_measured(&mut once);
    result.expect("lab_kit_measured calls its argument")
}

#[expect(
    unsafe_code,
    reason = "a symbol that a tool looks up may not be mangled"
)]
// SAFETY: no other crate of the workspace defines this name, and none calls it from outside Rust.
#[unsafe(no_mangle)]
#[inline(never)]
fn lab_kit_measured(work: &mut dyn FnMut()) {
    work();
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_result_of_the_work_comes_back() {
        assert_eq!(super::measured(|| 6 * 7), 42);
    }
}
