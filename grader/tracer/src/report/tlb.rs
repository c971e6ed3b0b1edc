//! The lines of a measurement of translations.

use super::Json;
use crate::{
    sites::{Site, Sites},
    translations::{SiteMisses, Translations},
    valgrind::symbols,
};
use alloc::vec::Vec;
use core::{
    cmp::Reverse,
    fmt::{self, Write},
};
use models::tlb::{Counts, PageSize, Side, WorkingSet};

/// Counts as `"data":{"4k":{…},…},"instruction":{…}`, without braces around; page sizes without
/// accesses are left out.
struct BySide<'a>(&'a Counts);

impl fmt::Display for BySide<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides = [(Side::Data, "data"), (Side::Instruction, "instruction")];
        for (position, (side, name)) in sides.into_iter().enumerate() {
            let comma = if position == 0 { "" } else { "," };
            write!(f, "{comma}\"{name}\":{{")?;
            let sizes = PageSize::ALL.map(|size| (size, self.0.of(side, size)));
            let used = sizes.into_iter().filter(|(_, tally)| tally.accesses > 0);
            for (position, (size, tally)) in used.enumerate() {
                let comma = if position == 0 { "" } else { "," };
                write!(
                    f,
                    "{comma}\"{}\":{{\"accesses\":{},\"l1_misses\":{},\"walks\":{},\
                     \"levels_read\":{}}}",
                    size.name(),
                    tally.accesses,
                    tally.l1_misses,
                    tally.walks,
                    tally.levels_read
                )?;
            }
            f.write_char('}')?;
        }
        Ok(())
    }
}

/// Writes the totals, the mappings, and the sites that missed most.
pub(crate) fn tlb(
    out: &mut dyn Write,
    translations: &Translations,
    data_sites: &Sites,
    most_sites: usize,
) -> fmt::Result {
    writeln!(
        out,
        "{{\"tlb\":{{\"machine\":{},\"pages\":{},{}}}}}",
        Json(translations.machine.name),
        Json(translations.pages.method()),
        BySide(translations.counts())
    )?;
    let mappings = translations.pages.mappings().iter();
    for (mapping, counts) in mappings.zip(translations.by_mapping()) {
        writeln!(
            out,
            "{{\"mapping\":{{\"name\":{},\"rights\":{},\"start\":{},\"end\":{},{}}}}}",
            Json(&mapping.name),
            Json(&mapping.rights),
            mapping.start,
            mapping.end,
            BySide(counts)
        )?;
    }
    sites(out, translations, data_sites, most_sites)
}

fn sites(
    out: &mut dyn Write,
    translations: &Translations,
    data_sites: &Sites,
    most_sites: usize,
) -> fmt::Result {
    let misses = translations.by_site().iter().enumerate();
    let mut ranked: Vec<(usize, &SiteMisses)> =
        misses.filter(|(_, misses)| misses.l1_misses > 0).collect();
    ranked.sort_by_key(|(number, misses)| (Reverse((misses.walks, misses.l1_misses)), *number));
    for (number, misses) in ranked.into_iter().take(most_sites) {
        let is_fetch = number % 2 == 1;
        let of = if is_fetch {
            &translations.fetch_sites
        } else {
            data_sites
        };
        let site = u32::try_from(number / 2)
            .ok()
            .and_then(|number| of.get(number));
        if let Some(site) = site {
            write_site(out, site, is_fetch, misses)?;
        }
    }
    Ok(())
}

fn write_site(
    out: &mut dyn Write,
    site: &Site,
    is_fetch: bool,
    misses: &SiteMisses,
) -> fmt::Result {
    let kind = match (is_fetch, site.is_store) {
        (true, _) => "fetch",
        (false, true) => "store",
        (false, false) => "load",
    };
    write!(
        out,
        "{{\"tlb_site\":{{\"kind\":\"{kind}\",\"address\":{},",
        site.address
    )?;
    if let Some(object) = symbols::object(site.epoch, site.address) {
        write!(out, "\"object\":{},", Json(&object))?;
    }
    if let Some(address) = symbols::address_in_object(site.epoch, site.address) {
        write!(out, "\"object_address\":{address},")?;
    }
    super::reuse::write_frames(out, site)?;
    writeln!(
        out,
        ",\"l1_misses\":{},\"walks\":{}}}}}",
        misses.l1_misses, misses.walks
    )
}

/// Writes the working set of an interval that began at instruction `start`.
pub(crate) fn working_set(out: &mut dyn Write, start: u64, set: &WorkingSet) -> fmt::Result {
    writeln!(
        out,
        "{{\"working_set\":{{\"start\":{start},\"data\":{:?},\"instruction\":{:?}}}}}",
        set.data, set.instruction
    )
}
