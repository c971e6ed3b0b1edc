//! Text is played by a mapping of code that the tests make: what they break is nobody's program.

use super::{Remapped, TextError, program_text, remap, remap_text};
use crate::smaps::{Mapping, own_mappings};
use crate::{Backing, HUGE_PAGE_BYTES, Region, SMALL_PAGE_BYTES, settings};

/// `mov eax, 42; ret`
const ANSWER: [u8; 6] = [0xb8, 42, 0, 0, 0, 0xc3];

/// Small pages full of functions that return 42, one at the start of each page.
struct PlayedText {
    start: usize,
    bytes: usize,
}

impl PlayedText {
    #[expect(unsafe_code, reason = "code is mapped to be executed")]
    fn of(bytes: usize) -> Self {
        let mut code = Region::map(bytes, Backing::Small).unwrap();
        for page in code.as_mut_slice().chunks_mut(SMALL_PAGE_BYTES) {
            page[..ANSWER.len()].copy_from_slice(&ANSWER);
        }
        let range = code.range();
        let start = code.as_ptr();
        std::mem::forget(code);
        // SAFETY: the mapping is this test's own and stays for the rest of the process.
        let result =
            unsafe { libc::mprotect(start.cast(), range.len(), libc::PROT_READ | libc::PROT_EXEC) };
        assert_eq!(result, 0);
        Self {
            start: range.start,
            bytes: range.len(),
        }
    }

    fn mapping(&self) -> Mapping {
        let mappings = own_mappings().unwrap();
        let mut all = mappings.into_iter();
        all.find(|mapping| mapping.range.contains(&self.start))
            .unwrap()
    }

    #[expect(unsafe_code, reason = "played code is called")]
    fn call(&self, page: usize) -> u32 {
        let address = std::ptr::with_exposed_provenance::<()>(self.start + page * SMALL_PAGE_BYTES);
        // SAFETY: every page of the mapping starts with a function of this type.
        let function: extern "C" fn() -> u32 = unsafe { std::mem::transmute(address) };
        function()
    }

    #[expect(unsafe_code, reason = "libc has no wrapper for mseal")]
    fn seal(&self) -> bool {
        /// Source: arch/x86/entry/syscalls/syscall_64.tbl, since Linux 6.10.
        const MSEAL: libc::c_long = 462;
        // SAFETY: sealing only forbids later changes of this test's own mapping.
        unsafe { libc::syscall(MSEAL, self.start, self.bytes, 0) == 0 }
    }
}

fn can_have_huge_pages() -> bool {
    use settings::Transparent::{Advised, Always};
    matches!(settings::transparent(), Advised | Always) && settings::is_process_allowed()
}

#[test]
fn moved_text_runs_as_before_and_is_on_huge_pages() {
    let text = PlayedText::of(6 << 20);
    let moved = remap(&text.mapping(), Backing::Advised);
    if can_have_huge_pages() {
        let Remapped { range, huge_bytes } = moved.unwrap();
        assert_eq!(range, text.start..text.start + text.bytes);
        assert!(huge_bytes >= HUGE_PAGE_BYTES, "{huge_bytes}");
        let mapping = text.mapping();
        assert_eq!(mapping.permissions, "r-xp");
        assert_eq!(mapping.anonymous_huge_bytes, huge_bytes);
    } else {
        assert!(matches!(moved, Err(TextError::NoHugePage(_))), "{moved:?}");
    }
    for page in 0..text.bytes / SMALL_PAGE_BYTES {
        assert_eq!(text.call(page), 42, "page {page}");
    }
}

#[test]
fn text_runs_in_other_threads_while_it_moves() {
    let text = PlayedText::of(8 << 20);
    let pages = text.bytes / SMALL_PAGE_BYTES;
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for round in 0..200_000 {
                    assert_eq!(text.call(round * 7 % pages), 42);
                }
            });
        }
        let moved = remap(&text.mapping(), Backing::Advised);
        assert_eq!(moved.is_ok(), can_have_huge_pages(), "{moved:?}");
    });
}

#[test]
fn sealed_text_stays_and_runs_on() {
    let text = PlayedText::of(4 << 20);
    if !text.seal() {
        eprintln!("this kernel cannot seal; it came with Linux 6.10");
        return;
    }
    // Also where the kernel does not show the seal, the last step meets it.
    for flags in [text.mapping().flags, String::new()] {
        let mapping = Mapping {
            flags,
            ..text.mapping()
        };
        let moved = remap(&mapping, Backing::Advised);
        assert!(
            matches!(moved, Err(TextError::Sealed | TextError::NoHugePage(_))),
            "{moved:?}"
        );
        assert_eq!(text.call(5), 42);
    }
}

#[test]
fn text_without_a_whole_huge_page_is_too_small() {
    let text = PlayedText::of(2 << 20);
    let mut mapping = text.mapping();
    mapping.range.start += SMALL_PAGE_BYTES;
    let moved = remap(&mapping, Backing::Advised);
    assert!(matches!(moved, Err(TextError::TooSmall { bytes }) if bytes < HUGE_PAGE_BYTES));
}

#[test]
fn text_on_huge_pages_is_left_alone() {
    let mapping = Mapping {
        range: 0..HUGE_PAGE_BYTES,
        file_huge_bytes: HUGE_PAGE_BYTES,
        ..Mapping::default()
    };
    let moved = remap(&mapping, Backing::Advised);
    assert!(matches!(moved, Err(TextError::AlreadyHuge { .. })));
}

#[test]
fn an_empty_pool_is_told() {
    let text = PlayedText::of(2 << 20);
    // More than any pool of a machine that runs tests: 512 GiB.
    let mapping = Mapping {
        range: text.start..text.start + (512 << 30),
        ..text.mapping()
    };
    let moved = remap(&mapping, Backing::Pool);
    assert!(
        matches!(moved, Err(TextError::Memory(crate::Error::Pool { .. }))),
        "{moved:?}"
    );
}

#[test]
fn this_test_program_has_little_text_and_says_so_each_time() {
    let text = program_text().unwrap();
    assert!(text.permissions.contains('x') && text.name.starts_with('/'));
    if huge_pages_fit(&text) {
        return;
    }
    for _ in 0..2 {
        let moved = remap_text(Backing::Advised);
        assert!(
            matches!(moved, Err(TextError::TooSmall { .. })),
            "{moved:?}"
        );
    }
}

fn huge_pages_fit(text: &Mapping) -> bool {
    !crate::huge_pages_within(text.range.clone()).is_empty()
}

#[test]
fn every_text_of_this_process_is_told_and_runs_on() {
    let texts = super::remap_all_text(Backing::Advised).unwrap();
    let own = program_text().unwrap().name;
    let libc = texts.iter().find(|text| text.file.contains("libc"));
    let of_program = texts.iter().find(|text| text.file == own);
    for text in [libc, of_program].into_iter().flatten() {
        // Both are small: what would be moved is a bonus, what is not has its reason.
        let is_told = matches!(
            text.result,
            Ok(_) | Err(TextError::TooSmall { .. } | TextError::NoHugePage(_))
        );
        assert!(is_told, "{text:?}");
    }
    assert!(of_program.is_some(), "{texts:?}");
}
