//! Calls that end when the server asks for it. The server writes to a pipe, which a thread of its own reads while the
//! library runs.

use std::io::{PipeReader, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opentool::CallContext;

use crate::frame::{HEADER, Header, Kind};

/// The call that runs, for the thread that cancels it.
#[derive(Debug, Default)]
pub(super) struct Cancelling(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    running: Option<(u64, CallContext)>,
    /// The last call that was cancelled although it did not run: it may have ended, or not begun.
    early: Option<u64>,
}

impl Cancelling {
    /// Listens to the pipe from now on.
    pub(super) fn listen(pipe: PipeReader) -> Arc<Self> {
        let own = Arc::<Self>::default();
        let other = Arc::clone(&own);
        // The stack is small because the memory of a worker is limited. Without a thread, calls are killed.
        let _ =
            std::thread::Builder::new().name("cancelling".to_owned()).stack_size(64 << 10).spawn(move || {
                let mut pipe = pipe;
                let mut header = [0; HEADER];
                while pipe.read_exact(&mut header).is_ok() {
                    if let Some(Header { nonce, kind: Kind::Cancel, .. }) = Header::read(header) {
                        other.cancel(nonce);
                    }
                }
                // The library may have closed the descriptor, which may be another one by now.
                std::mem::forget(pipe);
            });
        own
    }

    /// Ignores poisoning: what is behind the lock is always whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cancel(&self, nonce: u64) {
        let mut state = self.lock();
        let running = state.running.as_ref().filter(|(running, _)| *running == nonce);
        let Some((_, context)) = running.cloned() else {
            state.early = Some(nonce);
            return;
        };
        drop(state);
        context.cancel();
    }

    /// Makes the call `nonce`.
    pub(super) fn run<T>(&self, nonce: u64, context: &CallContext, call: impl FnOnce() -> T) -> T {
        let mut state = self.lock();
        if state.early == Some(nonce) {
            context.cancel();
        }
        state.running = Some((nonce, context.clone()));
        drop(state);
        let result = call();
        self.lock().running = None;
        result
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn only_the_call_that_is_meant_is_cancelled() {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let cancelling = Cancelling::listen(reader);
        let mut cancel = |nonce| {
            let header = Header { nonce, kind: Kind::Cancel, handles: 0, length: 0 };
            writer.write_all(&header.bytes()).expect("it is read");
        };
        let wait = |is_it: &dyn Fn() -> bool| {
            let begin = Instant::now();
            while !is_it() {
                assert!(begin.elapsed() < Duration::from_secs(10), "it is not cancelled");
                std::thread::yield_now();
            }
        };
        let (seven, eight, nine) = (CallContext::default(), CallContext::default(), CallContext::default());
        cancelling.run(7, &seven, || {
            cancel(6);
            cancel(7);
            wait(&|| seven.is_cancelled());
        });
        cancelling.run(8, &eight, || assert!(!eight.is_cancelled(), "it is another call"));
        cancel(9);
        wait(&|| cancelling.lock().early == Some(9));
        cancelling.run(9, &nine, || assert!(nine.is_cancelled(), "before it began"));
    }
}
