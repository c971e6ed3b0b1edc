//! What is asked for against what the kernel says it gave, on this machine with its settings.
//!
//! The tests that change a setting put it back when they end, however they end, and take turns.

use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};

use huge::settings::{self, Transparent};
use huge::{Backing, Buffer, Error, HUGE_PAGE_BYTES, Region, SMALL_PAGE_BYTES, WhyNot, page_flags};

const TRANSPARENT: &str = "/sys/kernel/mm/transparent_hugepage/enabled";
const POOL: &str = "/proc/sys/vm/nr_hugepages";

/// The machine's settings are one for all tests.
static MACHINE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A setting that is put back at the end of the test, also when the test fails.
struct Changed {
    file: &'static str,
    before: String,
}

impl Changed {
    /// `None`, with a word on why, for whoever may not change the machine.
    fn to(file: &'static str, value: &str) -> Option<Self> {
        let text = fs::read_to_string(file).ok()?;
        let chosen = text
            .split_once('[')
            .and_then(|(_, rest)| rest.split_once(']'));
        let before = chosen.map_or(text.trim(), |(word, _)| word).to_owned();
        if let Err(error) = fs::write(file, value) {
            eprintln!("{file} cannot be changed here ({error}): this part is not tested");
            return None;
        }
        Some(Self { file, before })
    }
}

impl Drop for Changed {
    fn drop(&mut self) {
        fs::write(self.file, &self.before).expect("what could be changed can be put back");
    }
}

fn touched(bytes: usize, backing: Backing) -> Region {
    let mut region = Region::map(bytes, backing).expect("a few megabytes can be mapped");
    region.touch().expect("a few megabytes can be touched");
    region
}

fn advice_is_followed() -> bool {
    let setting = settings::transparent();
    matches!(setting, Transparent::Advised | Transparent::Always) && settings::is_process_allowed()
}

#[test]
fn an_advised_region_is_on_huge_pages_or_says_why_not() {
    let _turn = alone();
    let region = touched(16 << 20, Backing::Advised);
    let granted = region.granted().unwrap();
    assert_eq!(granted.huge_bytes + granted.small_bytes, 16 << 20);
    if advice_is_followed() {
        assert_eq!(granted.huge_bytes, 16 << 20, "{granted:?}");
        assert_eq!(granted.missing(), None);
    } else {
        assert!(granted.missing().is_some());
    }
}

#[test]
fn a_small_region_stays_on_small_pages_on_every_machine() {
    let _turn = alone();
    let granted = touched(8 << 20, Backing::Small).granted().unwrap();
    assert_eq!((granted.huge_bytes, granted.small_bytes), (0, 8 << 20));
    assert!(granted.missing().is_some());
}

#[test]
fn neighbours_do_not_count_for_each_other() {
    let _turn = alone();
    let regions: Vec<_> = (0..4).map(|_| touched(2 << 20, Backing::Advised)).collect();
    let untouched = Region::map(2 << 20, Backing::Advised).unwrap();
    for region in &regions {
        assert_eq!(region.granted().unwrap().bytes, 2 << 20);
    }
    let granted = untouched.granted().unwrap();
    assert_eq!((granted.huge_bytes, granted.small_bytes), (0, 0));
    if advice_is_followed() {
        assert_eq!(granted.missing(), Some(WhyNot::Untouched));
    }
}

#[test]
fn a_region_is_zeroed_aligned_and_writable() {
    let mut region = Region::map(5 << 20, Backing::Advised).unwrap();
    assert_eq!(region.size_bytes(), 6 << 20);
    assert!(region.range().start.is_multiple_of(HUGE_PAGE_BYTES));
    assert!(region.as_slice().iter().all(|&byte| byte == 0));
    region.as_mut_slice()[6 << 19] = 3;
    region.touch().unwrap();
    assert_eq!(region.as_slice()[6 << 19], 3, "touching changes nothing");
}

#[test]
fn regions_of_no_bytes_or_too_many_are_refused() {
    for bytes in [0, usize::MAX, usize::MAX - HUGE_PAGE_BYTES * 2] {
        let refused = Region::map(bytes, Backing::Advised);
        assert!(matches!(refused, Err(Error::Size { .. })), "{bytes}");
    }
    let refused = Region::map(1 << 60, Backing::Advised);
    assert!(matches!(refused, Err(Error::Map { .. })), "{refused:?}");
}

#[test]
fn collapsing_puts_touched_pages_onto_huge_ones() {
    let _turn = alone();
    let mut region = Region::map(4 << 20, Backing::Advised).unwrap();
    {
        let Some(_never) = Changed::to(TRANSPARENT, "never") else {
            return;
        };
        region.touch().unwrap();
        let granted = region.granted().unwrap();
        assert_eq!(granted.huge_bytes, 0);
        assert_eq!(granted.missing(), Some(WhyNot::Never));
    }
    match region.collapse() {
        Ok(()) => assert_eq!(region.granted().unwrap().huge_bytes, 4 << 20),
        Err(Error::NoCollapse) => eprintln!("this kernel is older than 6.1"),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn with_huge_pages_off_the_best_is_small_pages_with_reasons() {
    let _turn = alone();
    let Some(_never) = Changed::to(TRANSPARENT, "never") else {
        return;
    };
    let Some(_empty) = Changed::to(POOL, "0") else {
        return;
    };
    let (region, refusals) = Region::best(4 << 20).unwrap();
    assert_eq!(region.backing(), Backing::Advised);
    assert_eq!(region.granted().unwrap().missing(), Some(WhyNot::Never));
    assert!(matches!(refusals[..], [Error::Pool { free: 0, wanted: 2 }]));
}

#[test]
fn a_region_of_the_pool_is_on_huge_pages_at_once() {
    let _turn = alone();
    let Some(_pool) = Changed::to(POOL, "4") else {
        return;
    };
    if settings::free_in_pool() < 4 {
        eprintln!("memory is too fragmented for a pool of four");
        return;
    }
    let region = Region::map(8 << 20, Backing::Pool).unwrap();
    let granted = region.granted().unwrap();
    assert_eq!((granted.huge_bytes, granted.missing()), (8 << 20, None));
    let refused = Region::map(2 << 20, Backing::Pool);
    assert!(
        matches!(refused, Err(Error::Pool { wanted: 1, free: 0 })),
        "{refused:?}"
    );
    drop(region);
    assert_eq!(settings::free_in_pool(), 4);
}

#[test]
fn a_buffer_that_outgrows_the_pool_goes_on_by_advice() {
    let _turn = alone();
    let Some(_pool) = Changed::to(POOL, "2") else {
        return;
    };
    if settings::free_in_pool() < 2 {
        eprintln!("memory is too fragmented for a pool of two");
        return;
    }
    let mut buffer = Buffer::with_capacity(1, Backing::Pool).unwrap();
    let count = HUGE_PAGE_BYTES / size_of::<u64>() + 1;
    for number in 0..count as u64 {
        buffer.push(number).unwrap();
    }
    assert_eq!(buffer.region().backing(), Backing::Advised);
    assert!(buffer.iter().copied().eq(0..count as u64));
}

#[test]
fn page_flags_agree_with_smaps_or_are_denied() {
    let _turn = alone();
    let region = touched(4 << 20, Backing::Advised);
    let small = touched(2 << 20, Backing::Small);
    match (page_flags(region.range()), page_flags(small.range())) {
        (Ok(huge), Ok(small)) => {
            let granted = region.granted().unwrap();
            assert_eq!(huge.transparent * SMALL_PAGE_BYTES, granted.huge_bytes);
            assert_eq!(small.small * SMALL_PAGE_BYTES, 2 << 20);
        }
        (Err(Error::Evidence { source, .. }), _) => {
            assert_eq!(source.kind(), std::io::ErrorKind::PermissionDenied);
        }
        (huge, small) => panic!("{huge:?} {small:?}"),
    }
}

#[test]
fn a_setting_is_put_back_when_a_test_fails() {
    let _turn = alone();
    let before = fs::read_to_string(POOL).unwrap();
    let failed = std::panic::catch_unwind(|| {
        let _pool = Changed::to(POOL, "1");
        panic!("as a failing test does");
    });
    assert!(failed.is_err());
    assert_eq!(fs::read_to_string(POOL).unwrap(), before);
}
