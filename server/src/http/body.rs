//! Reads the body of a request, up to a limit.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::task::{Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use futures_util::StreamExt;

use super::connections::Peer;

/// How much of a body that is too long is read and discarded. Most clients read the reply only after they have sent
/// everything, and would otherwise see a broken connection instead of a 413.
const DRAINED: usize = 16 << 20;

/// Why a body is refused.
#[derive(Debug, PartialEq)]
pub(super) struct Refused {
    pub status: StatusCode,
    pub message: String,
}

/// The body of a request.
pub(super) async fn read(request: Request, limit: usize, patience: Duration) -> Result<Bytes, Refused> {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()).and_then(|length| length.parse().ok());
    // With `Expect: 100-continue` the client waits for permission to send.
    if length.is_some_and(|length: u64| length > limit as u64)
        && request.headers().contains_key(header::EXPECT)
    {
        return Err(too_long(limit));
    }
    let peer = request.extensions().get::<Arc<Peer>>().cloned();
    let body = request.into_body();
    let read = tokio::time::timeout(patience, collect(body, limit)).await.unwrap_or_else(|_| {
        let message = format!("the body did not arrive within {patience:?}");
        Err(Refused { status: StatusCode::REQUEST_TIMEOUT, message })
    });
    peer.inspect(|peer| peer.sent_all());
    read
}

/// The same body, for a route that reads it itself: it fails if it takes too long to arrive. When all of it is there, `peer`
/// is told.
pub(super) fn within(body: Body, patience: Duration, peer: Option<Arc<Peer>>) -> Body {
    if body.is_end_stream() {
        return body;
    }
    let mut frames = body.into_data_stream();
    let mut end = Box::pin(tokio::time::sleep(patience));
    Body::from_stream(futures_util::stream::poll_fn(move |cx| {
        // A frame that is there is taken, however late it is.
        if let Poll::Ready(frame) = frames.poll_next_unpin(cx) {
            if let (None, Some(peer)) = (&frame, &peer) {
                peer.sent_all();
            }
            return Poll::Ready(frame);
        }
        ready!(end.as_mut().poll(cx));
        Poll::Ready(Some(Err(axum::Error::new(io::Error::from(io::ErrorKind::TimedOut)))))
    }))
}

async fn collect(body: Body, limit: usize) -> Result<Bytes, Refused> {
    let mut frames = body.into_data_stream();
    let mut first = Bytes::new();
    let mut all = Vec::new();
    let mut length = 0_usize;
    while let Some(frame) = frames.next().await {
        let frame = frame.map_err(|error| Refused {
            status: StatusCode::BAD_REQUEST,
            message: format!("the body is incomplete: {error}"),
        })?;
        length = length.saturating_add(frame.len());
        if length > limit.saturating_add(DRAINED) {
            break;
        } else if length > limit {
            all = Vec::new();
        } else if first.is_empty() {
            // Usually there is only one frame, which need not be copied.
            first = frame;
        } else {
            if all.is_empty() {
                all.extend_from_slice(&first);
            }
            all.extend_from_slice(&frame);
        }
    }
    if length > limit {
        return Err(too_long(limit));
    }
    Ok(if all.is_empty() { first } else { all.into() })
}

fn too_long(limit: usize) -> Refused {
    let message = format!("the body is longer than {limit} bytes");
    Refused { status: StatusCode::PAYLOAD_TOO_LARGE, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_frames(frames: &'static [&'static str]) -> Body {
        let frames = frames.iter().map(|frame| Ok::<_, io::Error>(Bytes::from_static(frame.as_bytes())));
        Body::from_stream(futures_util::stream::iter(frames))
    }

    #[tokio::test]
    async fn frames_are_joined_up_to_the_limit() {
        for (frames, text) in
            [(&[][..], ""), (&["abc"], "abc"), (&["a", "", "bc"], "abc"), (&["", "ab", "c"], "abc")]
        {
            let body = collect(in_frames(frames), 3).await.expect("it is no longer than 3");
            assert_eq!(body, text);
        }
    }

    #[tokio::test]
    async fn a_byte_beyond_the_limit_is_refused() {
        for frames in [&["abcd"][..], &["abc", "d"], &["abcd", "e"]] {
            assert_eq!(collect(in_frames(frames), 3).await, Err(too_long(3)));
        }
    }
}
