//! Calls that take long as tasks, for clients that know them: the extension `io.modelcontextprotocol/tasks`.

use std::time::{Duration, SystemTime};

use rmcp::model::{
    CancelTaskParams, DetailedTask, GetTaskParams, GetTaskResult, Task, TaskPayload, TaskStatus,
    UpdateTaskParams,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Map, Value};

use super::calls::{Form, taken};
use super::handler::Handler;
use super::jobs::{IDLE, Job, State};
use super::large::has_links;
use crate::audit::rfc3339;
use opendyn_source::short::{self, shortened};
use opentool::Progress;

/// How often a client had better ask, in milliseconds.
const POLL: u64 = 1000;

/// What a client is told of a call that goes on. It is kept for as long as a call may take, and a while longer.
pub(super) fn task(job: &Job, state: &State, limit: Option<Duration>) -> Task {
    let now = rfc3339(SystemTime::now());
    let mut task = Task::new(&job.id, TaskStatus::Working, rfc3339(job.began), now);
    task.ttl_ms = limit.map(|limit| u64::try_from((limit + IDLE).as_millis()).unwrap_or(u64::MAX));
    task.poll_interval_ms = Some(POLL);
    if let State::Told(progress) = state {
        task.status_message = Some(message(progress));
    }
    task
}

/// `3 of 10: what is being done`
fn message(progress: &Progress) -> String {
    let mut text = progress.done.to_string();
    if let Some(total) = progress.total {
        text.push_str(&format!(" of {total}"));
    }
    if let Some(message) = &progress.message {
        text.push_str(&format!(": {message}"));
    }
    text
}

impl Handler {
    pub(super) async fn task_now(
        &self,
        request: &GetTaskParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let by = self.caller(context);
        let job = self.jobs.find(&by.caller(), &request.task_id).ok_or_else(|| unknown(&request.task_id))?;
        let state = job.state();
        let payload = match &state {
            State::Begun | State::Told(_) => TaskPayload::Working,
            State::Cancelled => TaskPayload::Cancelled,
            State::Ended(_) => {
                let form =
                    Form { is_within: false, has_links: has_links(context.protocol_version().as_ref()) };
                match self.result(&by, &job.function, taken(&state), form).await {
                    Ok(result) => TaskPayload::Completed { result: object(serde_json::to_value(result)) },
                    Err(error) => TaskPayload::Failed { error: object(serde_json::to_value(error)) },
                }
            }
        };
        let task = task(&job, &state, self.guarded().executor().limits().deadline);
        Ok(GetTaskResult::new(DetailedTask::new(task, payload)))
    }

    /// No task asks its client for anything.
    pub(super) fn task_updated(
        &self,
        request: &UpdateTaskParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let found = self.jobs.find(&self.caller(context).caller(), &request.task_id);
        found.map(|_| ()).ok_or_else(|| unknown(&request.task_id))
    }

    /// It stays, so that the client sees that it is cancelled.
    pub(super) fn task_cancelled(
        &self,
        request: &CancelTaskParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let found = self.jobs.find(&self.caller(context).caller(), &request.task_id);
        found.map(|job| job.cancel()).ok_or_else(|| unknown(&request.task_id))
    }
}

fn unknown(id: &str) -> ErrorData {
    let id = shortened(id, short::NAME);
    ErrorData::invalid_params(format!("there is no task {id:?}, or it was forgotten"), None)
}

fn object(value: Result<Value, serde_json::Error>) -> Map<String, Value> {
    match value {
        Ok(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_how_far_it_is() {
        let mut progress = Progress { done: 3.0, total: None, message: None };
        assert_eq!(message(&progress), "3");
        (progress.total, progress.message) = (Some(10.0), Some("é".to_owned()));
        assert_eq!(message(&progress), "3 of 10: é");
    }
}
