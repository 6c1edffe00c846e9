//! `opendyn doctor`: what this machine and some documents have, what they lack, and the command that helps.
//!
//! `machine` looks at the machine, `documents` at documents and their libraries; `packages` knows the package managers.
//! Nothing is loaded and no function is called.

mod documents;
mod machine;
mod packages;

use std::fmt;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

pub(crate) use documents::of_document;
pub(crate) use machine::of_machine;

/// One thing that was looked at.
#[derive(Debug)]
pub(crate) struct Finding {
    /// The document, for what concerns one.
    pub(crate) document: Option<String>,
    /// What was looked at: `C compiler`.
    pub(crate) part: &'static str,
    pub(crate) state: State,
    /// What is there, or what is wrong.
    pub(crate) text: String,
    /// What does not work without it.
    pub(crate) without: Option<&'static str>,
    /// A command that helps.
    pub(crate) help: Option<String>,
}

/// How it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Ok,
    /// It is missing, and what was asked about works without it.
    Lacking,
    /// It is missing or wrong, and what was asked about does not work.
    Failed,
}

impl Finding {
    pub(super) fn ok(part: &'static str, text: impl Into<String>) -> Self {
        Self { document: None, part, state: State::Ok, text: text.into(), without: None, help: None }
    }

    pub(super) fn lacking(part: &'static str, text: impl Into<String>, without: &'static str) -> Self {
        Self { state: State::Lacking, without: Some(without), ..Self::ok(part, text) }
    }

    pub(super) fn failed(part: &'static str, text: impl Into<String>) -> Self {
        Self { state: State::Failed, ..Self::ok(part, text) }
    }

    pub(super) fn help(self, help: Option<String>) -> Self {
        Self { help, ..self }
    }

    pub(super) fn of(self, document: &str) -> Self {
        Self { document: Some(document.to_owned()), ..self }
    }

    /// For programs.
    pub(crate) fn object(&self) -> Value {
        let mut object = json!({ "part": self.part, "state": self.state.name(), "text": self.text });
        for (key, value) in [
            ("document", self.document.as_deref()),
            ("without", self.without),
            ("help", self.help.as_deref()),
        ] {
            if let Some(value) = value {
                object[key] = value.into();
            }
        }
        object
    }
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Lacking => "lacking",
            Self::Failed => "failed",
        }
    }

    fn style(self) -> Style {
        let color = match self {
            Self::Ok => AnsiColor::Green,
            Self::Lacking => AnsiColor::Yellow,
            Self::Failed => AnsiColor::Red,
        };
        Style::new().bold().fg_color(Some(color.into()))
    }
}

/// For people: a line, and what to do below it.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (style, name) = (self.state.style(), self.state.name());
        write!(f, "{style}{name:<8}{style:#} {:<12} {}", self.part, self.text)?;
        let indent = " ".repeat(22);
        if let Some(without) = self.without {
            write!(f, "\n{indent}without it: {without}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n{indent}{help}")?;
        }
        Ok(())
    }
}
