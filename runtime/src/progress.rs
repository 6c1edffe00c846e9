//! How far the call of a server is, as a callback of the library says (`progress` of `x-callback`).

use std::cell::Cell;
use std::ffi::CStr;

use opentool::{CallContext, Progress as Report};

use crate::cancel::context;

/// The longest message that is passed on, in bytes.
const MESSAGE: usize = 1024;

/// The call that this thread makes, for a callback that tells how far it is.
#[derive(Debug)]
pub struct Progress {
    /// `None` if nobody waits who could be told, or could cancel it.
    context: Option<CallContext>,
    /// How often the callback was called.
    calls: Cell<u32>,
}

impl Progress {
    /// Of the call that begins.
    #[must_use]
    pub fn begin() -> Self {
        Self { context: context(), calls: Cell::new(0) }
    }

    /// Whether somebody waits for what the callback says. Otherwise C need not call it.
    #[must_use]
    pub fn is_awaited(&self) -> bool {
        self.context.is_some()
    }

    /// The callback was called: so much is `done`, or the calls are counted. Returns whether the call goes on: false once nobody
    /// waits for it any more.
    pub fn report(&self, done: Option<f64>, total: Option<f64>, message: Option<&CStr>) -> bool {
        let Some(context) = &self.context else { return true };
        if context.is_watched() {
            self.calls.set(self.calls.get().saturating_add(1));
            let done = done.unwrap_or_else(|| f64::from(self.calls.get()));
            context.report(Report {
                done,
                total,
                message: message.filter(|text| !text.is_empty()).map(shortened),
            });
        }
        !context.is_cancelled()
    }
}

fn shortened(message: &CStr) -> String {
    let bytes = message.to_bytes();
    String::from_utf8_lossy(bytes.get(..MESSAGE).unwrap_or(bytes)).into_owned()
}

/// A number that a callback is given.
pub trait Amount {
    /// The same, or the nearest double.
    fn amount(self) -> f64;
}

macro_rules! amounts {
    ($($of:ty)*) => {$(
        impl Amount for $of {
            #[expect(clippy::allow_attributes, reason = "only some of the casts lose something")]
            #[allow(clippy::cast_precision_loss, clippy::cast_lossless, reason = "progress need not be exact")]
            fn amount(self) -> f64 {
                self as f64
            }
        }
    )*};
}
amounts!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::cancel::cancellable;

    fn report(progress: &Progress) -> bool {
        progress.report(None, None, None)
    }

    #[test]
    fn calls_are_counted_where_c_does_not_say_how_much_is_done() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&told);
        let context = CallContext::default().reporting_to(move |report| {
            sink.lock().expect("no panic").push(report.done);
        });
        cancellable(&context, || {
            let progress = Progress::begin();
            assert!((0..500).all(|_| report(&progress)));
        });
        context.report_last();
        let told = told.lock().expect("no panic");
        assert_eq!((told.first(), told.last()), (Some(&1.0), Some(&500.0)));
    }

    #[test]
    fn c_goes_on_until_nobody_waits_any_more() {
        let context = CallContext::default();
        cancellable(&context, || {
            let progress = Progress::begin();
            assert!(progress.is_awaited() && report(&progress));
            context.cancel();
            assert!(!report(&progress));
        });
        let progress = Progress::begin();
        assert!(!progress.is_awaited() && report(&progress), "a call that no server makes");
    }

    #[test]
    fn a_long_message_is_cut_where_it_need_not_be_whole() {
        let long = std::ffi::CString::new("é".repeat(MESSAGE)).expect("no NUL");
        assert_eq!(shortened(&long), "é".repeat(MESSAGE / 2));
        assert_eq!(shortened(c"a\xff"), "a\u{fffd}");
    }
}
