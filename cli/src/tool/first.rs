//! A first call, for `init`: a function with arguments, and the call itself, made in a worker and its sandbox.

use std::path::{Path, PathBuf};
use std::time::Duration;

use opendyn_interpreter as interpreter;
use opentool::{CallContext, Caller, Deadline, Tool};
use opentool_sandbox::Allowed;
use opentool_server::serve::isolation;
use serde_json::Value;

use super::example;
use super::pretty::pretty;
use super::sandbox::Said;
use super::scripts::Surroundings;
use super::source::Source;
use super::tools::{Tools, Wanted};
use super::workers::Workers;
use crate::failure::{Failure, Outcome};

/// How long the call may take.
const LIMIT: Duration = Duration::from_secs(10);

/// A call that is suggested.
pub(crate) struct First {
    pub(crate) function: String,
    /// One JSON object.
    pub(crate) arguments: String,
    /// Whether the document says that it changes nothing.
    pub(crate) is_read_only: bool,
}

/// The call that is suggested for a document; `None` if no function takes what can be made up.
pub(crate) fn first(document: &interpreter::Document) -> Option<First> {
    let described = document.load()?;
    example::likely(&described).into_iter().find_map(|(function, arguments)| {
        let arguments = Value::Object(arguments).to_string();
        document.check_call(&function.name, arguments.as_bytes()).ok()?;
        let is_read_only = example::is_read_only(function);
        Some(First { function: function.name.clone(), arguments, is_read_only })
    })
}

/// Where it is made: a process of its own, which can write no files and has no network. What the kernel lacks of
/// that is said on stderr.
pub(crate) struct Confined {
    wanted: Wanted,
}

impl Confined {
    pub(crate) fn new(document: &Path, library: Option<PathBuf>) -> Outcome<Self> {
        let allowed = cfg!(unix).then(Allowed::default);
        let workers = Workers {
            pool: 1,
            sessions: 1,
            idle: Duration::from_secs_f64(isolation::IDLE),
            handles: isolation::HANDLES,
            memory: isolation::MEMORY << 20,
            allowed: allowed.clone(),
        };
        let sources = vec![Source::document(document, library)?];
        let surroundings = Surroundings::default().within(allowed);
        Ok(Self {
            wanted: Wanted { sources, surroundings, prefix: false, watch: false, workers: Some(workers) },
        })
    }

    /// Says what the library may do there.
    pub(crate) fn say(&self) -> Outcome<()> {
        Said::of(&self.wanted).say()
    }

    /// Makes the call; returns the result for people.
    pub(crate) fn call(self, first: &First) -> Outcome<String> {
        let tools = Tools::open(self.wanted)?;
        let context = CallContext::new(Caller::new("init"), Deadline::after(LIMIT));
        let mut result = Vec::new();
        match tools.call_for(&context, &first.function, first.arguments.as_bytes(), &mut result) {
            Ok(()) => Ok(pretty(&String::from_utf8_lossy(&result))),
            Err(error) => Err(Failure::fault(error.to_string())),
        }
    }
}
