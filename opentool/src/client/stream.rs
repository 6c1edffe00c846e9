//! A call whose reply is a stream of server-sent events.

use std::io::BufRead;

use serde::Deserialize;
use ureq::http::Response;
use ureq::{Body, BodyReader};

use super::error::{ClientError, NoAccess};
use super::{Client, protocol};
use crate::{Progress, ToolReturn};

/// An event of [`Client::stream_call`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StreamEvent {
    /// The call has started.
    Start {
        /// The function's name.
        function: String,
    },
    /// How far the call is.
    Progress(Progress),
    /// A part of the result.
    Data(ToolReturn),
    /// The call has ended; this is the last event.
    Done {
        /// The function's name.
        function: String,
    },
}

/// The events of [`Client::stream_call`], as they arrive.
///
/// An error that the tool reports is an `Err`, after which more events may follow; some servers end the stream
/// there. Any other error ends the stream. If the stream ends early without an error from the tool, its last item is
/// an error.
pub struct StreamEvents {
    lines: Box<dyn BufRead + Send>,
    id: String,
    status: u16,
    limit: u64,
    timeout_ms: u64,
    /// Whether the last event was an error of the tool.
    failed: bool,
    ended: bool,
}

impl StreamEvents {
    pub(super) fn new(response: Response<Body>, id: &str, client: &Client) -> Result<Self, ClientError> {
        let status = response.status().as_u16();
        let is_stream = status == 200 && response.body().mime_type() == Some("text/event-stream");
        let lines: Box<dyn BufRead + Send> = if is_stream {
            let reader: BodyReader<'static> =
                response.into_body().into_with_config().limit(u64::MAX).reader();
            Box::new(std::io::BufReader::new(reader))
        } else {
            // A server without streams, or one that refuses the call, sends a plain reply, which is the only event.
            let (status, body) = client.read(response)?;
            let result = protocol::result(status, &body, id)?;
            let reply =
                format!("event:data\ndata:{{\"result\":{}}}\n\nevent:done\ndata:{{}}\n\n", one_line(result));
            Box::new(std::io::Cursor::new(reply.into_bytes()))
        };
        let timeout_ms = client.timeout.as_millis().try_into().unwrap_or(u64::MAX);
        let (id, limit) = (id.to_owned(), client.response_limit);
        Ok(Self { lines, id, status, limit, timeout_ms, failed: false, ended: false })
    }

    /// The name and data of the next event. `None` is the end of the stream.
    fn next_block(&mut self) -> Result<Option<(String, String)>, ClientError> {
        let (mut name, mut data) = (String::new(), None::<String>);
        let mut length = 0;
        loop {
            let Some(line) = self.line(&mut length)? else {
                return Ok(data.map(|data| (name, data)));
            };
            if line.is_empty() {
                match data {
                    Some(data) => return Ok(Some((name, data))),
                    // Without data there is no event.
                    None => name.clear(),
                }
                length = 0;
                continue;
            }
            let (field, value) = line.split_once(':').unwrap_or((&line, ""));
            // The SDKs write no space after the colon; other servers do.
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "event" => name = value.to_owned(),
                "data" => match &mut data {
                    Some(data) => {
                        data.push('\n');
                        data.push_str(value);
                    }
                    None => data = Some(value.to_owned()),
                },
                // Comments, ids and other fields are ignored.
                _ => {}
            }
        }
    }

    /// The next line without its line end. `length` counts the bytes read for the current event.
    fn line(&mut self, length: &mut u64) -> Result<Option<String>, ClientError> {
        let mut line = Vec::new();
        let left = self.limit.saturating_sub(*length).saturating_add(1);
        let mut limited = std::io::Read::take(&mut self.lines, left);
        let read = limited.read_until(b'\n', &mut line).map_err(|error| self.broken(error))?;
        *length = length.saturating_add(read as u64);
        if *length > self.limit {
            return Err(ClientError::NoAccess(NoAccess::TooLong { limit: self.limit }));
        }
        if read == 0 {
            return Ok(None);
        }
        while matches!(line.last(), Some(b'\n' | b'\r')) {
            line.pop();
        }
        String::from_utf8(line).map(Some).map_err(ClientError::not_open_tool)
    }

    fn broken(&self, error: std::io::Error) -> ClientError {
        ClientError::NoAccess(match ureq::Error::from(error) {
            ureq::Error::Timeout(_) => NoAccess::TimedOut { limit_ms: self.timeout_ms },
            other => NoAccess::Broken { reason: other.to_string() },
        })
    }

    /// The meaning of an event; `None` for an unknown one.
    fn event(&self, name: &str, data: &str) -> Result<Option<StreamEvent>, ClientError> {
        #[derive(Deserialize)]
        struct Marker {
            #[serde(default, alias = "start", alias = "done")]
            function: String,
        }
        let marker = || protocol::object::<Marker>(data).map(|marker| marker.function).unwrap_or_default();
        Ok(match name {
            "start" => Some(StreamEvent::Start { function: marker() }),
            "done" => Some(StreamEvent::Done { function: marker() }),
            "error" => return Err(protocol::error_event(data)),
            "data" | "" | "message" => {
                let result = protocol::result(self.status, data.as_bytes(), &self.id)?;
                let result = protocol::members(result)?;
                Some(StreamEvent::Data(ToolReturn { id: self.id.clone(), result }))
            }
            // A report that cannot be read is nobody's error.
            "progress" => protocol::object(data)
                .ok()
                .and_then(|report| Progress::from_json(&report).map(StreamEvent::Progress)),
            _ => None,
        })
    }
}

/// JSON has no line ends inside strings, so line ends between values can be removed.
fn one_line(json: &str) -> String {
    json.replace(['\n', '\r'], " ")
}

impl Iterator for StreamEvents {
    type Item = Result<StreamEvent, ClientError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let event = match self.next_block() {
                Ok(Some((name, data))) => self.event(&name, &data),
                Ok(None) if self.failed => {
                    self.ended = true;
                    return None;
                }
                Ok(None) => Err(ClientError::NoAccess(NoAccess::Broken {
                    reason: "the stream ended early".to_owned(),
                })),
                Err(error) => Err(error),
            };
            self.failed = matches!(&event, Err(ClientError::Call { .. }));
            self.ended = match &event {
                Ok(Some(StreamEvent::Done { .. })) => true,
                Ok(_) | Err(ClientError::Call { .. }) => false,
                Err(_) => true,
            };
            if let Some(event) = event.transpose() {
                return Some(event);
            }
        }
        None
    }
}

impl std::fmt::Debug for StreamEvents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StreamEvents")
            .field("id", &self.id)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
