//! One request to a worker and its reply, with the deadline of the call, and with the way to ask the call to end.

use std::io::{self, ErrorKind, PipeWriter, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use opentool::{CallContext, Progress};

use crate::frame::{HEADER, Header, Kind};
use crate::system::{Process, Ready, Stream};

/// How often a worker that neither replies nor closes its descriptor is looked at: a process that the library made may
/// hold the descriptor open.
const LOOK: Duration = Duration::from_millis(100);
/// How long a call that was asked to end may take to do so.
const CANCELLING: Duration = Duration::from_secs(1);
/// How much memory is taken for a reply before its bytes arrive.
const FIRST: usize = 64 << 10;

/// The longest report of progress. A message is shorter.
const REPORT: u32 = 16 << 10;

/// Why there is no reply.
pub(crate) enum Unheard {
    Late,
    Closed { address: Option<u64> },
    Garbled(&'static str),
}

/// One request and its reply.
pub(crate) struct Exchange<'w> {
    pub(crate) stream: &'w Stream,
    pub(crate) process: &'w Process,
    pub(crate) until: Option<Instant>,
    /// How the call is asked to end, if it can be.
    pub(crate) cancel: Option<Cancel>,
    pub(crate) context: &'w CallContext,
}

/// How a call is asked to end.
#[derive(Clone)]
pub(crate) struct Cancel {
    header: [u8; HEADER],
    pipe: Arc<PipeWriter>,
    /// When it was.
    asked: Option<Instant>,
}

impl Cancel {
    pub(crate) fn new(nonce: u64, pipe: Arc<PipeWriter>) -> Self {
        Self {
            header: Header { nonce, kind: Kind::Cancel, handles: 0, length: 0 }.bytes(),
            pipe,
            asked: None,
        }
    }

    /// A worker that does not listen is killed after a while. The pipe has room for so little: a worker is asked a few
    /// times before it is.
    pub(crate) fn ask(&self) {
        let _ = (&*self.pipe).write_all(&self.header);
    }
}

impl Exchange<'_> {
    pub(crate) fn run(
        mut self,
        request: &[u8],
        nonce: u64,
        limit: usize,
    ) -> Result<(Kind, u32, Vec<u8>), Unheard> {
        let mut address = None;
        self.send(request).map_err(|error| error.or_address(address))?;
        loop {
            let mut header = [0; HEADER];
            self.receive(&mut header).map_err(|error| error.or_address(address))?;
            let Some(Header { nonce: said, kind, length, handles }) = Header::read(header) else {
                return Err(Unheard::Garbled("wrote to the worker's descriptor, which is not believed"));
            };
            if said != nonce {
                return Err(Unheard::Garbled("wrote to the worker's descriptor, which is not believed"));
            }
            // The limit of results holds for errors too, which may have outputs.
            let is_too_long = match kind {
                Kind::Progress => length > REPORT,
                _ => length as usize > limit.max(FIRST),
            };
            if is_too_long {
                return Err(Unheard::Garbled("left the worker with a reply that is too long"));
            }
            let reply = self.body(length as usize).map_err(|error| error.or_address(address))?;
            match kind {
                Kind::Done | Kind::Failed => return Ok((kind, handles, reply)),
                Kind::Fault => {
                    address = reply.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
                }
                Kind::Progress if self.context.is_watched() => {
                    // A report that is none is not worth a worker.
                    let progress = serde_json::from_slice(&reply).ok();
                    if let Some(progress) = progress.as_ref().and_then(Progress::from_json) {
                        self.context.report(progress);
                    }
                }
                Kind::Progress | Kind::Open | Kind::Call | Kind::Watched | Kind::Cancel => {
                    return Err(Unheard::Garbled("left the worker with a reply that is none"));
                }
            }
        }
    }

    fn send(&mut self, mut bytes: &[u8]) -> Result<(), Unheard> {
        while !bytes.is_empty() {
            match self.stream.write(bytes) {
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) => self.retry(&error, Ready::Write)?,
            }
        }
        Ok(())
    }

    /// Memory is taken as the bytes arrive: the length may be a lie.
    fn body(&mut self, length: usize) -> Result<Vec<u8>, Unheard> {
        let mut body = Vec::new();
        while body.len() < length {
            let begin = body.len();
            let next = (length - begin).min(begin.max(FIRST));
            body.resize(begin + next, 0);
            self.receive(&mut body[begin..])?;
        }
        Ok(body)
    }

    fn receive(&mut self, mut bytes: &mut [u8]) -> Result<(), Unheard> {
        while !bytes.is_empty() {
            match self.stream.read(bytes) {
                Ok(0) => return Err(Unheard::Closed { address: None }),
                Ok(count) => bytes = bytes.get_mut(count..).unwrap_or_default(),
                Err(error) => self.retry(&error, Ready::Read)?,
            }
        }
        Ok(())
    }

    /// How long the call may take from now on. If its time is over, and it can be asked to end, it is given a while more.
    fn rest(&mut self) -> Option<Duration> {
        let rest = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        let Some(cancel) = &mut self.cancel else { return rest };
        if rest != Some(Duration::ZERO) && !self.context.is_cancelled() {
            return rest;
        }
        let asked = match cancel.asked {
            Some(asked) => asked,
            None => {
                cancel.ask();
                *cancel.asked.insert(Instant::now())
            }
        };
        Some((asked + CANCELLING).saturating_duration_since(Instant::now()))
    }

    /// Waits until the stream is ready.
    fn retry(&mut self, error: &io::Error, ready: Ready) -> Result<(), Unheard> {
        match error.kind() {
            ErrorKind::Interrupted => return Ok(()),
            ErrorKind::WouldBlock => {}
            _ => return Err(Unheard::Closed { address: None }),
        }
        loop {
            let rest = self.rest();
            if rest == Some(Duration::ZERO) {
                return Err(Unheard::Late);
            }
            let slice = rest.map_or(LOOK, |rest| rest.min(LOOK));
            match self.stream.wait(ready, slice) {
                Ok(true) => return Ok(()),
                Ok(false) if !self.process.has_ended() => {}
                Ok(false) | Err(_) => return Err(Unheard::Closed { address: None }),
            }
        }
    }
}

impl Unheard {
    fn or_address(self, known: Option<u64>) -> Self {
        match self {
            Self::Closed { address } => Self::Closed { address: address.or(known) },
            other => other,
        }
    }
}
