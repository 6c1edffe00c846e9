//! The worker itself: it takes its descriptor, opens its tool, and makes calls until the other side closes the
//! descriptor or the library ends the process.

mod cancelling;

use std::any::Any;
use std::collections::BTreeSet;
use std::io::{self, PipeReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use opentool::{CallContext, Measure, Progress, Tool, ToolError};
use opentool_sandbox::Sandbox;
use serde_json::{Value, json};

use crate::frame::{HEADER, Header, Kind, frame, split_call};
use crate::system::{self, End, fault};
use crate::{confined, errors};
use cancelling::Cancelling;

/// What a worker is told before it opens its tool.
#[derive(Debug)]
#[non_exhaustive]
pub struct Opening {
    /// What [`Program::setup`](crate::Program::setup) says.
    pub setup: Value,
    /// What became of the workers that the same caller had before.
    pub past: Past,
}

/// The workers that a caller had before this one. Their handles are lost, and a token of theirs is told from an invented
/// one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// What all workers of the caller sign their tokens with; `None` if the tokens of a worker are its own affair.
    pub secret: Option<[u64; 2]>,
    /// How many there were.
    pub count: u64,
    /// Why the last of them ended: the number of the worker, and the reason.
    pub lost: Vec<(u64, String)>,
}

impl Past {
    pub(crate) fn to_json(&self) -> Value {
        json!({"secret": self.secret, "count": self.count, "lost": self.lost})
    }

    fn read(value: &Value) -> Option<Self> {
        let secret = match value.get("secret")? {
            Value::Null => None,
            secret => Some([secret.get(0)?.as_u64()?, secret.get(1)?.as_u64()?]),
        };
        let lost = value.get("lost")?.as_array()?.iter();
        let lost = lost.map(|one| Some((one.get(0)?.as_u64()?, one.get(1)?.as_str()?.to_owned())));
        Some(Self { secret, count: value.get("count")?.as_u64()?, lost: lost.collect::<Option<_>>()? })
    }
}

/// Serves calls of the tool that `open` opens, in a process that [`Worker::start`](crate::Worker::start) has started.
/// Call it first in `main`: on Unix it closes every descriptor but its own and standard error.
///
/// It has entered the sandbox of its [`Program`](crate::Program), if any, when `open` is called, which can start threads then.
pub fn serve<T: Tool>(open: impl FnOnce(Opening) -> Result<T, ToolError>) -> ExitCode {
    let Ok((stream, pipe)) = system::take() else { return ExitCode::FAILURE };
    let stream = Arc::new(stream);
    // The server is gone, or the library has closed the descriptor. Then the server sees to the end of this process, which
    // must not end before with a status that says something else.
    let _ = run(&stream, pipe, open);
    std::thread::sleep(Duration::from_secs(10));
    // The descriptor may be another one by now.
    std::mem::forget(stream);
    ExitCode::SUCCESS
}

fn run<T: Tool>(
    shared: &Arc<End>,
    pipe: PipeReader,
    open: impl FnOnce(Opening) -> Result<T, ToolError>,
) -> io::Result<()> {
    let mut stream: &End = shared;
    fault::report_to(stream)?;
    let (nonce, kind, body) = receive(&mut stream)?;
    let opening = serde_json::from_slice::<Value>(&body).ok().filter(|_| kind == Kind::Open);
    let Some((opening, confined, reply)) = opening.and_then(understood) else {
        return Err(io::Error::other("not told what to open"));
    };
    fault::now(nonce);
    let opened = confine(confined).and_then(|()| {
        catch_unwind(AssertUnwindSafe(|| open(opening))).unwrap_or_else(|payload| {
            Err(ToolError::call_failed(format!("opening it panicked: {}", text(&*payload))))
        })
    });
    let tool = match opened {
        Ok(tool) => tool,
        Err(error) => return send(&mut stream, nonce, Err(error), 0, reply),
    };
    let document = tool.load();
    let functions = document.iter().flat_map(|document| &document.functions);
    let cancels: BTreeSet<String> =
        functions.map(|function| function.name.clone()).filter(|name| tool.can_cancel(name)).collect();
    let document = json!({"document": document, "cancels": cancels}).to_string().into_bytes();
    let cancelling = (!cancels.is_empty()).then(|| Cancelling::listen(pipe));
    // A document is not a result, whose size is limited.
    send(&mut stream, nonce, Ok(document), handles(&tool), usize::MAX)?;
    loop {
        let (nonce, kind, body) = receive(&mut stream)?;
        let is_call = matches!(kind, Kind::Call | Kind::Watched);
        let Some((name, arguments)) = split_call(&body).filter(|_| is_call) else {
            return Err(io::Error::other("not a call"));
        };
        fault::now(nonce);
        let mut out = Vec::new();
        let context = match kind {
            Kind::Watched => {
                let stream = Arc::clone(shared);
                CallContext::default().reporting_to(move |progress| report(&stream, nonce, &progress))
            }
            _ => CallContext::default(),
        };
        // State that a panic leaves inconsistent belongs to the tool. Its callers decide whether to call it again.
        let result = catch_unwind(AssertUnwindSafe(|| match &cancelling {
            Some(cancelling) if cancels.contains(name) => {
                cancelling.run(nonce, &context, || tool.call_for(&context, name, arguments, &mut out))
            }
            _ if context.is_watched() => tool.call_for(&context, name, arguments, &mut out),
            _ => tool.call_into(name, arguments, &mut out),
        }));
        context.report_last();
        let result = result.unwrap_or_else(|payload| {
            Err(ToolError::call_failed(format!("the tool panicked: {}", text(&*payload))))
        });
        if !system::is_sound(stream) {
            // The other side sees at once that there is no reply.
            system::end(stream);
            return Err(io::Error::other("the descriptor is not what it was"));
        }
        send(&mut stream, nonce, result.map(|()| out), handles(&tool), reply)?;
    }
}

/// The sandbox, and the limit of memory.
type Confined = (Option<Sandbox>, Option<u64>);

fn understood(value: Value) -> Option<(Opening, Confined, usize)> {
    let past = Past::read(value.get("past")?)?;
    let memory = value.get("memory")?.as_u64();
    let reply = usize::try_from(value.get("reply")?.as_u64()?).ok()?;
    let sandbox = confined::read(value.get("sandbox")?)?;
    Some((Opening { setup: value.get("setup")?.clone(), past }, (sandbox, memory), reply))
}

/// Restricts this process, before it has a second thread. A sandbox has the limits too.
fn confine((sandbox, memory): Confined) -> Result<(), ToolError> {
    match sandbox {
        Some(sandbox) => confined::enter(sandbox, memory),
        None => {
            system::limit(memory);
            Ok(())
        }
    }
}

/// The handles that the caller has here.
fn handles(tool: &impl Tool) -> u32 {
    let mut handles = 0_u64;
    tool.measure(&mut |what, count| {
        if what == Measure::Handles {
            handles = handles.saturating_add(count);
        }
    });
    u32::try_from(handles).unwrap_or(u32::MAX)
}

fn receive(stream: &mut impl Read) -> io::Result<(u64, Kind, Vec<u8>)> {
    let mut header = [0; HEADER];
    stream.read_exact(&mut header)?;
    let Header { nonce, kind, length, .. } =
        Header::read(header).ok_or_else(|| io::Error::other("no header"))?;
    let mut body = vec![0; length as usize];
    stream.read_exact(&mut body)?;
    Ok((nonce, kind, body))
}

/// Tells the server how far the call is, from the thread of the call. If the descriptor is not what it was, the end of the call
/// shows that.
fn report(mut stream: &End, nonce: u64, progress: &Progress) {
    let body = Value::Object(progress.to_json()).to_string();
    if system::is_sound(stream)
        && let Some(bytes) = frame(nonce, Kind::Progress, 0, &[body.as_bytes()])
    {
        let _ = stream.write_all(&bytes);
    }
}

fn send(
    stream: &mut impl Write,
    nonce: u64,
    result: Result<Vec<u8>, ToolError>,
    handles: u32,
    limit: usize,
) -> io::Result<()> {
    let result = result.and_then(|out| match out.len() {
        length if length > limit => {
            let message = format!("the result has {length} bytes; at most {limit} are allowed");
            Err(ToolError::call_failed(message))
        }
        _ => Ok(out),
    });
    let (kind, body) = match result {
        Ok(out) => (Kind::Done, out),
        Err(error) => {
            let body = errors::write(&error);
            // Its outputs may be too long; its message is not.
            let is_long = body.len() > limit.max(64 << 10);
            (
                Kind::Failed,
                if is_long {
                    errors::write(&ToolError::call_failed("it failed, with outputs that are too long"))
                } else {
                    body
                },
            )
        }
    };
    let bytes = frame(nonce, kind, handles, &[&body]).ok_or_else(|| io::Error::other("too long"))?;
    stream.write_all(&bytes)
}

fn text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}
