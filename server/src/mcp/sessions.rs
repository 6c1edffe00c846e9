//! The sessions of MCP over HTTP, in the revisions before 2026-07-28: `Mcp-Session-Id`.
//!
//! A session is only a number and the key that opened it. The requests of `rmcp` stay without state, so that a session that
//! nobody uses costs a few bytes, and a client that leaves ends its call. A client that sends no session id, and every client
//! of revision 2026-07-28, shares the handles of its key. Where a tool has no handles, a session only tells whose call a
//! client cancels.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use serde_json::json;

use super::handler::Left;
use crate::Guarded;
use crate::policy::Identity;

const ID: HeaderName = HeaderName::from_static("mcp-session-id");
pub(super) const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// The first revision without sessions. Revisions are dates.
const WITHOUT: &str = "2026-07-28";

/// Notes that a request has begun a session. The handler gets it with the request.
#[derive(Clone, Default)]
pub(super) struct Begun(Arc<AtomicBool>);

impl Begun {
    pub(super) fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_noted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The open sessions.
pub(super) struct Sessions {
    guarded: Guarded,
    left: Left,
    limit: usize,
    idle: Duration,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    sessions: HashMap<String, Session>,
    /// How many there ever were.
    count: u64,
}

struct Session {
    number: u64,
    /// Another key cannot use it.
    by: Identity,
    used: Instant,
}

impl Session {
    fn of(&self) -> Identity {
        self.by.clone().in_session(self.number)
    }
}

impl Sessions {
    /// At most `limit` sessions. One without a request for the time `idle` is ended.
    pub(super) fn new(guarded: Guarded, left: Left, limit: usize, idle: Duration) -> Self {
        Self { guarded, left, limit, idle, open: Mutex::default() }
    }

    /// Ignores poisoning: nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a client loses something with its session.
    async fn have_handles(&self) -> bool {
        let document = self.guarded.executor().document().await;
        self.limit > 0 && document.is_some_and(|document| document.has_handles())
    }

    /// The session with this id, if it is one of `by`.
    fn find(&self, id: &str, by: &Identity) -> Option<u64> {
        let mut open = self.lock();
        let session = open.sessions.get_mut(id).filter(|session| session.by.name() == by.name())?;
        if session.used.elapsed() < self.idle {
            session.used = Instant::now();
            return Some(session.number);
        }
        // Others are looked at when one is opened.
        let ended = open.sessions.remove(id);
        drop(open);
        self.leave(ended);
        None
    }

    /// Opens a session, and returns its id; `None` if the system has no random number.
    fn open(&self, by: &Identity) -> Option<String> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).ok()?;
        let id: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut open = self.lock();
        let mut ended = open.expire(self.idle);
        ended.extend(open.make_room(self.limit, by));
        open.count += 1;
        let session = Session { number: open.count, by: by.clone(), used: Instant::now() };
        open.sessions.insert(id.clone(), session);
        drop(open);
        self.leave(ended);
        Some(id)
    }

    fn end(&self, id: &str) {
        let ended = self.lock().sessions.remove(id);
        self.leave(ended);
    }

    /// Frees what sessions leave behind.
    fn leave(&self, ended: impl IntoIterator<Item = Session>) {
        for session in ended {
            let caller = session.of().caller();
            self.left.by(&caller);
            self.guarded.executor().leave(caller);
        }
    }
}

impl Open {
    /// Takes those without a request for too long.
    fn expire(&mut self, idle: Duration) -> Vec<Session> {
        self.sessions.extract_if(|_, session| session.used.elapsed() >= idle).map(|(_, one)| one).collect()
    }

    /// Takes one if there are as many as there may be: of the key with the most, the one that was idle longest. So a key that
    /// opens many sessions loses its own, and never those of a key with fewer.
    fn make_room(&mut self, limit: usize, by: &Identity) -> Option<Session> {
        if self.sessions.len() < limit {
            return None;
        }
        let mut counts: HashMap<&str, usize> = HashMap::from([(by.name(), 1)]);
        self.sessions.values().for_each(|session| *counts.entry(session.by.name()).or_default() += 1);
        let most = counts.values().max().copied();
        let of_most = self.sessions.iter().filter(|(_, one)| counts.get(one.by.name()).copied() == most);
        let longest = of_most.min_by_key(|(_, session)| session.used).map(|(id, _)| id.clone());
        longest.and_then(|id| self.sessions.remove(&id))
    }
}

/// Serves a request with `next` in its session, begins one, or ends one.
pub(super) async fn in_session<R: Future<Output = Response>>(
    sessions: &Sessions,
    mut request: Request,
    next: impl FnOnce(Request) -> R,
) -> Response {
    if has_no_sessions(request.headers()) {
        return next(request).await;
    }
    let by = request.extensions().get().cloned().unwrap_or_else(Identity::anonymous);
    if let Some(id) = request.headers().get(ID) {
        let id = id.to_str().unwrap_or_default();
        match sessions.find(id, &by) {
            Some(_) if request.method() == Method::DELETE => {
                sessions.end(id);
                return reply(StatusCode::NO_CONTENT, Body::empty());
            }
            Some(number) => drop(request.extensions_mut().insert(by.in_session(number))),
            None if sessions.have_handles().await => return no_such_session(),
            // It is of a server that was here before, and would change nothing.
            None => {}
        }
        return next(request).await;
    }
    let begun = Begun::default();
    request.extensions_mut().insert(begun.clone());
    let mut response = next(request).await;
    if begun.is_noted()
        && sessions.limit > 0
        && let Some(id) = sessions.open(&by).and_then(|id| HeaderValue::try_from(id).ok())
    {
        response.headers_mut().insert(ID, id);
    }
    response
}

fn has_no_sessions(headers: &HeaderMap) -> bool {
    let version = headers.get(VERSION).and_then(|version| version.to_str().ok());
    version.is_some_and(|version| version >= WITHOUT)
}

/// Clients then begin a new one.
fn no_such_session() -> Response {
    let message = "there is no such session, or it has ended: send `initialize` again";
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32001, "message": message}});
    let mut response = reply(StatusCode::NOT_FOUND, Body::from(error.to_string()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn reply(status: StatusCode, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Executor;

    fn sessions(limit: usize, idle: Duration) -> Sessions {
        let tool = opentool::MapTool::new(|_, arguments| Ok(arguments.clone()));
        Sessions::new(Guarded::new(Executor::serial(tool)), Left::default(), limit, idle)
    }

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn a_session_is_of_the_key_that_opened_it() {
        let (sessions, one, two) = (sessions(9, LONG), Identity::new("one"), Identity::new("two"));
        let ids = [&one, &one, &two].map(|by| sessions.open(by).expect("random numbers"));
        assert_eq!(ids.each_ref().map(|id| sessions.find(id, &one)), [Some(1), Some(2), None]);
        assert_eq!(ids.each_ref().map(|id| sessions.find(id, &two)), [None, None, Some(3)]);
        assert!(ids.iter().all(|id| id.len() == 32) && ids[0] != ids[1]);
        sessions.end(&ids[0]);
        assert_eq!(sessions.find(&ids[0], &one), None);
    }

    #[test]
    fn a_key_with_many_sessions_loses_its_own() {
        let (sessions, one, two) = (sessions(3, LONG), Identity::new("one"), Identity::new("two"));
        let of_two = sessions.open(&two).expect("random numbers");
        let of_one: Vec<_> = (0..50).filter_map(|_| sessions.open(&one)).collect();
        assert_eq!(sessions.find(&of_two, &two), Some(1));
        let alive: Vec<u64> = of_one.iter().filter_map(|id| sessions.find(id, &one)).collect();
        assert_eq!(alive, [50, 51], "those that were idle longest are gone");
        assert_eq!(sessions.find(&of_two, &two), Some(1));
        sessions.open(&two).expect("random numbers");
        assert_eq!(sessions.find(&of_two, &two), Some(1), "that of the other was idle longer");
        assert_eq!(sessions.lock().sessions.len(), 3);
    }

    #[test]
    fn a_session_without_a_request_expires() {
        let (sessions, by) = (sessions(9, Duration::from_millis(40)), Identity::new("one"));
        let id = sessions.open(&by).expect("random numbers");
        assert_eq!(sessions.find(&id, &by), Some(1));
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(sessions.find(&id, &by), None);
        assert!(sessions.lock().sessions.is_empty());
    }

    #[test]
    fn the_newest_revision_has_no_sessions() {
        let version = |version: &str| {
            let version = HeaderValue::try_from(version).expect("text");
            has_no_sessions(&HeaderMap::from_iter([(VERSION, version)]))
        };
        assert!(version("2026-07-28") && version("2027-01-01"));
        assert!(!version("2025-11-25") && !version("2025-03-26") && !has_no_sessions(&HeaderMap::new()));
    }
}
