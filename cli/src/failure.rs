//! Why a command failed.

use std::fmt;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

/// A message, and how to fix the problem. The exit status is 2, or 1 if the input is at fault.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    help: Option<String>,
    status: u8,
}

/// The result of every command.
pub(crate) type Outcome<T = ExitCode> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, status: 2 }
    }

    /// A failure because of the input.
    pub(crate) fn fault(message: impl Into<String>) -> Self {
        Self { status: 1, ..Self::new(message) }
    }

    /// A failure because of the input, whose findings are already shown.
    pub(crate) fn shown() -> Self {
        Self::fault("")
    }

    /// Whether all that is wrong is already shown.
    pub(crate) fn is_shown(&self) -> bool {
        self.message.is_empty()
    }

    /// The exit status of the process.
    pub(crate) fn status(&self) -> ExitCode {
        ExitCode::from(self.status)
    }

    /// Adds how to fix the problem.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds how to fix the problem, if known.
    pub(crate) fn maybe_help(self, help: Option<String>) -> Self {
        Self { help, ..self }
    }

    /// How to fix the problem, if known: a worker tells it to its server.
    pub(crate) fn helps(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Writes it to stderr, in colour on a terminal.
    pub(crate) fn show(&self) {
        if self.is_shown() {
            return;
        }
        let error = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        anstream::eprintln!("{error}error{error:#}: {}", self.message);
        if let Some(help) = &self.help {
            anstream::eprintln!("  help: {help}");
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
