//! The reply of `/load`: the document as text, written again only when it changes.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;

use crate::executor::is_same;
use opentool::OpenTool;

/// A document, and its text.
pub(super) struct Published {
    last: Mutex<(Option<Arc<OpenTool>>, Bytes)>,
}

impl Published {
    pub(super) fn new(document: Option<Arc<OpenTool>>) -> serde_json::Result<Self> {
        let text = text(document.as_deref())?;
        Ok(Self { last: Mutex::new((document, text)) })
    }

    /// The text of `document`.
    pub(super) fn text(&self, document: Option<Arc<OpenTool>>) -> Bytes {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // A document that could not be written would leave the last one.
        if !is_same(last.0.as_ref(), document.as_ref())
            && let Ok(text) = text(document.as_deref())
        {
            *last = (document, text);
        }
        last.1.clone()
    }
}

fn text(document: Option<&OpenTool>) -> serde_json::Result<Bytes> {
    let Some(document) = document else { return Ok(Bytes::from_static(b"{}")) };
    let opentool = document.published_version().to_owned();
    Ok(serde_json::to_vec(&OpenTool { opentool, ..document.clone() })?.into())
}
