//! Which mappings of a process are on huge pages, why the others are not, and what to do about it.
//!
//! ```text
//! mapping   what /proc/PID/smaps says of each stretch of memory
//! settings  what the machine allows and has free
//! frames    what pagemap and kpageflags add, for whoever may read them
//! why       the reason for each mapping, and the next step
//! watch     a program that is started here, looked at when it has most memory
//! report    all of it as data          text    all of it for people
//! ```

mod error;
pub mod frames;
pub mod mapping;
pub mod report;
pub mod settings;
pub mod text;
pub mod watch;
pub mod why;

pub use error::PagesError;
pub use mapping::Mapping;
pub use report::PagesReport;
pub use why::Why;

use std::fs;
use std::io;

use report::{Looked, Moment};
use settings::HugePageSettings;
use why::Circumstances;

/// Looks at a process as it is now.
///
/// # Errors
///
/// If there is no such process, it is another user's, or has no memory of its own.
pub fn look(process: u32) -> Result<PagesReport, PagesError> {
    let mappings = mappings_of(process)?;
    let frames = frames::of(process, &mappings);
    let looked = Looked {
        moment: Moment::Now,
        samples: 1,
        frames: frames.is_ok(),
        frames_denied: frames.as_ref().err().map(ToString::to_string),
    };
    let mut report = PagesReport::new(
        name_of(process),
        process,
        looked,
        &mappings,
        &circumstances(process),
    );
    if let Ok(frames) = frames {
        report.add_frames(&frames);
    }
    Ok(report)
}

/// What decides for all mappings of a process alike.
fn circumstances(process: u32) -> Circumstances {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mut lines = status.lines();
    let allowed = lines.find_map(|line| line.strip_prefix("THP_enabled:"));
    Circumstances {
        settings: HugePageSettings::here(),
        process_allowed: allowed.is_none_or(|value| value.trim() != "0"),
    }
}

/// The mappings of a process, by address.
fn mappings_of(process: u32) -> Result<Vec<Mapping>, PagesError> {
    let path = format!("/proc/{process}/smaps");
    let text = fs::read_to_string(&path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => PagesError::NoProcess { process },
        // A process that has ended but is still listed, and one that is another user's.
        io::ErrorKind::PermissionDenied => PagesError::NotYours { process },
        _ if source.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => {
            PagesError::NoProcess { process }
        }
        _ => PagesError::Io {
            what: format!("reading {path}"),
            source,
        },
    })?;
    let mappings = mapping::parse(&text);
    if mappings.is_empty() {
        return Err(PagesError::NoMemory { process });
    }
    Ok(mappings)
}

/// A process's name, as the kernel keeps it.
fn name_of(process: u32) -> String {
    let name = fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    name.trim_end().to_owned()
}
