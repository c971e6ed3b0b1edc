//! One mapping for each reason.

use super::super::mapping::tests::mapping;
use super::{Circumstances, Why};
use crate::pages::settings::{HugePageSettings, Transparent};

fn circumstances(transparent: Transparent, shmem: &str) -> Circumstances {
    let nowhere = std::path::Path::new("/there-is-no-such-folder");
    Circumstances {
        settings: HugePageSettings {
            transparent,
            shmem: Some(shmem.into()),
            ..HugePageSettings::below(nowhere)
        },
        process_allowed: true,
    }
}

/// 8 MiB, aligned, all touched.
const ALIGNED: &str = "200000-a00000 rw-p 00000000 00:00 0";

#[track_caller]
fn assert_why(header: &str, flags: &str, circumstances: &Circumstances, expected: Why) {
    let mapping = mapping(header, 8 << 10, 0, flags);
    assert_eq!(Why::of(&mapping, circumstances), Some(expected), "{header}");
}

#[test]
fn anonymous_memory_is_judged_by_settings_and_advice() {
    let [always, advised, never, absent] = [
        Transparent::Always,
        Transparent::Advised,
        Transparent::Never,
        Transparent::Absent,
    ]
    .map(|setting| circumstances(setting, "never"));
    assert_why(ALIGNED, "rd wr", &advised, Why::NotAdvised);
    assert_why(ALIGNED, "rd wr hg", &advised, Why::NoneFree);
    assert_why(ALIGNED, "rd wr", &always, Why::NoneFree);
    assert_why(ALIGNED, "rd wr hg", &never, Why::Off);
    assert_why(ALIGNED, "rd wr hg", &absent, Why::Absent);
    assert_why(ALIGNED, "rd wr nh", &always, Why::AdvisedSmall);
    let disabled = Circumstances {
        process_allowed: false,
        ..always
    };
    assert_why(ALIGNED, "rd wr hg", &disabled, Why::ProcessDisabled);
}

#[test]
fn size_and_alignment_come_before_settings() {
    let advised = circumstances(Transparent::Advised, "never");
    let small = "200000-3ff000 rw-p 00000000 00:00 0";
    let unaligned = "201000-5ff000 rw-p 00000000 00:00 0";
    assert_why(small, "rd wr hg", &advised, Why::TooSmall);
    assert_why(unaligned, "rd wr hg", &advised, Why::Unaligned);
    let untouched = mapping(ALIGNED, 0, 0, "rd wr hg");
    assert_eq!(Why::of(&untouched, &advised), Some(Why::Untouched));
}

#[test]
fn files_and_shared_memory_have_reasons_of_their_own() {
    let never = circumstances(Transparent::Advised, "never");
    let advise = circumstances(Transparent::Advised, "advise");
    let of = |rights: &str, name: &str| format!("200000-a00000 {rights} 00000000 fe:00 9 {name}");
    assert_why(&of("r-xp", "/bin/x"), "rd ex", &never, Why::TextOfFile);
    assert_why(&of("r--p", "/bin/x"), "rd", &never, Why::FileSystem);
    let shared = of("rw-s", "/dev/shm/x");
    assert_why(&shared, "rd wr sh", &never, Why::SharedOff);
    assert_why(&shared, "rd wr sh", &advise, Why::SharedNotAdvised);
    assert_why(&shared, "rd wr sh hg", &advise, Why::NoneFree);
}

#[test]
fn what_is_on_huge_pages_needs_no_reason() {
    let advised = circumstances(Transparent::Advised, "never");
    let all = mapping(ALIGNED, 8 << 10, 8 << 10, "rd wr hg");
    assert_eq!(Why::of(&all, &advised), None);
    let touched_part = mapping(ALIGNED, 2 << 10, 2 << 10, "rd wr hg");
    assert_eq!(Why::of(&touched_part, &advised), None);
    let half = mapping(ALIGNED, 8 << 10, 4 << 10, "rd wr hg");
    assert_eq!(Why::of(&half, &advised), Some(Why::NoneFree));
    let ends = mapping("1ff000-601000 rw-p 0 00:00 0", 4104, 4 << 10, "rd wr hg");
    assert_eq!(Why::of(&ends, &advised), None, "its ends can only be small");
    let pool = mapping("200000-400000 rw-p 0 00:0f 1 /anon_hugepage", 0, 0, "rd ht");
    assert_eq!(Why::of(&pool, &advised), None);
}
