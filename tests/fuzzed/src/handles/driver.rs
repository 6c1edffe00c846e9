//! Chooses calls, makes them, and keeps the handles that they return.

use opendyn::{Session, Tool, ToolError};
use opendyn_interpreter::Interpreted;
use serde_json::{Map, Value, json};

use super::Tally;
use super::choices::Choices;
use super::files::Files;
use super::library::{Function, Kind, Library};
use super::{sql, values};

/// How many texts of earlier results are kept.
const SEEN: usize = 8;

pub struct Driver {
    library: &'static Library,
    sessions: [Session<&'static Interpreted>; 2],
    handles: Vec<Handle>,
    seen: Vec<String>,
    files: Files,
    tally: Tally,
    /// Whether each call is printed: `OPENDYN_FUZZ_TRACE`.
    is_traced: bool,
}

struct Handle {
    token: String,
    kind: String,
    session: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Live,
    Freed,
    /// A function that frees it failed in C.
    Unknown,
}

impl Driver {
    pub fn new(library: &'static Library) -> Self {
        Self {
            library,
            sessions: [Session::new(&library.opened), Session::new(&library.opened)],
            handles: Vec::new(),
            seen: Vec::new(),
            files: Files::new(),
            tally: Tally::default(),
            is_traced: std::env::var_os("OPENDYN_FUZZ_TRACE").is_some(),
        }
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Frees all handles.
    pub fn end(self) -> Tally {
        self.tally
    }

    /// One call, and before it those that get the handles which it needs.
    pub fn step(&mut self, choices: &mut Choices<'_>) {
        let index = choices.below(self.library.functions.len());
        let session = usize::from(choices.rarely(8));
        self.call(index, session, choices, 0);
    }

    fn call(&mut self, index: usize, session: usize, choices: &mut Choices<'_>, depth: usize) {
        let function = &self.library.functions[index];
        let mut arguments = Map::new();
        let (mut used, mut must_fail) = (None, false);
        for parameter in &function.parameters {
            let is_given = if parameter.is_required { !choices.rarely(128) } else { choices.rarely(4) };
            if !is_given {
                continue;
            }
            if choices.rarely(128) {
                arguments.insert(parameter.name.clone(), values::misfit(choices));
                continue;
            }
            let name = parameter.name.as_str();
            let value = match &parameter.kind {
                Kind::Handle(kind) => match self.handle(kind, session, choices, depth) {
                    Some(at) => {
                        let handle = &self.handles[at];
                        must_fail |=
                            handle.state == State::Freed || handle.session != session || handle.kind != *kind;
                        used.get_or_insert(at);
                        json!(handle.token)
                    }
                    None => json!("none"),
                },
                Kind::OneOf(all) if !choices.rarely(64) => choices.one_of(all).clone(),
                Kind::OneOf(_) | Kind::Integer => values::integer(name, choices),
                Kind::Boolean => json!(choices.byte() % 2 == 1),
                Kind::Number => values::number(choices),
                Kind::Text => values::text(name, choices, &self.seen, &mut self.files),
            };
            arguments.insert(parameter.name.clone(), value);
        }
        let result = self.make(function, &arguments, session);
        assert!(
            !must_fail || matches!(result, Err(ToolError::InvalidArguments { .. })),
            "{} {arguments:?} has a handle that must be refused: {result:?}",
            function.name
        );
        self.tally.refused += u64::from(must_fail);
        self.note_end(function, used, &result);
        if let Ok(reply) = result {
            self.keep(function, &reply, session, choices);
        }
    }

    fn make(
        &mut self,
        function: &Function,
        arguments: &Map<String, Value>,
        session: usize,
    ) -> Result<Value, ToolError> {
        self.tally.calls += 1;
        let text = Value::from(arguments.clone()).to_string();
        if self.is_traced {
            eprintln!("{session} {} {text}", function.name);
        }
        let reply = self.sessions[session].call_json(&function.name, &text);
        if let Err(error) = &reply {
            let error = error.to_string();
            assert!(!error.contains("past the end"), "{} {arguments:?}: {error}", function.name);
        }
        let reply: Value = serde_json::from_str(&reply?).expect("a reply is JSON");
        for name in &function.results {
            assert!(reply.get(name).is_some(), "{} {arguments:?}: {reply} has no {name}", function.name);
        }
        self.tally.succeeded += 1;
        self.tally.functions.insert(function.name.clone());
        Ok(reply)
    }

    /// A handle of this type, mostly a live one of this session, which is created if there is none.
    fn handle(
        &mut self,
        kind: &str,
        session: usize,
        choices: &mut Choices<'_>,
        depth: usize,
    ) -> Option<usize> {
        if choices.rarely(16) && !self.handles.is_empty() {
            return Some(choices.below(self.handles.len()));
        }
        let fits = |it: &Handle| it.kind == kind && it.session == session && it.state == State::Live;
        let fitting = |handles: &[Handle]| -> Vec<usize> {
            (0..handles.len()).filter(|at| fits(&handles[*at])).collect()
        };
        let mut found = fitting(&self.handles);
        if (found.is_empty() || found.len() < 4 && choices.rarely(8)) && depth < 4 {
            let creators = self.library.creators.get(kind)?;
            self.call(*choices.one_of(creators), session, choices, depth + 1);
            found = fitting(&self.handles);
        }
        (!found.is_empty()).then(|| *choices.one_of(&found))
    }

    /// Whether the call freed the handle that it was given.
    fn note_end(&mut self, function: &Function, used: Option<usize>, result: &Result<Value, ToolError>) {
        let Some(at) = used.filter(|_| self.library.ends.contains(&function.name)) else { return };
        match result {
            Ok(_) => self.handles[at].state = State::Freed,
            Err(ToolError::InvalidArguments { .. }) => {}
            Err(_) => self.handles[at].state = State::Unknown,
        }
    }

    fn keep(&mut self, function: &Function, reply: &Value, session: usize, choices: &mut Choices<'_>) {
        for (name, kind) in &function.gives {
            let Some(token) = reply[name].as_str() else { continue };
            if let Some(known) = self.handles.iter().find(|it| it.token == token) {
                assert!(known.state != State::Freed, "{token} was freed, and is given out again");
                continue;
            }
            let (token, kind) = (token.to_owned(), kind.clone());
            let is_database = kind == "sqlite3";
            self.handles.push(Handle { token: token.clone(), kind, session, state: State::Live });
            if is_database && !choices.rarely(8) {
                let exec = self.library.functions.iter().find(|it| it.name == "sqlite3_exec");
                let arguments = json!({"db": token, "sql": sql::SETUP});
                let _ = self.make(
                    exec.expect("it is in the document"),
                    arguments.as_object().expect("it is an object"),
                    session,
                );
            }
        }
        for text in reply.as_object().into_iter().flat_map(Map::values).filter_map(Value::as_str) {
            if self.seen.len() == SEEN {
                self.seen.remove(0);
            }
            self.seen.push(text.chars().take(4096).collect());
        }
    }
}
