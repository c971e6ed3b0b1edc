//! What the machine allows: transparent huge pages, and the reserved pool.

use std::fs;
use std::path::Path;

/// Whom the kernel gives transparent huge pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transparent {
    /// Every large enough anonymous mapping.
    Always,
    /// Mappings that ask with `MADV_HUGEPAGE`.
    Advised,
    /// Nobody.
    Never,
    /// The kernel was built without them.
    Absent,
}

/// Where the kernel keeps the setting.
const TRANSPARENT: &str = "/sys/kernel/mm/transparent_hugepage";

/// The setting for pages of 2 MiB.
pub fn transparent() -> Transparent {
    transparent_in(Path::new(TRANSPARENT))
}

/// The same, from a folder with the kernel's files.
fn transparent_in(folder: &Path) -> Transparent {
    let chosen = |file: &str| {
        let text = fs::read_to_string(folder.join(file)).ok()?;
        chosen_word(&text).map(str::to_owned)
    };
    // Since Linux 6.8 each size has a setting of its own, which may point to the common one.
    let own = chosen("hugepages-2048kB/enabled").filter(|word| word != "inherit");
    match own.or_else(|| chosen("enabled")).as_deref() {
        Some("always") => Transparent::Always,
        Some("madvise") => Transparent::Advised,
        Some(_) => Transparent::Never,
        None => Transparent::Absent,
    }
}

/// The word in brackets: `always [madvise] never` has chosen `madvise`.
fn chosen_word(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('[')?;
    rest.split_once(']').map(|(word, _)| word)
}

/// Whether this process may have transparent huge pages; `prctl(PR_SET_THP_DISABLE)` and its
/// parents decide.
pub fn is_process_allowed() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    // The line came with Linux 5.0; without it nobody has said no.
    !status
        .lines()
        .filter_map(|line| line.strip_prefix("THP_enabled:"))
        .any(|value| value.trim() == "0")
}

/// Huge pages of the reserved pool that are free and promised to nobody.
pub fn free_in_pool() -> usize {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let value = |name: &str| -> usize {
        let mut lines = text.lines();
        let found = lines.find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        found.unwrap_or(0)
    };
    value("HugePages_Free:").saturating_sub(value("HugePages_Rsvd:"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{Transparent, transparent_in};

    /// A folder with the kernel's files, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn with(name: &str, files: &[(&str, &str)]) -> Self {
            let folder = std::env::temp_dir().join(format!("huge-{name}-{}", std::process::id()));
            for (file, text) in files {
                let path = folder.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Self(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_word_in_brackets_is_the_setting() {
        for (text, setting) in [
            ("[always] madvise never\n", Transparent::Always),
            ("always [madvise] never\n", Transparent::Advised),
            ("always madvise [never]\n", Transparent::Never),
        ] {
            let folder = Folder::with("common", &[("enabled", text)]);
            assert_eq!(transparent_in(&folder.0), setting);
        }
    }

    #[test]
    fn a_setting_for_two_megabytes_overrides_the_common_one() {
        let common = ("enabled", "[always] madvise never");
        let own = |text| [common, ("hugepages-2048kB/enabled", text)];
        let inherits = Folder::with("inherits", &own("always [inherit] madvise never"));
        assert_eq!(transparent_in(&inherits.0), Transparent::Always);
        let refuses = Folder::with("refuses", &own("always inherit madvise [never]"));
        assert_eq!(transparent_in(&refuses.0), Transparent::Never);
    }

    #[test]
    fn a_kernel_without_the_files_has_no_transparent_huge_pages() {
        let nowhere = std::env::temp_dir().join("huge-there-is-no-such-folder");
        assert_eq!(transparent_in(&nowhere), Transparent::Absent);
    }
}
