//! The reply of `/load`: the document as text, written again only when it changes.

use std::sync::Arc;

use axum::body::Bytes;

use crate::derived::Derived;
use opentool::OpenTool;

/// The texts of the documents that callers see.
#[derive(Default)]
pub(super) struct Published {
    texts: Derived<(), Bytes>,
}

impl Published {
    /// The text of `document`.
    pub(super) fn text(&self, document: Option<&Arc<OpenTool>>) -> serde_json::Result<Bytes> {
        let Some(document) = document else { return Ok(Bytes::from_static(b"{}")) };
        self.texts.get(document, &(), |document| Ok(serde_json::to_vec(&document.published())?.into()))
    }
}
