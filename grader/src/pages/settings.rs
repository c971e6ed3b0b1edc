//! The machine's settings for huge pages, and what memory is free for them.

use std::fs;
use std::path::Path;

use serde::Serialize;

/// Where the kernel keeps the settings of transparent huge pages.
const TRANSPARENT: &str = "sys/kernel/mm/transparent_hugepage";
/// 2 MiB in pages of 4 KiB, as a power of two: a column of /proc/buddyinfo.
const HUGE_ORDER: usize = 9;

/// Whom the kernel gives transparent huge pages of 2 MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transparent {
    /// Every large enough anonymous mapping.
    Always,
    /// Mappings that ask by `madvise`.
    Advised,
    /// Nobody.
    Never,
    /// The kernel was built without them.
    Absent,
}

/// The settings, and what is free. Sizes in bytes, pages of 2 MiB.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HugePageSettings {
    /// For anonymous memory.
    pub transparent: Transparent,
    /// What a page fault does when no huge page is free, in the kernel's word.
    pub defrag: Option<String>,
    /// For shared memory, in the kernel's word.
    pub shmem: Option<String>,
    /// Whether khugepaged looks for memory to put together, and how often, in milliseconds.
    pub background_milliseconds: Option<u64>,
    /// Pages of the reserved pool.
    pub pool_pages: u64,
    /// Those that are free and promised to nobody.
    pub pool_free_pages: u64,
    /// Memory that programs could still get.
    pub available_bytes: u64,
    /// Stretches of free memory that a huge page fits into now, without moving anything.
    pub free_huge_pages: u64,
}

impl HugePageSettings {
    /// This machine's.
    pub fn here() -> Self {
        Self::below(Path::new("/"))
    }

    /// Those of the system whose `proc` and `sys` are in the folder `root`.
    pub fn below(root: &Path) -> Self {
        let text = |file: &str| fs::read_to_string(root.join(file)).ok();
        let chosen = |file: &str| {
            let text = text(&format!("{TRANSPARENT}/{file}"))?;
            let (_, rest) = text.split_once('[')?;
            rest.split_once(']').map(|(word, _)| word.to_owned())
        };
        // Since Linux 6.8 each size has a setting of its own, which may point to the common one.
        let of_size = |file: &str, own: &str| {
            let own = chosen(&format!("hugepages-2048kB/{own}"));
            own.filter(|word| word != "inherit")
                .or_else(|| chosen(file))
        };
        let memory = text("proc/meminfo").unwrap_or_default();
        let value = |name: &str| -> u64 {
            let mut lines = memory.lines();
            let found = lines.find_map(|line| line.strip_prefix(name));
            let number = found.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
            number.unwrap_or(0)
        };
        let sleep = text(&format!("{TRANSPARENT}/khugepaged/scan_sleep_millisecs"));
        Self {
            transparent: match of_size("enabled", "enabled").as_deref() {
                Some("always") => Transparent::Always,
                Some("madvise") => Transparent::Advised,
                Some(_) => Transparent::Never,
                None => Transparent::Absent,
            },
            defrag: chosen("defrag"),
            shmem: of_size("shmem_enabled", "shmem_enabled"),
            background_milliseconds: sleep.and_then(|text| text.trim().parse().ok()),
            pool_pages: value("HugePages_Total:"),
            pool_free_pages: value("HugePages_Free:").saturating_sub(value("HugePages_Rsvd:")),
            available_bytes: value("MemAvailable:") << 10,
            free_huge_pages: free_huge_pages(&text("proc/buddyinfo").unwrap_or_default()),
        }
    }
}

/// `Node 0, zone   Normal  22706   6257 …`: free stretches of 1, 2, 4, … small pages.
fn free_huge_pages(buddyinfo: &str) -> u64 {
    let of_zone = |line: &str| -> u64 {
        let counts = line.split_whitespace().skip(4);
        counts
            .enumerate()
            .skip(HUGE_ORDER)
            .filter_map(|(order, count)| Some(count.parse::<u64>().ok()? << (order - HUGE_ORDER)))
            .sum()
    };
    buddyinfo.lines().map(of_zone).sum()
}

#[cfg(test)]
mod tests {
    use super::{HugePageSettings, Transparent, free_huge_pages};

    #[test]
    fn free_stretches_count_by_the_huge_pages_that_fit() {
        let text = "Node 0, zone      DMA      0      0      0      0      0      0      0      0      1      1      3\n\
                    Node 0, zone   Normal  22706   6257   1436    569    542    256    118     76     29     16   1294\n";
        assert_eq!(free_huge_pages(text), 1 + 2 * 3 + 16 + 2 * 1294);
    }

    #[test]
    fn a_system_without_the_files_has_nothing() {
        let empty = tempfile::tempdir().unwrap();
        let settings = HugePageSettings::below(empty.path());
        assert_eq!(settings.transparent, Transparent::Absent);
        assert_eq!((settings.pool_pages, settings.free_huge_pages), (0, 0));
    }

    #[test]
    fn the_setting_of_the_size_overrides_the_common_one() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join(super::TRANSPARENT);
        std::fs::create_dir_all(folder.join("hugepages-2048kB")).unwrap();
        std::fs::write(folder.join("enabled"), "always [madvise] never").unwrap();
        let own = folder.join("hugepages-2048kB/enabled");
        for (text, expected) in [
            ("[always] inherit madvise never", Transparent::Always),
            ("always [inherit] madvise never", Transparent::Advised),
            ("always inherit madvise [never]", Transparent::Never),
        ] {
            std::fs::write(&own, text).unwrap();
            let found = HugePageSettings::below(root.path()).transparent;
            assert_eq!(found, expected, "{text}");
        }
    }
}
