//! The lines of a reuse measurement.

use super::Json;
use crate::{
    options::Options,
    records::{Listed, Records},
    sites::{Site, Sites},
    valgrind::symbols,
};
use alloc::vec::Vec;
use core::{
    cmp::Reverse,
    fmt::{self, Write},
};
use models::reuse::{Histogram, SiteReuse};

/// A histogram as `{"cold":N,"bins":[[first,last,count],…]}`.
struct Bins<'a>(&'a Histogram);

impl fmt::Display for Bins<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{\"cold\":{},\"bins\":", self.0.cold())?;
        let bins = self
            .0
            .bins()
            .map(|bin| [bin.first.into(), bin.last.into(), bin.count]);
        write!(f, "{}}}", List(bins.collect()))
    }
}

/// Rows of numbers as nested JSON arrays.
struct List<const N: usize>(Vec<[u64; N]>);

impl<const N: usize> fmt::Display for List<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "[" } else { "," })?;
            write!(f, "{row:?}")?;
        }
        f.write_str(if self.0.is_empty() { "[]" } else { "]" })
    }
}

/// What a total and a site have in common: counts and both histograms.
fn counts(out: &mut dyn Write, reuse: &SiteReuse, caches: usize) -> fmt::Result {
    write!(out, "\"touches\":{},\"misses\":[", reuse.touches())?;
    for cache in 0..caches {
        let comma = if cache == 0 { "" } else { "," };
        write!(out, "{comma}{}", reuse.misses(cache))?;
    }
    write!(
        out,
        "],\"temporal\":{},\"spatial\":{}",
        Bins(reuse.temporal()),
        Bins(reuse.spatial())
    )
}

/// Writes the first accesses one by one.
pub(crate) fn list(out: &mut dyn Write, records: &Records, sites: &Sites) -> fmt::Result {
    let mut listed = records.listed().iter();
    listed.try_for_each(|access| write_listed(out, access, sites))
}

/// Writes the profile and its worst sites.
pub(crate) fn reuse(
    out: &mut dyn Write,
    records: &Records,
    options: &Options,
    sites: &Sites,
) -> fmt::Result {
    let profile = records.profile();
    let caches = options.cache_lines.len();
    out.write_str("{\"reuse\":{")?;
    counts(out, &profile.total(), caches)?;
    writeln!(
        out,
        ",\"units\":{},\"curve\":{}}}}}",
        profile.units(),
        List(profile.curve())
    )?;
    let mut ranked: Vec<(usize, &SiteReuse)> = profile.sites().iter().enumerate().collect();
    ranked.retain(|(_, reuse)| reuse.touches() > 0);
    ranked.sort_by_key(|(number, reuse)| {
        let misses = if caches == 0 { 0 } else { reuse.misses(0) };
        (Reverse((misses, reuse.touches())), *number)
    });
    for (number, reuse) in ranked.into_iter().take(options.sites) {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        if let Some(site) = sites.get(number) {
            write_site(out, site, reuse, caches)?;
        }
    }
    Ok(())
}

fn write_site(out: &mut dyn Write, site: &Site, reuse: &SiteReuse, caches: usize) -> fmt::Result {
    write!(
        out,
        "{{\"site\":{{\"address\":{},\"store\":{},",
        site.address, site.is_store
    )?;
    if let Some(object) = symbols::object(site.epoch, site.address) {
        write!(out, "\"object\":{},", Json(&object))?;
    }
    if let Some(address) = symbols::address_in_object(site.epoch, site.address) {
        write!(out, "\"object_address\":{address},")?;
    }
    write_frames(out, site)?;
    out.write_char(',')?;
    counts(out, reuse, caches)?;
    out.write_str("}}\n")
}

pub(super) fn write_frames(out: &mut dyn Write, site: &Site) -> fmt::Result {
    out.write_str("\"frames\":[")?;
    let frames = symbols::frames(site.epoch, site.address);
    for (index, frame) in frames.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma}{}", Json(frame))?;
    }
    out.write_char(']')
}

/// A distance, or `null` if there was no earlier use.
struct Distance(Option<u32>);

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(distance) => write!(f, "{distance}"),
            None => f.write_str("null"),
        }
    }
}

fn write_listed(out: &mut dyn Write, listed: &Listed, sites: &Sites) -> fmt::Result {
    let Some(site) = sites.get(listed.site) else {
        return Ok(());
    };
    write!(
        out,
        "{{\"access\":{{\"address\":{},\"size_bytes\":{},\"store\":{},\"instruction\":{},\
         \"temporal\":{},\"spatial\":{},",
        listed.address,
        listed.bytes,
        site.is_store,
        site.address,
        Distance(listed.distances.temporal),
        Distance(listed.distances.spatial)
    )?;
    write_frames(out, site)?;
    out.write_str("}}\n")
}
