//! `/proc/self/smaps`: what pages each mapping of this process has.

use std::fs;
use std::ops::Range;

use crate::Error;

const FILE: &str = "/proc/self/smaps";

/// One mapping. Sizes in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mapping {
    /// Its addresses.
    pub range: Range<usize>,
    /// What is allowed, as in `r-xp`.
    pub permissions: String,
    /// The file behind it, or a name in brackets; empty for anonymous memory.
    pub name: String,
    /// What is in memory, without pages of the reserved pool, which Linux does not count here.
    pub resident_bytes: usize,
    /// Anonymous memory on huge pages, each mapped as one.
    pub anonymous_huge_bytes: usize,
    /// Memory of files on huge pages, each mapped as one.
    pub file_huge_bytes: usize,
    /// Memory from the reserved pool.
    pub pool_bytes: usize,
    /// Two letters for each property. Source: proc_pid_smaps(5), `VmFlags`.
    pub flags: String,
}

impl Mapping {
    /// All that is on huge pages.
    pub fn huge_bytes(&self) -> usize {
        self.anonymous_huge_bytes + self.file_huge_bytes + self.pool_bytes
    }

    /// Whether a property is among the flags, such as `sl` for sealed.
    pub fn has_flag(&self, flag: &str) -> bool {
        self.flags.split_whitespace().any(|found| found == flag)
    }
}

/// The mappings of this process, by address.
///
/// # Errors
///
/// [`Error::Evidence`] if they cannot be read.
pub fn own_mappings() -> Result<Vec<Mapping>, Error> {
    let text = fs::read_to_string(FILE).map_err(|source| Error::Evidence { file: FILE, source })?;
    Ok(parse(&text))
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
    let address = |text| usize::from_str_radix(text, 16).ok();
    let range = address(start)?..address(end)?;
    let permissions = words.next()?.to_owned();
    let name: Vec<&str> = words.skip(3).collect();
    Some(Mapping {
        range,
        permissions,
        name: name.join(" "),
        ..Mapping::default()
    })
}

fn set(mapping: &mut Mapping, field: &str, value: &str) {
    let bytes = || {
        let kib = value.strip_suffix(" kB").and_then(|kib| kib.parse().ok());
        kib.map_or(0, |kib: usize| kib << 10)
    };
    match field {
        "Rss" => mapping.resident_bytes = bytes(),
        "AnonHugePages" => mapping.anonymous_huge_bytes = bytes(),
        "ShmemPmdMapped" | "FilePmdMapped" => mapping.file_huge_bytes += bytes(),
        "Private_Hugetlb" | "Shared_Hugetlb" => mapping.pool_bytes += bytes(),
        "VmFlags" => value.clone_into(&mut mapping.flags),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{own_mappings, parse};

    const TWO: &str = "\
55bf0728b000-55bf07290000 r-xp 00002000 fe:00 247030       /usr/bin/my cat
Size:                 20 kB
Rss:                  20 kB
AnonHugePages:         0 kB
FilePmdMapped:      2048 kB
VmFlags: rd ex mr mw me
7f0000000000-7f0000400000 rw-p 00000000 00:00 0
Rss:                4096 kB
AnonHugePages:      4096 kB
ShmemPmdMapped:        0 kB
Private_Hugetlb:    2048 kB
VmFlags: rd wr mr mw me ac sd hg sl
";

    #[test]
    fn fields_belong_to_the_mapping_above_them() {
        let [text, data] = &parse(TWO)[..] else {
            panic!("two mappings were written")
        };
        assert_eq!(text.name, "/usr/bin/my cat");
        assert_eq!(text.permissions, "r-xp");
        assert_eq!(text.range.len(), 20 << 10);
        assert_eq!(text.huge_bytes(), 2 << 20);
        assert_eq!(data.name, "");
        assert_eq!(data.anonymous_huge_bytes, 4 << 20);
        assert_eq!(data.pool_bytes, 2 << 20);
        assert!(data.has_flag("hg") && data.has_flag("sl") && !data.has_flag("h"));
    }

    #[test]
    fn this_process_has_a_stack() {
        let mappings = own_mappings().unwrap();
        assert!(mappings.iter().any(|mapping| mapping.name == "[stack]"));
    }
}
