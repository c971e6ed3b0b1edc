//! Transparent huge pages: may a program of this machine have them?

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use super::tools::Missing;

/// Where the kernel keeps the settings.
const SETTINGS: &str = "/sys/kernel/mm/transparent_hugepage";
/// The setting for pages of 2 MB alone, from kernel 6.8 on; `inherit` leaves it to the general one.
const OF_2_MB: &str = "hugepages-2048kB/enabled";
/// A process may have been started with huge pages switched off for it and its children.
const STATUS: &str = "/proc/self/status";
const STATUS_FIELD: &str = "THP_enabled:";

/// The setting in force when the grader was started: `always` or `madvise`.
///
/// # Errors
///
/// [`Missing`] with the line to type, if no program can have transparent huge pages.
pub fn transparent() -> Result<String, Missing> {
    // Read once: `give_on_request_only` and `give_none` change what this process reads of itself.
    static AT_START: OnceLock<Result<String, (String, String)>> = OnceLock::new();
    let at_start = AT_START.get_or_init(|| {
        let status = fs::read_to_string(STATUS).unwrap_or_default();
        setting_in(Path::new(SETTINGS), &status)
    });
    at_start.clone().map_err(|(found, remedy)| Missing {
        tool: "transparent huge pages",
        found,
        remedy,
    })
}

/// From now on, this process and its children get huge pages where they ask for them only, as if
/// the setting were `madvise`. `false` if the kernel is older than 6.18, which brought this.
pub fn give_on_request_only() -> bool {
    /// `PR_THP_DISABLE_EXCEPT_ADVISED` of linux/prctl.h, which libc does not name yet.
    const EXCEPT_ADVISED: libc::c_ulong = 1 << 1;
    const UNUSED: libc::c_ulong = 0;
    let on: libc::c_ulong = 1;
    #[expect(unsafe_code, reason = "no library names this flag of prctl yet")]
    // SAFETY: this operation reads its four numbers and touches no memory of ours.
    let answer =
        unsafe { libc::prctl(libc::PR_SET_THP_DISABLE, on, EXCEPT_ADVISED, UNUSED, UNUSED) };
    answer == 0
}

/// From now on, this process and its children get no huge pages. `false` if the kernel refuses.
pub fn give_none() -> bool {
    rustix::thread::disable_transparent_huge_pages(true).is_ok()
}

/// What measured page walks depend on beside the program, for the memory of results.
pub fn fingerprint() -> String {
    let setting = transparent().unwrap_or_else(|_| "never".into());
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let pool = memory
        .lines()
        .find_map(|line| line.strip_prefix("HugePages_Total:"));
    format!("{setting}, pool {}", pool.unwrap_or("0").trim())
}

/// The setting in force, or what was found and what to type.
fn setting_in(folder: &Path, status: &str) -> Result<String, (String, String)> {
    let general = folder.join("enabled");
    let Ok(text) = fs::read_to_string(&general) else {
        return Err((
            format!("this kernel has none: there is no {}", general.display()),
            "use a kernel built with CONFIG_TRANSPARENT_HUGEPAGE".into(),
        ));
    };
    let of_2_mb = folder.join(OF_2_MB);
    let own = fs::read_to_string(&of_2_mb).ok().map(|text| chosen(&text));
    let (setting, file) = match own {
        Some(own) if own != "inherit" => (own, of_2_mb),
        _ => (chosen(&text), general),
    };
    if setting != "always" && setting != "madvise" {
        return Err((
            format!("they are off: {} says `{setting}`", file.display()),
            format!("echo madvise | sudo tee {}", file.display()),
        ));
    }
    let of_process = status
        .lines()
        .find_map(|line| line.strip_prefix(STATUS_FIELD));
    if of_process.is_some_and(|value| value.trim() == "0") {
        return Err((
            "they are off for this process and its children (prctl PR_SET_THP_DISABLE)".into(),
            "start the grader from another shell or service".into(),
        ));
    }
    Ok(setting)
}

/// The word in brackets of `always [madvise] never`.
fn chosen(text: &str) -> String {
    let inner = text
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    inner.map_or("", |(word, _)| word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::setting_in;
    use std::fs;
    use std::path::Path;

    fn settings(general: &str, of_2_mb: Option<&str>) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("enabled"), general).unwrap();
        if let Some(text) = of_2_mb {
            fs::create_dir(folder.path().join("hugepages-2048kB")).unwrap();
            fs::write(folder.path().join("hugepages-2048kB/enabled"), text).unwrap();
        }
        folder
    }

    #[test]
    fn advice_and_always_give_huge_pages() {
        for (general, of_2_mb, expected) in [
            ("always [madvise] never\n", None, "madvise"),
            ("[always] madvise never\n", None, "always"),
            (
                "always madvise [never]\n",
                Some("[always] inherit"),
                "always",
            ),
            (
                "[always] madvise never\n",
                Some("always [inherit]"),
                "always",
            ),
        ] {
            let folder = settings(general, of_2_mb);
            assert_eq!(
                setting_in(folder.path(), "THP_enabled:\t1\n").as_deref(),
                Ok(expected)
            );
        }
    }

    #[test]
    fn never_is_told_with_the_line_to_type() {
        let folder = settings("always madvise [never]\n", Some("always [inherit]"));
        let (found, remedy) = setting_in(folder.path(), "").unwrap_err();
        assert!(found.contains("`never`"), "{found}");
        assert!(remedy.starts_with("echo madvise | sudo tee "), "{remedy}");
        let folder = settings("[always] madvise never\n", Some("always inherit [never]"));
        let (_, remedy) = setting_in(folder.path(), "").unwrap_err();
        assert!(remedy.ends_with("hugepages-2048kB/enabled"), "{remedy}");
    }

    #[test]
    fn kernel_without_them_and_process_without_them_are_told() {
        let (found, _) = setting_in(Path::new("/nowhere"), "").unwrap_err();
        assert!(found.starts_with("this kernel has none"), "{found}");
        let folder = settings("[always] madvise never\n", None);
        let (found, _) = setting_in(folder.path(), "THP_enabled:\t0\n").unwrap_err();
        assert!(found.contains("PR_SET_THP_DISABLE"), "{found}");
    }
}
