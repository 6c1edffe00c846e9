//! Libraries in processes of their own. What a library breaks there, a crash, a hang or a closed descriptor, is an error of
//! its call.

use std::path::Path;
use std::time::Duration;

use opendyn_interpreter as interpreter;
use opentool_sandbox::Allowed;
use opentool_worker::Program;

use super::source::Shared;
use crate::document::Document;
use crate::failure::{Failure, Outcome};

/// How many processes there are, and what each may take.
pub(crate) struct Workers {
    /// For all callers of a library without handles.
    pub(crate) pool: usize,
    /// The callers that can have a worker of their own.
    pub(crate) sessions: usize,
    /// The time without a call after which such a worker is ended.
    pub(crate) idle: Duration,
    /// The handles that a caller can have.
    pub(crate) handles: usize,
    /// The address space of a worker, or on Windows what it commits, in bytes.
    pub(crate) memory: u64,
    /// What a library may do in its sandbox; `None` without one.
    pub(crate) allowed: Option<Allowed>,
}

impl Workers {
    /// The document with its library: in a worker for each caller if it has handles, otherwise in workers that all share.
    pub(super) fn open(
        &self,
        text: &Document,
        document: &interpreter::Document,
        library: Option<&Path>,
    ) -> Outcome<Shared> {
        let program = Program::this(super::worker::NAME)
            .map_err(|error| Failure::new(format!("cannot start workers: {error}")))?
            .arguments(["worker", &text.name])
            .without(super::KEY)
            .without("OPENTOOL_API_KEY")
            // They may have the key of a collector.
            .without("OTEL_EXPORTER_OTLP_HEADERS")
            .without("OTEL_EXPORTER_OTLP_TRACES_HEADERS")
            .memory(Some(self.memory))
            .sandbox(self.allowed.as_ref().map(|allowed| super::sandbox::of(document, library, allowed)))
            .setup(super::worker::setup(text, library, self.handles));
        let workers = opentool_worker::Workers { pool: self.pool, sessions: self.sessions, idle: self.idle };
        let tool = workers.start(program).map_err(|error| {
            let failure = super::worker::refused(&error);
            if self.allowed.is_some() { super::sandbox::maybe_refused(failure) } else { failure }
        })?;
        Ok(tool.into())
    }
}
