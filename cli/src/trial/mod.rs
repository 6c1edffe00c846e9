//! `check --try`: calls in a process of their own, with the memory that C is lent between guard pages, and what they did
//! that the document does not allow.
//!
//! | step | module | what it does |
//! |---|---|---|
//! | choose | `made_up` | the functions that `--try-all` can call, with arguments for them |
//! | tell | `protocol` | what the process is told to call, and what it reports |
//! | call | `child` | in the process: makes the calls, and reports what C is lent and what it left |
//! | watch | `watch` | starts the process, reads its reports, and ends it after the time limit |
//! | judge | `judge`, `address`, `unwritten` | what the reports mean, in words |
//!
//! Every trial is three processes: with the ends of memory at a guard page, with its starts and buffers that are not
//! zeros, and with all calls twice.

mod address;
#[cfg(unix)]
mod child;
mod judge;
mod made_up;
mod protocol;
mod unwritten;
mod watch;

use std::path::{Path, PathBuf};
use std::time::Duration;

use opendyn_model::{Findings, read};
use opendyn_source::span::{Lines, Spanned};
use serde_json::Value;

use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::tool;
use judge::{Judgement, judge};
use protocol::{Call, Script};

#[cfg(unix)]
pub(crate) use child::run as run_child;

/// In another process there are no guard pages.
#[cfg(not(unix))]
pub(crate) fn run_child() -> Outcome {
    Err(unsupported())
}

/// What was asked to be tried.
pub(crate) struct Wanted {
    /// Functions and their arguments, in order.
    pub(crate) calls: Vec<(String, String)>,
    /// Whether every function that changes nothing is tried.
    pub(crate) all: bool,
    pub(crate) library: Option<PathBuf>,
    pub(crate) limit: Duration,
}

/// Calls that were tried, and what was seen.
pub(crate) struct Tried {
    pub(crate) file: String,
    pub(crate) calls: Vec<Call>,
    /// What C did that the document does not allow.
    pub(crate) seen: Vec<Seen>,
    /// What is worth knowing besides.
    pub(crate) notes: Vec<String>,
}

/// Something that C did.
pub(crate) struct Seen {
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
    pub(crate) message: String,
}

impl Wanted {
    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty() && !self.all
    }
}

/// Tries what is wanted of a document that has no errors. The second list is what was not tried, and why.
pub(crate) fn run(document: &Document, wanted: &Wanted) -> Outcome<(Vec<Tried>, Vec<String>)> {
    if !cfg!(unix) {
        return Err(unsupported());
    }
    let read = tool::read(document)?;
    let library = wanted.library.as_deref().map_or(Ok(None), tool::located)?;
    let mut trials = Vec::new();
    if !wanted.calls.is_empty() {
        let calls = wanted.calls.iter().map(|(function, arguments)| {
            let arguments = serde_json::from_str::<Value>(arguments).map_err(|error| {
                Failure::fault(format!("the arguments of `{function}` are not JSON: {error}"))
            })?;
            // References to earlier results are only known in the process.
            if !protocol::refers(&arguments) {
                let checked = read.check_call(function, arguments.to_string().as_bytes());
                checked.map_err(|error| Failure::fault(format!("`{function}`: {error}")))?;
            }
            Ok(Call { function: function.clone(), arguments })
        });
        trials.push(calls.collect::<Outcome<Vec<Call>>>()?);
    }
    let mut left_out = Vec::new();
    if wanted.all {
        let (made, others) = made_up::calls(&read);
        trials.extend(made.into_iter().map(|call| vec![call]));
        left_out = others;
    }
    let tried = trials.into_iter().map(|calls| try_calls(document, calls, library.as_deref(), wanted.limit));
    Ok((tried.collect::<Outcome<_>>()?, left_out))
}

fn try_calls(
    document: &Document,
    calls: Vec<Call>,
    library: Option<&Path>,
    limit: Duration,
) -> Outcome<Tried> {
    let script = |run: usize| Script {
        name: document.name.clone(),
        source: document.source.clone(),
        library: library.map(Path::to_owned),
        at_start: run == 1,
        fill: if run == 1 { unwritten::FILL } else { 0 },
        rounds: if run == 2 { 2 } else { 1 },
        calls: calls.clone(),
    };
    let mut tried =
        Tried { file: document.name.clone(), calls: calls.clone(), seen: Vec::new(), notes: Vec::new() };
    let mut first: Option<watch::Watched> = None;
    let mut abort: Option<Judgement> = None;
    for run in 0..3 {
        let watched = watch::run(&script(run), limit)?;
        if let Some(failure) = watched.refused(&calls) {
            return Err(failure);
        }
        let judged = judge(&watched, &calls, run, abort.is_some());
        match judged {
            // What was freed can be told when memory begins at a page.
            Some(judged) if judged.is_abort && run == 0 => abort = Some(judged),
            Some(judged) => {
                let judged = if judged.is_abort { abort.take().unwrap_or(judged) } else { judged };
                tried.add(document, &calls, judged);
                break;
            }
            None if abort.is_some() => break,
            None => {}
        }
        if let (1, Some(first), None) = (run, &first, &abort) {
            let unwritten = unwritten::compare(first, &watched);
            for (call, param, message) in unwritten {
                let function = calls.get(call).map_or_else(String::new, |call| call.function.clone());
                tried.add(document, &calls, Judgement::of_parameter(call, function, param, message));
            }
        }
        if run == 0 {
            tried.notes = watched.notes(&calls);
            first = Some(watched);
        }
    }
    if let (Some(judged), true) = (abort, tried.seen.is_empty()) {
        tried.add(document, &calls, judged);
    }
    Ok(tried)
}

impl Tried {
    fn add(&mut self, document: &Document, calls: &[Call], judged: Judgement) {
        let place = judged
            .function(calls)
            .and_then(|function| place(&document.source, function, judged.param.as_deref()));
        let (line, column) = place.unzip();
        self.seen.push(Seen { line, column, message: judged.message });
    }
}

/// The line and the column of a function, or of its parameter.
fn place(source: &str, function: &str, param: Option<&str>) -> Option<(usize, usize)> {
    let read = read::read_for(source, function, &Findings::new())?;
    let is_it = |name: Option<&Spanned<String>>, wanted: &str| name.is_some_and(|name| name.value == wanted);
    let found = read.functions.iter().find(|one| is_it(one.name.as_ref(), function))?;
    // A member is a path behind the name of the parameter.
    let param = param.and_then(|path| path.split(['.', '[']).next());
    let param = param.and_then(|param| {
        let found = found.parameters.iter().find(|one| is_it(one.name.as_ref(), param));
        found.map(|found| found.span)
    });
    let span = param.or(found.name.as_ref().map(|name| name.span))?;
    Some(Lines::new(source).locate(span.start))
}

fn unsupported() -> Failure {
    Failure::new(format!("calls can be tried on Unix only, not on {}", std::env::consts::OS))
        .help("`opendyn call` makes the call without guard pages")
}
