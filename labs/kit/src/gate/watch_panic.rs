//! Catches a panic together with its message and place, without the default hook's printing.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// A panic that was caught.
#[derive(Debug, Clone)]
pub(super) struct Panicked {
    pub(super) message: String,
    /// `file:line`
    pub(super) place: String,
}

thread_local! {
    /// The latest panic of this thread while it is being watched.
    static WATCHED: RefCell<Option<Option<Panicked>>> = const { RefCell::new(None) };
}

/// Runs `work` and gives back its panic, if any.
pub(super) fn watch_panic<R>(work: impl FnOnce() -> R) -> Result<R, Panicked> {
    install_hook();
    WATCHED.set(Some(None));
    // What `work` leaves half done is dropped with it: the gate makes every input anew.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let caught = WATCHED.take().flatten();
    result.map_err(|payload| {
        caught.unwrap_or_else(|| Panicked {
            message: text_of(&*payload),
            place: "?".into(),
        })
    })
}

/// Panics of other threads and of unwatched code still go to the hook that was there before.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let watched = WATCHED.with_borrow_mut(|watched| {
                let Some(latest) = watched else { return false };
                let place = info.location().map_or("?".into(), |place| {
                    format!("{}:{}", place.file(), place.line())
                });
                *latest = Some(Panicked {
                    message: text_of(info.payload()),
                    place,
                });
                true
            });
            if !watched {
                before(info);
            }
        }));
    });
}

fn text_of(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    text.or(owned)
        .unwrap_or("(a panic without a message)")
        .into()
}
