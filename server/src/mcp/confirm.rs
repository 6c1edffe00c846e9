//! Asks the person at the client before a call, where the policy says so and the client can.
//!
//! Until revision 2025-11-25 the server asks with a request of its own, and waits. Since 2026-07-28 the reply to the call is
//! the question, and the client repeats the call with the answer: it counts only with the token of a question about
//! the same call of the same caller, once.

use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, ElicitationSchema, InputRequest, InputRequests, InputRequiredResult,
    ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};

use crate::Guarded;
use crate::policy::{Answer, Identity, Reason};
use opendyn_source::short::{self, shortened};

/// How long a person may take.
const PATIENCE: Duration = Duration::from_secs(600);
/// How many questions can be open; the oldest is forgotten first.
const OPEN: usize = 1024;
/// How much of the arguments a person is shown, in bytes.
const SHOWN: usize = 4096;
/// The name of the question in replies.
const QUESTION: &str = "confirm";

/// The questions whose answers have not come, for clients that repeat the call.
pub(super) struct Questions {
    open: Mutex<HashMap<String, Open>>,
    keys: [RandomState; 2],
}

struct Open {
    /// What is asked.
    call: [u64; 2],
    until: Instant,
}

/// Where a question leads.
pub(super) enum Asked {
    /// To the call, or to its refusal.
    Answer(Answer),
    /// Back to the client.
    Question(InputRequiredResult),
}

impl Questions {
    pub(super) fn new() -> Self {
        Self { open: Mutex::default(), keys: [RandomState::new(), RandomState::new()] }
    }

    /// Asks, if a person must confirm the call and the client can ask one.
    pub(super) async fn ask(
        &self,
        guarded: &Guarded,
        by: &Identity,
        request: &CallToolRequestParams,
        arguments: &str,
        context: &RequestContext<RoleServer>,
    ) -> Asked {
        let unasked = Asked::Answer(Answer::Unasked);
        let can = context.client_capabilities().and_then(|can| can.elicitation);
        if !can.is_some_and(|can| shows_forms(&can)) {
            return unasked;
        }
        let Some((reason, about)) = guarded.to_confirm(by, &request.name).await else { return unasked };
        let question = || {
            ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
                meta: None,
                message: text(&request.name, &about, reason, arguments),
                // To agree is all that is asked for.
                requested_schema: ElicitationSchema::new([].into()),
            })
        };
        if context.protocol_version().is_some_and(|version| version.has_initialize()) {
            return Asked::Answer(asked_now(question(), context).await);
        }
        let call = self.keys.each_ref().map(|key| key.hash_one((by.name(), &*request.name, arguments)));
        match self.answer(call, request) {
            Some(answer) => Asked::Answer(answer),
            None => {
                let token = self.note(call);
                let questions =
                    InputRequests::from([(QUESTION.to_owned(), InputRequest::Elicitation(question()))]);
                Asked::Question(InputRequiredResult::new(Some(questions), Some(token)))
            }
        }
    }

    /// The answer that a repeated call brings, if it was asked for.
    fn answer(&self, call: [u64; 2], request: &CallToolRequestParams) -> Option<Answer> {
        let token = request.request_state.as_ref()?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let question = open.remove(token)?;
        drop(open);
        if question.call != call || question.until < Instant::now() {
            return None;
        }
        let answer = request.input_responses.as_ref()?.get(QUESTION)?;
        Some(match serde_json::from_value(answer.clone()) {
            Ok(answer) => meaning(&answer),
            Err(error) => Answer::No(format!("the client's answer cannot be read: {error}")),
        })
    }

    /// Notes a question, and returns its token.
    fn note(&self, call: [u64; 2]) -> String {
        let now = Instant::now();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= OPEN {
            open.retain(|_, question| question.until >= now);
        }
        if open.len() >= OPEN
            && let Some(oldest) = open.iter().min_by_key(|(_, question)| question.until)
        {
            let oldest = oldest.0.clone();
            open.remove(&oldest);
        }
        // Random keys come from the system, so that no client can guess a token.
        let [a, b] = [RandomState::new(), RandomState::new()].map(|key| key.hash_one(call));
        let token = format!("{a:016x}{b:016x}");
        open.insert(token.clone(), Open { call, until: now + PATIENCE });
        token
    }
}

/// A client that names no mode has forms, as before there were modes.
pub(super) fn shows_forms(can: &ElicitationCapability) -> bool {
    can.form.is_some() || can.url.is_none()
}

/// Asks with a request, and waits for the answer.
async fn asked_now(question: ElicitRequest, context: &RequestContext<RoleServer>) -> Answer {
    let asking = async {
        let request = ServerRequest::ElicitRequest(question);
        let options = PeerRequestOptions::with_timeout(PATIENCE);
        context.peer.send_cancellable_request(request, options).await?.await_response().await
    };
    let answer = tokio::select! {
        answer = asking => answer,
        () = context.ct.cancelled() => return Answer::No("the client cancelled it".to_owned()),
    };
    match answer {
        Ok(ClientResult::ElicitResult(answer)) => meaning(&answer),
        Ok(_) => Answer::No("the client's answer to the question is none".to_owned()),
        Err(error) => {
            let error = shortened(error.to_string(), short::MESSAGE);
            Answer::No(format!("the client did not answer the question: {error}"))
        }
    }
}

fn meaning(answer: &ElicitResult) -> Answer {
    match answer.action {
        ElicitationAction::Accept => Answer::Yes,
        ElicitationAction::Decline => Answer::No("the user declined".to_owned()),
        _ => Answer::No("the user dismissed the question".to_owned()),
    }
}

/// The question. It has everything that the call gets, as far as a person can read it.
fn text(function: &str, about: &str, reason: Reason, arguments: &str) -> String {
    let mut text = format!("Call `{function}`?");
    if !about.is_empty() {
        let _ = write!(text, "\n{}", visible(&shortened(about, short::MESSAGE)));
    }
    text.push_str(match reason {
        Reason::Destructive => "\nIts document says that it cannot be undone.",
        Reason::Named => "\nThe server asks before every call of it.",
    });
    let most = arguments.len().min(SHOWN);
    let end = (0..=most).rfind(|at| arguments.is_char_boundary(*at)).unwrap_or(0);
    let _ = write!(text, "\nArguments: {}", visible(&arguments[..end]));
    if end < arguments.len() {
        let _ = write!(text, "… and {} more bytes that are not shown", arguments.len() - end);
    }
    text
}

/// Characters that could make the text look like another one are escaped as in JSON: those that have no width, change the
/// direction, or begin a line.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        let hides = matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}');
        if hides || character.is_control() && character != '\n' {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn repeated(token: &str, action: &str) -> CallToolRequestParams {
        serde_json::from_value(json!({
            "name": "wipe", "requestState": token, "inputResponses": {"confirm": {"action": action}}
        }))
        .expect("a request")
    }

    #[test]
    fn an_answer_counts_once_and_only_for_what_was_asked() {
        let questions = Questions::new();
        let yes = |token: &str, call| {
            matches!(questions.answer(call, &repeated(token, "accept")), Some(Answer::Yes))
        };
        let token = questions.note([1, 2]);
        assert!(yes(&token, [1, 2]));
        assert!(!yes(&token, [1, 2]), "once");
        let token = questions.note([1, 2]);
        assert!(!yes(&token, [1, 3]), "another call");
        assert!(!yes("0123456789abcdef0123456789abcdef", [1, 2]), "invented");
        let token = questions.note([1, 2]);
        assert!(matches!(questions.answer([1, 2], &repeated(&token, "cancel")), Some(Answer::No(_))));
    }

    #[test]
    fn open_questions_are_limited() {
        let questions = Questions::new();
        let first = questions.note([0, 0]);
        for number in 1..=OPEN as u64 {
            questions.note([number, 0]);
        }
        let open = questions.open.lock().expect("no panic");
        assert_eq!((open.len(), open.contains_key(&first)), (OPEN, false));
    }

    #[test]
    fn a_person_sees_what_is_called() {
        let arguments = json!({"path": "a\n", "b": "\u{202e}\u{200b}é"}).to_string();
        assert_eq!(
            text("wipe", "Deletes.", Reason::Destructive, &arguments),
            "Call `wipe`?\nDeletes.\nIts document says that it cannot be undone.\n\
             Arguments: {\"path\":\"a\\n\",\"b\":\"\\u202e\\u200bé\"}"
        );
        let long = format!("{{\"a\":\"{}\"}}", "é".repeat(5000));
        let shown = text("wipe", "", Reason::Named, &long);
        assert!(
            shown.ends_with("… and 5912 more bytes that are not shown"),
            "{}",
            &shown[shown.len() - 60..]
        );
    }
}
