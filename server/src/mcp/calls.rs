//! A call of a tool: what becomes of it, who is told how far it is, and what the client gets, at once or later.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CreateTaskResult};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Map, Value, json};

use super::calling::CALL;
use super::confirm::Asked;
use super::handler::{Handler, as_text, caller_span, failed, failed_within, outcome, was_cancelled};
use super::jobs::{Job, Jobs, Outcome, State};
use super::large::has_links;
use super::offer::{Taken, is_ours, refused, text};
use super::progress::Told;
use super::tasks;
use crate::policy::Identity;
use opendyn_source::short::{self, shortened};
use opentool::ToolError;

/// How long a client that knows tasks waits for a call, before it is one.
const PATIENCE: Duration = Duration::from_secs(3);

/// How a client gets the result of a call.
#[derive(Clone, Copy)]
pub(super) struct Form {
    /// Its function was named in an argument, whose schema promises nothing: the reply is there once.
    pub is_within: bool,
    pub has_links: bool,
}

impl Form {
    fn of(context: &RequestContext<RoleServer>, is_within: bool) -> Self {
        Self { is_within, has_links: has_links(context.protocol_version().as_ref()) }
    }
}

/// A call whose client does not know that it goes on: if the client leaves, it ends.
struct Untold<'j> {
    jobs: &'j Jobs,
    job: Option<Arc<Job>>,
}

impl Drop for Untold<'_> {
    fn drop(&mut self) {
        if let Some(job) = self.job.take() {
            self.jobs.forget(&job);
        }
    }
}

impl Handler {
    pub(super) async fn called(
        &self,
        mut request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let by = self.caller(context);
        let (mut is_within, mut wait) = (false, None);
        if is_ours(&request.name)
            && let Some(offer) = self.offer(&by).await
        {
            match offer.take(&mut request) {
                Taken::Answer(answer) => return Ok(answer.into()),
                Taken::Within { wait: asked } => (is_within, wait) = (true, asked),
                Taken::Wait { job, wait } => {
                    return Ok(self.wait_again(&by, &job, wait, context).await.into());
                }
                Taken::Cancel { job } => return Ok(self.cancelled(&by, &job).into()),
                Taken::Read(arguments) => {
                    let part = self.large.read(&by.caller(), &arguments);
                    return Ok(part.unwrap_or_else(|error| refused(&error)).into());
                }
                Taken::Call => {}
            }
        }
        let arguments = Value::Object(request.arguments.take().unwrap_or_default()).to_string();
        let answer = match self.questions.ask(&self.guarded, &by, &request, &arguments, context).await {
            Asked::Answer(answer) => answer,
            Asked::Question(question) => return Ok(question.into()),
        };
        let parts = context.extensions.get::<axum::http::request::Parts>();
        let parent = caller_span(
            |name| context.meta.get(name).and_then(Value::as_str),
            parts.map(|parts| &parts.headers),
        );
        let form = Form::of(context, is_within);
        let has_tasks = context.client_capabilities().is_some_and(|can| can.supports_tasks());
        let function = request.name.clone().into_owned();
        if wait.is_none() && !has_tasks {
            let (watcher, mut told) = Told::of(context);
            let call = self.call(&by, &function, arguments.into_bytes(), answer, parent, watcher);
            let reply = tokio::select! {
                reply = self.unless_cancelled(&by, context.id.clone(), call) => {
                    reply.unwrap_or_else(|| Err(was_cancelled()))
                }
                // No reply is sent. That the call is dropped ends it, where it can be ended.
                () = context.ct.cancelled() => Err(was_cancelled()),
                () = told.tell() => Err(ToolError::call_failed("nobody waits")),
            };
            told.tell_last().await;
            self.notify(context).await;
            return self.result(&by, &function, reply, form).map(CallToolResponse::from);
        }
        let begun = self.jobs.begin(&by.caller(), &function, |watcher| {
            let (handler, by, function) = (self.clone(), by.clone(), function.clone());
            async move {
                handler.call(&by, &function, arguments.into_bytes(), answer, parent, Some(watcher)).await
            }
        });
        let job = match begun {
            Ok(job) => job,
            Err(error) => return Ok(failed(&error).into()),
        };
        let mut untold = Untold { jobs: &self.jobs, job: Some(Arc::clone(&job)) };
        let state = self.state_of(&by, &job, wait.unwrap_or(PATIENCE), context).await;
        self.notify(context).await;
        match state {
            None => Ok(failed(&was_cancelled()).into()),
            Some(state) if state.is_over() => {
                self.result(&by, &function, taken(&state), form).map(Into::into)
            }
            Some(state) => {
                untold.job = None;
                Ok(match wait {
                    Some(_) => text(running(&job, &state)).into(),
                    None => {
                        let limit = self.guarded.executor().limits().deadline;
                        CallToolResponse::Task(CreateTaskResult::new(tasks::task(&job, &state, limit)))
                    }
                })
            }
        }
    }

    /// What a client gets of a reply.
    pub(super) fn result(
        &self,
        by: &Identity,
        function: &str,
        mut reply: Outcome,
        form: Form,
    ) -> Result<CallToolResult, ErrorData> {
        if let Some(mut instead) = self.large.instead(&by.caller(), function, &mut reply, form.has_links) {
            instead.structured_content.take_if(|_| form.is_within);
            return Ok(instead);
        }
        match form.is_within {
            true => Ok(reply.and_then(as_text).unwrap_or_else(|error| failed_within(&error))),
            false => outcome(reply),
        }
    }

    /// As `wait_for`, for clients that cancel in a request of their own too.
    async fn state_of(
        &self,
        by: &Identity,
        job: &Job,
        limit: Duration,
        context: &RequestContext<RoleServer>,
    ) -> Option<State> {
        self.unless_cancelled(by, context.id.clone(), wait_for(job, limit, context)).await.flatten()
    }

    async fn wait_again(
        &self,
        by: &Identity,
        id: &str,
        limit: Duration,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let job = match self.job(by, id) {
            Ok(job) => job,
            Err(error) => return refused(&error),
        };
        match self.state_of(by, &job, limit, context).await {
            // It goes on.
            None => failed(&ToolError::call_failed("the client waits no more")),
            Some(state) if state.is_over() => {
                self.jobs.forget(&job);
                let result = self.result(by, &job.function, taken(&state), Form::of(context, true));
                result.unwrap_or_else(|error| CallToolResult::error(vec![ContentBlock::text(error.message)]))
            }
            Some(state) => text(running(&job, &state)),
        }
    }

    fn cancelled(&self, by: &Identity, id: &str) -> CallToolResult {
        match self.job(by, id) {
            Ok(job) => {
                let was_over = job.state().is_over();
                self.jobs.forget(&job);
                let state = if was_over { "had ended" } else { "cancelled" };
                text(json!({"job": job.id, "state": state}).to_string())
            }
            Err(error) => refused(&error),
        }
    }

    fn job(&self, by: &Identity, id: &str) -> Result<Arc<Job>, ToolError> {
        self.jobs.find(&by.caller(), id).ok_or_else(|| {
            let id = shortened(id, short::NAME);
            ToolError::invalid_arguments("/job", format!("there is no job {id:?}, or it was forgotten"))
        })
    }
}

/// The state of a call when it ends, or after this time; `None` if the client does not wait any more. Meanwhile the client is told
/// how far it is.
async fn wait_for(job: &Job, limit: Duration, context: &RequestContext<RoleServer>) -> Option<State> {
    let (watcher, mut told) = Told::of(context);
    let watching = async {
        if let Some(watcher) = &watcher {
            job.watch(watcher).await;
        }
        std::future::pending().await
    };
    let state = tokio::select! {
        state = job.within(limit) => Some(state),
        () = context.ct.cancelled() => None,
        () = watching => None,
        () = told.tell() => None,
    };
    told.tell_last().await;
    state
}

/// The outcome of a call that is over.
pub(super) fn taken(state: &State) -> Outcome {
    match state {
        State::Ended(outcome) => (**outcome).clone(),
        _ => Err(ToolError::call_failed("it was cancelled")),
    }
}

/// What a model is told of a call that goes on.
fn running(job: &Job, state: &State) -> String {
    let seconds = job.began.elapsed().unwrap_or_default().as_secs();
    let mut reply = Map::new();
    reply.insert("job".to_owned(), json!(job.id));
    reply.insert("state".to_owned(), json!("running"));
    reply.insert("function".to_owned(), json!(job.function));
    reply.insert("seconds".to_owned(), json!(seconds));
    if let State::Told(progress) = state {
        reply.insert("progress".to_owned(), Value::Object(progress.to_json()));
    }
    let next = format!("Wait for it with `{CALL}` {{\"job\": {:?}}}, or add \"cancel\": true.", job.id);
    reply.insert("next".to_owned(), json!(next));
    Value::Object(reply).to_string()
}
