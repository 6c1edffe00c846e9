//! Where the document of an executor's tool comes from.

use std::sync::Arc;

use opentool::OpenTool;

/// The document of a tool.
#[derive(Clone)]
pub(super) enum Described {
    /// Loaded once.
    Once(Option<Arc<OpenTool>>),
    /// It can change, so it is asked for again each time.
    Asked(Arc<dyn Fn() -> Option<Arc<OpenTool>> + Send + Sync>),
}

impl Described {
    pub(super) fn now(&self) -> Option<Arc<OpenTool>> {
        match self {
            Self::Once(document) => document.clone(),
            Self::Asked(ask) => ask(),
        }
    }

    /// Like [`Described::now`], for a task: reading a changed file takes a while.
    pub(super) async fn later(&self) -> Option<Arc<OpenTool>> {
        match self {
            Self::Once(document) => document.clone(),
            Self::Asked(ask) => {
                let ask = Arc::clone(ask);
                // A panic is the only error; the tool then counts as one without a document.
                tokio::task::spawn_blocking(move || ask()).await.unwrap_or_default()
            }
        }
    }

    /// Whether it can change.
    pub(super) fn can_change(&self) -> bool {
        matches!(self, Self::Asked(_))
    }
}

/// Whether two documents are the same one. A document that changes is a new one.
#[cfg(feature = "mcp")]
pub(crate) fn is_same(one: Option<&Arc<OpenTool>>, other: Option<&Arc<OpenTool>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}
