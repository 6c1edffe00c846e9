//! What the reports of a process mean.

use super::address::{self, Borrowed};
use super::protocol::{Call, Code, Event};
use super::watch::{End, Watched};

/// Something that C did that the document does not allow.
pub(crate) struct Judgement {
    pub(crate) message: String,
    /// The call that the document describes wrongly, if one is known.
    pub(crate) call: Option<usize>,
    /// Its parameter, or the path of a member.
    pub(crate) param: Option<String>,
    /// Whether the process aborted, so that another run may tell more.
    pub(crate) is_abort: bool,
}

impl Judgement {
    /// Something about a parameter.
    pub(crate) fn of_parameter(call: usize, function: String, param: String, message: String) -> Self {
        let message = format!("`{function}` {message}");
        Self { message, call: Some(call), param: Some(param), is_abort: false }
    }

    /// The function that it is about.
    pub(crate) fn function<'c>(&self, calls: &'c [Call]) -> Option<&'c str> {
        calls.get(self.call?).map(|call| call.function.as_str())
    }
}

/// What a process was doing when it ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Opening,
    Call(usize),
    /// After a call, or before the next.
    Between(usize),
    Closing,
    Ending,
}

impl Phase {
    /// Who acted, as the subject of a sentence.
    pub(super) fn subject(self, calls: &[Call]) -> String {
        match self {
            Self::Opening => "the library, while it was loaded,".to_owned(),
            Self::Call(index) | Self::Between(index) => format!("`{}`", function(calls, index)),
            Self::Closing => "the library, while handles were freed and it was closed,".to_owned(),
            Self::Ending => "the library, at the end of the process,".to_owned(),
        }
    }

    pub(super) fn call(self) -> Option<usize> {
        match self {
            Self::Call(index) | Self::Between(index) => Some(index),
            Self::Opening | Self::Closing | Self::Ending => None,
        }
    }
}

pub(super) fn function(calls: &[Call], index: usize) -> &str {
    calls.get(index).map_or("", |call| call.function.as_str())
}

/// The reports, put together.
pub(super) struct History<'w> {
    pub(super) phase: Phase,
    pub(super) lent: Vec<Borrowed<'w>>,
    pub(super) code: &'w [Code],
    /// How many rounds of all calls have begun.
    rounds: usize,
}

fn history(watched: &Watched) -> History<'_> {
    let mut history = History { phase: Phase::Opening, lent: Vec::new(), code: &[], rounds: 0 };
    for event in &watched.events {
        match event {
            Event::Open { code } => history.code = code,
            Event::Begin { call } => {
                history.rounds += usize::from(*call == 0);
                history.phase = Phase::Call(*call);
            }
            Event::Lent(lent) => {
                let call = history.phase.call().unwrap_or(0);
                history.lent.extend(lent.iter().map(|lent| Borrowed { call, lent, has_ended: false }));
            }
            Event::Left(_) => {
                for one in history.lent.iter_mut().filter(|one| !one.lent.stays) {
                    one.has_ended = true;
                }
            }
            Event::End { .. } => {
                if let Phase::Call(call) = history.phase {
                    history.phase = Phase::Between(call);
                }
            }
            Event::Closing => history.phase = Phase::Closing,
            Event::Done => history.phase = Phase::Ending,
            Event::Refused { .. } | Event::NotCalled { .. } => {}
        }
    }
    history
}

/// What C did that the document does not allow; `None` if nothing was seen. `run` is the number of the process:
/// the second has buffers that are not zeros, and the third makes all calls twice.
pub(crate) fn judge(watched: &Watched, calls: &[Call], run: usize, aborted: bool) -> Option<Judgement> {
    let history = history(watched);
    let subject = history.phase.subject(calls);
    let of_phase =
        |message: String| Judgement { message, call: history.phase.call(), param: None, is_abort: false };
    let mut judged = match (&watched.fault, &watched.end) {
        (_, End::Late(limit)) => {
            let seconds = limit.as_secs_f64();
            of_phase(format!("{subject} did not return within {seconds} s"))
        }
        (Some(fault), _) => address::judge(*fault, &history, calls, aborted),
        (None, End::Status(status)) if status.success() && history.phase == Phase::Ending => return None,
        (None, End::Status(status)) => match signal(*status) {
            Some(ABORT) => {
                let last = watched.said.trim().lines().last().unwrap_or_default();
                let said = if last.is_empty() { String::new() } else { format!(", and wrote: {last}") };
                Judgement { is_abort: true, ..of_phase(format!("{subject} aborted the process{said}")) }
            }
            Some(signal) => of_phase(format!("{subject} ended the process with signal {signal}")),
            None => {
                let code = status.code().unwrap_or_default();
                of_phase(format!("{subject} ended the process with exit status {code}"))
            }
        },
    };
    match run {
        1 if judged.param.is_none() => {
            judged.message.push_str(" (seen with output buffers that did not begin as zeros)");
        }
        2 if history.rounds > 1 && judged.param.is_none() => {
            judged.message.push_str(" (seen when the calls were made a second time)");
        }
        _ => {}
    }
    Some(judged)
}

/// The signal of `abort`.
const ABORT: i32 = 6;

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: std::process::ExitStatus) -> Option<i32> {
    None
}
