//! The one place that every protocol passes on its way to the executor: the rules, the metrics and the audit log.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use crate::Executor;
use crate::audit::{Audit, Ended};
use crate::derived::Derived;
use crate::executor::Watcher;
use crate::metrics::{CANCELLED, Metrics};
#[cfg(feature = "mcp")]
use crate::policy::Reason;
use crate::policy::{Answer, Asking, Confirm, Identity, Listing, Owner, Protocol, Rules};
use crate::trace::{Parent, Span, Traced};
use opentool::{Function, OpenTool, ToolError};

/// An executor behind the rules of its operator. Clones share its metrics and its audit log.
///
/// What a caller is not allowed to call is not listed for it either.
///
/// ```
/// use opentool::MapTool;
/// use opentool_server::{Executor, Guarded, Identity, Protocol, Rules};
///
/// let echo = Executor::serial(MapTool::new(|_, arguments| Ok(arguments.clone())));
/// let guarded = Guarded::new(echo).rules(Rules { deny: vec!["wipe*".to_owned()], ..Rules::default() });
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let by = Identity::new("me");
/// let reply = guarded.call(&by, Protocol::OpenTool, "wipe_all", b"{}".to_vec()).await;
/// assert_eq!(
///     reply.unwrap_err().to_string(),
///     "`wipe_all` is not allowed: this server has `--deny 'wipe*'`"
/// );
/// # });
/// ```
#[derive(Clone)]
pub struct Guarded {
    executor: Executor,
    rules: Arc<Rules>,
    confirm: Arc<Confirm>,
    #[cfg_attr(not(feature = "mcp"), expect(dead_code, reason = "only MCP lists tools"))]
    listing: Listing,
    #[cfg_attr(not(feature = "mcp"), expect(dead_code, reason = "only MCP keeps results"))]
    large_result: Option<usize>,
    audit: Option<Arc<Audit>>,
    metrics: Arc<Metrics>,
    /// The functions that callers are not offered. A tool whose document can change refuses them itself.
    hidden: Arc<HashSet<String>>,
    /// The documents that callers with rules see.
    seen: Arc<Derived<Rules, Arc<OpenTool>>>,
}

impl Guarded {
    /// Everything is allowed, and nothing is written. Clients that can ask a person are asked before destructive calls.
    #[must_use]
    pub fn new(executor: Executor) -> Self {
        let document = executor.load();
        let metrics = Arc::new(Metrics::of(document.as_deref()));
        let hidden = document.filter(|_| !executor.can_change()).map(|document| document.hidden());
        Self {
            hidden: Arc::new(hidden.unwrap_or_default()),
            executor,
            rules: Arc::default(),
            confirm: Arc::default(),
            listing: Listing::default(),
            large_result: Some(Self::LARGE),
            audit: None,
            metrics,
            seen: Arc::default(),
        }
    }

    /// Sets the rules for all callers.
    #[must_use]
    pub fn rules(self, rules: Rules) -> Self {
        Self { rules: Arc::new(rules), seen: Arc::default(), ..self }
    }

    /// Sets which calls a person confirms.
    #[must_use]
    pub fn confirm(self, confirm: Confirm) -> Self {
        Self { confirm: Arc::new(confirm), ..self }
    }

    /// Sets how MCP clients learn of the functions.
    #[must_use]
    pub fn listing(self, listing: Listing) -> Self {
        Self { listing, ..self }
    }

    /// How MCP clients learn of the functions.
    #[cfg(feature = "mcp")]
    pub(crate) fn lists(&self) -> Listing {
        self.listing
    }

    /// The largest result that an MCP client is shown, in bytes, unless the operator says otherwise.
    pub const LARGE: usize = 64 << 10;

    /// Sets how large a result an MCP client is shown, in bytes. It reads a larger one in parts, as a resource or with a tool;
    /// `None` shows all of them.
    #[must_use]
    pub fn large_results(self, limit: Option<usize>) -> Self {
        Self { large_result: limit, ..self }
    }

    /// How large a result an MCP client is shown.
    #[cfg(feature = "mcp")]
    pub(crate) fn large_result(&self) -> Option<usize> {
        self.large_result
    }

    /// Writes every call to an audit log.
    #[must_use]
    pub fn audit(self, audit: Audit) -> Self {
        Self { audit: Some(Arc::new(audit)), ..self }
    }

    /// The executor behind the rules.
    #[must_use]
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// The document with the functions that `by` is allowed to call. It is the same one until the functions change.
    pub async fn document(&self, by: &Identity) -> Option<Arc<OpenTool>> {
        Some(self.seen(by, self.executor.document().await?))
    }

    /// Like [`Guarded::document`], but blocks the thread.
    #[must_use]
    pub fn load(&self, by: &Identity) -> Option<Arc<OpenTool>> {
        Some(self.seen(by, self.executor.load()?))
    }

    /// The functions that cannot be called, and why: those that the document does not describe well enough, does not offer, or
    /// that the rules of the server refuse. A caller whose own rules are limited learns of none, because it must not know the
    /// names of others.
    #[cfg(feature = "http")]
    pub(crate) async fn unavailable(&self, by: &Identity) -> Vec<Unavailable> {
        if !by.rules().allow_all() {
            return Vec::new();
        }
        let Some(document) = self.executor.document().await else { return Vec::new() };
        let of_document = document.refused.iter().map(|refused| Unavailable {
            name: refused.name.clone(),
            reason: refused.reason.clone(),
            questions: refused.questions.clone(),
            by_server: false,
        });
        let of_server = document.functions.iter().filter_map(|function| {
            let error = match function.is_offered() {
                false => ToolError::not_offered(&function.name),
                true => self.rules.check(&function.name, Some(&document), Owner::Server).err()?,
            };
            let (ToolError::NotCallable { reason, .. } | ToolError::Forbidden { reason, .. }) = error else {
                return None;
            };
            let by_server = function.is_offered();
            Some(Unavailable { name: function.name.clone(), reason, questions: Vec::new(), by_server })
        });
        of_document.chain(of_server).collect()
    }

    /// The functions of `document` that `by` is allowed to call.
    pub(crate) fn seen(&self, by: &Identity, document: Arc<OpenTool>) -> Arc<OpenTool> {
        let has_no_rules = self.rules.allow_all() && by.rules().allow_all();
        if has_no_rules && document.functions.iter().all(Function::is_offered) {
            return document;
        }
        let Ok(seen) = self.seen.get(&document, by.rules(), |document| {
            let mut document = document.clone();
            document.functions.retain(|function| self.shows(by, function));
            Ok::<_, Infallible>(Arc::new(document))
        });
        seen
    }

    fn shows(&self, by: &Identity, function: &Function) -> bool {
        function.is_offered() && self.rules.allows(function) && by.rules().allows(function)
    }

    /// Calls `function`, if `by` is allowed to. No person is asked.
    ///
    /// # Errors
    ///
    /// [`ToolError::Forbidden`], [`ToolError::NotConfirmed`] if a person must confirm the call, and the errors of
    /// [`Executor::call`].
    pub async fn call(
        &self,
        by: &Identity,
        protocol: Protocol,
        function: &str,
        arguments: Vec<u8>,
    ) -> Result<Vec<u8>, ToolError> {
        let arrived =
            Arrived { by, protocol, answer: Answer::Unasked, parent: Parent::default(), watcher: None };
        self.call_arrived(&arrived, function, arguments).await
    }

    /// Calls `function`, if the caller is allowed to and a person has agreed where one must.
    pub(crate) async fn call_arrived(
        &self,
        arrived: &Arrived<'_>,
        function: &str,
        arguments: Vec<u8>,
    ) -> Result<Vec<u8>, ToolError> {
        let Arrived { by, protocol, answer, parent, watcher } = arrived;
        let protocol = *protocol;
        let kept = self.audit.as_ref().filter(|audit| audit.takes_arguments()).map(|_| arguments.clone());
        let begin = Instant::now();
        let asked = !matches!(answer, Answer::Unasked);
        let span = Span::begin(parent, &Traced { by, protocol, function });
        let open = Open {
            guarded: self,
            by,
            protocol,
            function,
            arguments: kept,
            begin,
            asked,
            span,
            is_open: true,
        };
        let outcome = match self.may_run(answer, by, protocol, function).await {
            Ok(()) => self.run(by, protocol, watcher.clone(), function, arguments).await,
            Err(error) => Err(error),
        };
        open.end(outcome.as_ref().err());
        outcome
    }

    /// Counts and writes a call that was refused before it had arguments to check.
    #[cfg(feature = "http")]
    pub(crate) fn refused(&self, by: &Identity, protocol: Protocol, function: &str, error: &ToolError) {
        let begin = Instant::now();
        let asked = false;
        let span = Span::begin(&Parent::default(), &Traced { by, protocol, function });
        Open { guarded: self, by, protocol, function, arguments: None, begin, asked, span, is_open: true }
            .end(Some(error));
    }

    /// Why a person must confirm a call of `function`, if `by` is allowed to make it, and what the document says of it.
    #[cfg(feature = "mcp")]
    pub(crate) async fn to_confirm(&self, by: &Identity, function: &str) -> Option<(Reason, String)> {
        if self.confirm.asking == Asking::Off || self.check(by, function).await.is_err() {
            return None;
        }
        let document = self.executor.document().await?;
        let function = document.function(function)?;
        Some((self.confirm.reason(function)?, function.description.clone()))
    }

    async fn may_run(
        &self,
        answer: &Answer,
        by: &Identity,
        protocol: Protocol,
        function: &str,
    ) -> Result<(), ToolError> {
        self.check(by, function).await?;
        match answer {
            #[cfg(feature = "mcp")]
            Answer::Yes => Ok(()),
            #[cfg(feature = "mcp")]
            Answer::No(reason) => {
                Err(ToolError::NotConfirmed { name: function.to_owned(), reason: reason.clone() })
            }
            Answer::Unasked if self.confirm.asking != Asking::Require => Ok(()),
            Answer::Unasked => {
                let document = self.executor.document().await;
                let known = document.as_ref().and_then(|document| document.function(function));
                match known.and_then(|known| self.confirm.reason(known)) {
                    Some(_) => Err(Confirm::cannot_ask(function, protocol)),
                    None => Ok(()),
                }
            }
        }
    }

    /// Whether `by` is allowed to call `function`.
    pub(crate) async fn check(&self, by: &Identity, function: &str) -> Result<(), ToolError> {
        if self.hidden.contains(function) {
            return Err(ToolError::not_offered(function));
        }
        if self.rules.allow_all() && by.rules().allow_all() {
            return Ok(());
        }
        let reads = self.rules.read_only || by.rules().read_only;
        let document = if reads { self.executor.document().await } else { None };
        self.rules.check(function, document.as_deref(), Owner::Server)?;
        by.rules().check(function, document.as_deref(), Owner::Key(by.name()))
    }

    async fn run(
        &self,
        by: &Identity,
        protocol: Protocol,
        watcher: Option<Watcher>,
        function: &str,
        arguments: Vec<u8>,
    ) -> Result<Vec<u8>, ToolError> {
        // Handles belong to a key, to a session of it, or to the client at the standard streams.
        let executor = self.executor.for_caller(by.caller()).watched_by(watcher);
        let outcome = match protocol {
            #[cfg(feature = "http")]
            Protocol::OpenTool | Protocol::McpHttp => executor.call_among_others(function, arguments).await,
            _ => executor.call(function, arguments).await,
        };
        match outcome {
            Err(error @ ToolError::CallFailed { code: Some(_), .. }) => {
                let document = self.executor.document().await;
                Err(match document {
                    Some(document) => error.with_hint(&document, function),
                    None => error,
                })
            }
            // A name that the caller may not know is not suggested.
            Err(ToolError::UnknownFunction { name, suggestion: Some(suggestion) }) => {
                let suggestion = self.check(by, &suggestion).await.is_ok().then_some(suggestion);
                Err(ToolError::UnknownFunction { name, suggestion })
            }
            outcome => outcome,
        }
    }

    /// Counts and durations of all calls, as Prometheus reads them.
    #[must_use]
    pub fn metrics(&self) -> String {
        self.metrics.text(&self.executor)
    }
}

/// A function that cannot be called.
#[cfg(feature = "http")]
#[derive(Debug)]
pub(crate) struct Unavailable {
    pub name: String,
    pub reason: String,
    /// The open questions of the document about it.
    pub questions: Vec<String>,
    /// Whether a rule of the server refuses it, and not its document.
    pub by_server: bool,
}

/// How a call arrived, besides its function and its arguments.
pub(crate) struct Arrived<'a> {
    pub by: &'a Identity,
    pub protocol: Protocol,
    /// What a person said.
    pub answer: Answer,
    /// The span of the caller.
    pub parent: Parent,
    /// Who is told how far the call is.
    pub watcher: Option<Watcher>,
}

/// A call that has not ended. If it is dropped, its caller has left.
struct Open<'a> {
    guarded: &'a Guarded,
    by: &'a Identity,
    protocol: Protocol,
    function: &'a str,
    arguments: Option<Vec<u8>>,
    begin: Instant,
    /// Whether a person was asked.
    asked: bool,
    span: Span,
    is_open: bool,
}

impl Open<'_> {
    fn end(mut self, error: Option<&ToolError>) {
        self.is_open = false;
        self.note(error.map_or("ok", ToolError::name), error);
    }

    fn note(&mut self, outcome: &'static str, error: Option<&ToolError>) {
        self.span.end(outcome, error);
        let Self { guarded, by, protocol, function, arguments, begin, asked, .. } = self;
        let took = begin.elapsed();
        guarded.metrics.count(&guarded.executor, *protocol, function, outcome, took);
        if let Some(audit) = &guarded.audit {
            let arguments = arguments.as_deref();
            let (protocol, asked) = (*protocol, *asked);
            audit.write(&Ended { by, protocol, function, arguments, asked, outcome, error, took });
        }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if self.is_open {
            self.note(CANCELLED, None);
        }
    }
}

impl From<Executor> for Guarded {
    fn from(executor: Executor) -> Self {
        Self::new(executor)
    }
}

impl From<&Executor> for Guarded {
    fn from(executor: &Executor) -> Self {
        Self::new(executor.clone())
    }
}

impl From<&Guarded> for Guarded {
    fn from(guarded: &Guarded) -> Self {
        guarded.clone()
    }
}

impl std::fmt::Debug for Guarded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guarded")
            .field("executor", &self.executor)
            .field("rules", &self.rules)
            .field("confirm", &self.confirm)
            .finish_non_exhaustive()
    }
}
