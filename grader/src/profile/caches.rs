//! The data caches of this machine, to mark them on a curve.

use super::sizes::{LINE_BYTES, parse_bytes};
use serde::Serialize;
use std::{fs, path::Path};

/// A cache that data goes through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cache {
    /// `L1`, `L2`, `L3`.
    pub name: String,
    /// Size in bytes.
    pub size_bytes: u64,
}

/// Where Linux tells. Source: Documentation/ABI/testing/sysfs-devices-system-cpu.
const FOLDER: &str = "/sys/devices/system/cpu/cpu0/cache";
/// Used where Linux does not tell, as on some virtual machines.
/// Source: iai-callgrind's fixed geometry for L1; a common desktop part for the others.
const ASSUMED: &[(&str, u64)] = &[("L1", 32 << 10), ("L2", 1 << 20), ("L3", 32 << 20)];

impl Cache {
    /// Size in lines.
    #[must_use]
    pub fn lines(&self) -> u32 {
        u32::try_from(self.size_bytes / LINE_BYTES).unwrap_or(u32::MAX)
    }
}

/// The caches of this machine, smallest first, and whether Linux told (else they are assumed).
#[must_use]
pub fn of_this_machine() -> (Vec<Cache>, bool) {
    let told = read(Path::new(FOLDER));
    if told.is_empty() {
        let assumed = ASSUMED.iter().map(|&(name, size_bytes)| Cache {
            name: name.to_owned(),
            size_bytes,
        });
        return (assumed.collect(), false);
    }
    (told, true)
}

fn read(folder: &Path) -> Vec<Cache> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let caches = entries.filter_map(|entry| {
        let value = |name: &str| {
            let text = fs::read_to_string(entry.path().join(name)).ok()?;
            Some(text.trim().to_owned())
        };
        if value("type")? == "Instruction" {
            return None;
        }
        Some(Cache {
            name: format!("L{}", value("level")?),
            size_bytes: parse_bytes(&value("size")?)?,
        })
    });
    let mut caches: Vec<Cache> = caches.collect();
    caches.sort_by_key(|cache| cache.size_bytes);
    caches
}

/// Reads `32K,1M,32M`: sizes of L1, L2 and so on, ascending.
///
/// # Errors
///
/// If a size is not readable, smaller than a line, or not bigger than the one before, or if there
/// are more than four.
pub fn parse(text: &str) -> Result<Vec<Cache>, String> {
    let mut caches: Vec<Cache> = Vec::new();
    for (index, size) in text.split(',').enumerate() {
        let size_bytes = parse_bytes(size.trim()).filter(|&size| size >= LINE_BYTES);
        let size_bytes = size_bytes.ok_or("write sizes such as 32K,1M,32M".to_owned())?;
        if caches
            .last()
            .is_some_and(|last| last.size_bytes >= size_bytes)
        {
            return Err("write the sizes in ascending order".to_owned());
        }
        caches.push(Cache {
            name: format!("L{}", index + 1),
            size_bytes,
        });
    }
    if caches.len() > 4 {
        return Err("at most four sizes are compared".to_owned());
    }
    Ok(caches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracer::scratch::Scratch;

    #[test]
    fn instruction_caches_are_left_out_and_sizes_ascend() {
        let scratch = Scratch::new().unwrap();
        let tell = |index: u32, level: &str, kind: &str, size: &str| {
            let folder = scratch.path().join(format!("index{index}"));
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("level"), level).unwrap();
            fs::write(folder.join("type"), kind).unwrap();
            fs::write(folder.join("size"), size).unwrap();
        };
        tell(0, "3\n", "Unified\n", "32768K\n");
        tell(1, "1\n", "Instruction\n", "32K\n");
        tell(2, "1\n", "Data\n", "48K\n");
        let found = read(scratch.path());
        let shown: Vec<_> = found.iter().map(|c| (c.name.as_str(), c.lines())).collect();
        assert_eq!(shown, [("L1", 768), ("L3", 524_288)]);
    }

    #[test]
    fn sizes_on_the_command_line_are_checked() {
        assert_eq!(parse("32K,1M").unwrap()[1].lines(), 16_384);
        for wrong in ["", "32K,16K", "1", "a", "1K,2K,4K,8K,16K"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
