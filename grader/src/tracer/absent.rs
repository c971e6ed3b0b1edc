//! Why a function was never called, as far as the program's file tells.
//!
//! The file is searched for the name, in its symbol table and in its debug information. That is no
//! proof: another function may have the same name, or have it as a part of its path.

use std::{fs, path::Path};

/// Where an ELF file says where its section headers are, how long and how many they are, and which of
/// them holds the names. Source: System V ABI, "ELF header", 64-bit.
const SECTIONS_AT: usize = 0x28;
const SECTION_SIZE_AT: usize = 0x3a;
const SECTION_COUNT_AT: usize = 0x3c;
const NAMES_AT: usize = 0x3e;
/// Within a section header: name, flags, offset and size. Source: the same, "Sections".
const NAME: usize = 0;
const FLAGS: usize = 8;
const OFFSET: usize = 24;
const SIZE: usize = 32;
/// The section's bytes are compressed. Source: the same, `SHF_COMPRESSED`.
const COMPRESSED: u64 = 1 << 11;

/// What became of `function` in `program`, which did not call it, and what to do.
pub(super) fn explanation(program: &Path, function: &str) -> String {
    let file = fs::read(program).unwrap_or_default();
    let name = function.rsplit("::").next().unwrap_or(function);
    let has = |section: &str| {
        let text = section_of(&file, section).unwrap_or_default();
        text.split(|&byte| byte == 0)
            .any(|entry| names(entry, name))
    };
    let shown = program.display();
    if has(".strtab") || has(".dynstr") {
        format!(
            "its symbol table has that name, so it is there and this run had no use for it. Call the \
             program with arguments that need it, or name a function that runs: `nm -C {shown}` \
             lists all"
        )
    } else if has(".debug_str") {
        "its debug information has that name and its symbol table has not, so the compiler put the \
         code into the callers. Mark it #[inline(never)], or in C __attribute__((noinline)), or name \
         the caller"
            .to_owned()
    } else {
        format!(
            "neither its symbol table nor its debug information has that name. Look for the right one \
             in `nm -C {shown}`; a program that was stripped (strip, or `strip = true` in \
             Cargo.toml) has none"
        )
    }
}

/// Whether an entry of a string table is `name`, or a mangled path that has it: both Rust's and C++'s
/// schemes write the length before each part.
fn names(entry: &[u8], name: &str) -> bool {
    let part = format!("{}{name}", name.len());
    entry == name.as_bytes()
        || entry
            .windows(part.len())
            .any(|window| window == part.as_bytes())
}

fn section_of<'file>(file: &'file [u8], wanted: &str) -> Option<&'file [u8]> {
    let start = place(file, SECTIONS_AT)?;
    let size = usize::from(short(file, SECTION_SIZE_AT)?);
    let header = |index: usize| file.get(start.checked_add(index.checked_mul(size)?)?..);
    let names = contents(file, header(short(file, NAMES_AT)?.into())?)?;
    (0..usize::from(short(file, SECTION_COUNT_AT)?)).find_map(|index| {
        let header = header(index)?;
        let name = u32::from_le_bytes(header.get(NAME..NAME + 4)?.try_into().ok()?);
        let name = names.get(usize::try_from(name).ok()?..)?;
        let name = name.split(|&byte| byte == 0).next()?;
        let flags = word(header, FLAGS)?;
        let is_readable = flags & COMPRESSED == 0;
        (name == wanted.as_bytes() && is_readable)
            .then(|| contents(file, header))
            .flatten()
    })
}

fn contents<'file>(file: &'file [u8], header: &[u8]) -> Option<&'file [u8]> {
    let offset = place(header, OFFSET)?;
    file.get(offset..offset.checked_add(place(header, SIZE)?)?)
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn place(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(word(bytes, at)?).ok()
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_paths_have_their_parts() {
        assert!(names(b"deflate", "deflate"));
        assert!(names(
            b"_ZN7project8multiply17h0123456789abcdefE",
            "multiply"
        ));
        assert!(!names(b"_ZN7project8multiply17h0123456789abcdefE", "mult"));
        assert!(!names(b"deflateInit", "deflate"));
    }

    #[test]
    fn this_program_has_symbols() {
        let file = fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(section_of(&file, ".strtab").is_some_and(|text| text.len() > 100));
        assert_eq!(section_of(&file, ".no_such_section"), None);
    }

    #[test]
    fn a_file_that_is_cut_short_has_no_sections() {
        let file = fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(section_of(&file[..1000], ".strtab"), None);
        assert_eq!(section_of(b"#!/bin/sh", ".strtab"), None);
    }
}
