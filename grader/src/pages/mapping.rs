//! `/proc/PID/smaps`: the mappings of a process and what pages they have.

use std::ops::Range;

use serde::Serialize;

/// 2 MiB.
pub const HUGE_PAGE_BYTES: u64 = 2 << 20;

/// What a mapping shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Memory of this process alone.
    Anonymous,
    /// The heap that `brk` moves.
    Heap,
    /// The main thread's stack.
    Stack,
    /// Code from a file.
    Text,
    /// Other parts of a file.
    File,
    /// Memory that processes share: tmpfs, memfd, System V.
    Shared,
    /// From the reserved pool.
    Pool,
    /// Made by the kernel for its own calls.
    Kernel,
}

impl Kind {
    /// The word for it in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anonymous => "anonymous",
            Self::Heap => "heap",
            Self::Stack => "stack",
            Self::Text => "text",
            Self::File => "file",
            Self::Shared => "shared memory",
            Self::Pool => "pool",
            Self::Kernel => "kernel",
        }
    }
}

/// One mapping. Sizes in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mapping {
    /// Its addresses.
    pub range: Range<u64>,
    /// What is allowed, as in `r-xp`.
    pub permissions: String,
    /// Where in its file it starts.
    pub file_offset: u64,
    /// The file behind it, or a name in brackets; empty for anonymous memory.
    pub name: String,
    /// What is in memory, without pages of the pool, which Linux does not count here.
    pub resident_bytes: u64,
    /// What is on huge pages, mapped as such.
    pub huge_bytes: u64,
    /// What of the pool is in memory.
    pub pool_bytes: u64,
    /// Two letters for each property. Source: proc_pid_smaps(5), `VmFlags`.
    pub flags: String,
}

impl Mapping {
    /// Whether a property is among the flags, such as `hg` for advised.
    pub fn has_flag(&self, flag: &str) -> bool {
        self.flags.split_whitespace().any(|found| found == flag)
    }

    /// Its size.
    pub fn bytes(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// All that is in memory.
    pub fn in_memory_bytes(&self) -> u64 {
        self.resident_bytes + self.pool_bytes
    }

    /// Bytes of the whole aligned huge pages between its ends.
    pub fn whole_huge_bytes(&self) -> u64 {
        let start = self.range.start.next_multiple_of(HUGE_PAGE_BYTES);
        let end = self.range.end / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
        end.saturating_sub(start)
    }

    /// What it shows.
    pub fn kind(&self) -> Kind {
        let name = self.name.as_str();
        let shared = ["/dev/shm/", "/memfd:", "/SYSV", "/dev/zero"];
        if self.has_flag("ht") {
            Kind::Pool
        } else if name == "[heap]" {
            Kind::Heap
        } else if name.starts_with("[stack") {
            Kind::Stack
        } else if name.starts_with("[v") {
            Kind::Kernel
        } else if shared.iter().any(|start| name.starts_with(start)) {
            Kind::Shared
        } else if name.starts_with('/') {
            if self.permissions.contains('x') {
                Kind::Text
            } else {
                Kind::File
            }
        } else {
            Kind::Anonymous
        }
    }
}

/// The mappings in the text of a `smaps` file.
pub fn parse(text: &str) -> Vec<Mapping> {
    let mut mappings: Vec<Mapping> = Vec::new();
    for line in text.lines() {
        if let Some(mapping) = header(line) {
            mappings.push(mapping);
        } else if let (Some(mapping), Some((field, value))) =
            (mappings.last_mut(), line.split_once(':'))
        {
            set(mapping, field, value.trim());
        }
    }
    mappings
}

/// `7f00-7f01 rw-p 00000000 00:00 0   [heap]`
fn header(line: &str) -> Option<Mapping> {
    let mut words = line.split_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    let range = number(start)?..number(end)?;
    let permissions = words.next()?.to_owned();
    let file_offset = number(words.next()?)?;
    let name: Vec<&str> = words.skip(2).collect();
    Some(Mapping {
        range,
        permissions,
        file_offset,
        name: name.join(" "),
        ..Mapping::default()
    })
}

fn set(mapping: &mut Mapping, field: &str, value: &str) {
    let bytes = || {
        let kib = value.strip_suffix(" kB").and_then(|kib| kib.parse().ok());
        kib.map_or(0, |kib: u64| kib << 10)
    };
    match field {
        "Rss" => mapping.resident_bytes = bytes(),
        "AnonHugePages" | "ShmemPmdMapped" | "FilePmdMapped" => mapping.huge_bytes += bytes(),
        "Private_Hugetlb" | "Shared_Hugetlb" => {
            mapping.pool_bytes += bytes();
            mapping.huge_bytes += bytes();
        }
        "VmFlags" => value.clone_into(&mut mapping.flags),
        _ => {}
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Kind, Mapping, parse};

    /// A mapping as a test wants it: its header, then what is resident and huge in KiB, and flags.
    pub(in crate::pages) fn mapping(
        header: &str,
        resident: u64,
        huge: u64,
        flags: &str,
    ) -> Mapping {
        let text =
            format!("{header}\nRss: {resident} kB\nAnonHugePages: {huge} kB\nVmFlags: {flags}\n");
        parse(&text).remove(0)
    }

    #[test]
    fn a_mapping_is_told_by_its_name_and_rights() {
        for (rest, flags, kind) in [
            (
                "r-xp 00002000 fe:00 24 /usr/bin/my cat",
                "rd ex",
                Kind::Text,
            ),
            ("r--p 00002000 fe:00 24 /usr/bin/cat", "rd", Kind::File),
            ("rw-s 00000000 00:01 24 /dev/shm/x", "rd", Kind::Shared),
            (
                "rw-s 00000000 00:01 24 /memfd:x (deleted)",
                "rd",
                Kind::Shared,
            ),
            ("rw-p 00000000 00:00 0 [heap]", "rd wr", Kind::Heap),
            ("rw-p 00000000 00:00 0", "rd wr", Kind::Anonymous),
            (
                "rw-p 00000000 00:0f 7 /anon_hugepage (deleted)",
                "rd wr ht",
                Kind::Pool,
            ),
            ("r-xp 00000000 00:00 0 [vdso]", "rd ex", Kind::Kernel),
        ] {
            let found = mapping(&format!("1000-3000 {rest}"), 8, 0, flags);
            assert_eq!(found.kind(), kind, "{rest}");
        }
    }

    #[test]
    fn whole_huge_pages_are_those_between_the_ends() {
        let of = |header| mapping(header, 0, 0, "").whole_huge_bytes();
        assert_eq!(of("200000-600000 rw-p 0 00:00 0"), 4 << 20);
        assert_eq!(of("201000-601000 rw-p 0 00:00 0"), 2 << 20);
        assert_eq!(of("201000-5ff000 rw-p 0 00:00 0"), 0);
    }

    #[test]
    fn garbage_is_no_mapping() {
        assert!(parse("").is_empty());
        assert!(parse("Rss: 4 kB\nnonsense\n\u{fffd}-1 x").is_empty());
    }
}
