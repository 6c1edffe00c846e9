//! Libraries in processes of their own. What a library breaks there, a crash, a hang or a closed descriptor, is an error of
//! its call.

use std::path::Path;
use std::time::Duration;

use opentool::OpenTool;
use serde_json::Value;

use super::source::Shared;
use crate::document::Document;
use crate::failure::{Failure, Outcome};

/// How many processes there are, and what each may take.
#[cfg_attr(not(unix), expect(dead_code, reason = "there are workers on Unix only"))]
pub(crate) struct Workers {
    /// For all callers of a library without handles.
    pub(crate) pool: usize,
    /// The callers that can have a worker of their own.
    pub(crate) sessions: usize,
    /// The time without a call after which such a worker is ended.
    pub(crate) idle: Duration,
    /// The handles that a caller can have.
    pub(crate) handles: usize,
    /// The address space of a worker, in bytes.
    pub(crate) memory: u64,
}

impl Workers {
    /// One per core, and at least two, so that one call that hangs does not keep all others waiting.
    pub(crate) fn default_pool() -> usize {
        super::threads()
    }

    /// The document with its library: in a worker for each caller if it has handles, otherwise in workers that all share.
    #[cfg(unix)]
    pub(super) fn open(
        &self,
        document: &Document,
        described: Option<&OpenTool>,
        library: Option<&Path>,
    ) -> Outcome<Shared> {
        use std::sync::Arc;

        use opentool_worker::{Pool, Program, Sessions};

        let program = Program::this(super::worker::NAME)
            .map_err(|error| Failure::new(format!("cannot start workers: {error}")))?
            .arguments(["worker", &document.name])
            .without(super::KEY)
            .without("OPENTOOL_API_KEY")
            .memory(Some(self.memory))
            .setup(super::worker::setup(document, library, self.handles));
        let refused = |error| super::worker::refused(&error);
        if has_handles(described) {
            Ok(Arc::new(Sessions::start(program, self.sessions, self.idle).map_err(refused)?))
        } else {
            Ok(Arc::new(Pool::start(program, self.pool).map_err(refused)?))
        }
    }

    #[cfg(not(unix))]
    pub(super) fn open(&self, _: &Document, _: Option<&OpenTool>, _: Option<&Path>) -> Outcome<Shared> {
        Err(Failure::new("there are workers on Unix only").help("`--in-process`"))
    }
}

/// Whether a function takes or returns a handle.
pub(super) fn has_handles(document: Option<&OpenTool>) -> bool {
    fn is_handle(value: &Value) -> bool {
        match value {
            Value::Object(map) => map.contains_key("x-handle") || map.values().any(is_handle),
            Value::Array(items) => items.iter().any(is_handle),
            _ => false,
        }
    }
    document.is_some_and(|document| serde_json::to_value(document).is_ok_and(|value| is_handle(&value)))
}
