//! 5120 functions, one to a page: what a large program looks like to a TLB. The 4096 in the middle are
//! hot; before and behind them lie 2 MiB that nobody calls, as in most programs.
//!
//! They are made by the assembler, since a compiler takes minutes for as many. Each multiplies its
//! argument by a constant and adds another one that is its own, and starts at another place of its page,
//! so that they do not all fall into the same set of the instruction cache.

use std::ops::Range;

use huge::SMALL_PAGE_BYTES;
use huge::smaps::{Mapping, own_mappings};

/// Functions that are called, and pages that they take.
pub(crate) const HOT: usize = 4096;
/// Functions before those, and as many behind them.
const COLD: usize = 512;
/// All functions.
const FUNCTIONS: usize = COLD + HOT + COLD;

#[expect(unsafe_code, reason = "the assembler's code is outside of Rust")]
mod label {
    use super::FUNCTIONS;

    // ANCHOR: assembler
    std::arch::global_asm!(
        ".pushsection .text.huge_text_code,\"ax\",@progbits",
        ".p2align 12",
        ".globl huge_text_code",
        ".hidden huge_text_code",
        "huge_text_code:",
        ".set huge_text_number, 0",
        ".rept {functions}",
        // 61 cache lines a page, an odd number: neighbours start in different sets.
        ".skip (huge_text_number % 61) * 64, 0xcc",
        "imul rax, rdi, 0x5851f42d",
        "add rax, huge_text_number * 2 + 1",
        "ret",
        ".p2align 12, 0xcc",
        ".set huge_text_number, huge_text_number + 1",
        ".endr",
        ".popsection",
        functions = const FUNCTIONS,
    );
    // ANCHOR_END: assembler

    // SAFETY: the symbol is defined by the assembler above; only its address is used.
    unsafe extern "C" {
        #[link_name = "huge_text_code"]
        pub(super) static START: u8;
    }
}

/// The hot code of this program.
#[derive(Debug)]
pub struct Code {
    start: *const u8,
}

impl Code {
    /// The one that was linked into this program.
    pub fn of_program() -> Self {
        Self {
            start: &raw const label::START,
        }
    }

    /// Its addresses: 20 MiB, which start on a page, but hardly on a huge one.
    pub fn range(&self) -> Range<usize> {
        self.start.addr()..self.start.addr() + FUNCTIONS * SMALL_PAGE_BYTES
    }

    /// Its bytes.
    #[expect(unsafe_code, reason = "code is read as bytes")]
    pub fn bytes(&self) -> &'static [u8] {
        // SAFETY: the assembler made as many bytes, which are mapped readable for the whole run. Who
        // replaces their pages is obliged to put the same bytes there.
        unsafe { std::slice::from_raw_parts(self.start, FUNCTIONS * SMALL_PAGE_BYTES) }
    }

    /// Calls a hot function of it, 0 to 4095.
    ///
    /// # Panics
    ///
    /// If there is no function of this number.
    #[expect(unsafe_code, reason = "the assembler's code is outside of Rust")]
    pub fn call(&self, function: usize, argument: u64) -> u64 {
        assert!(function < HOT, "there is no hot function {function}");
        let function = COLD + function;
        let offset = function * SMALL_PAGE_BYTES + function % 61 * 64;
        let address = self.start.wrapping_add(offset);
        // SAFETY: a function of this type starts there, by the assembler's text above.
        let function: extern "C" fn(u64) -> u64 = unsafe { std::mem::transmute(address) };
        function(argument)
    }

    /// What the kernel says of the mapping in its middle; `None` if it does not say.
    pub fn mapping(&self) -> Option<Mapping> {
        let range = self.range();
        let middle = range.start + range.len() / 2;
        let mut mappings = own_mappings().ok()?.into_iter();
        mappings.find(|mapping| mapping.range.contains(&middle))
    }
}
