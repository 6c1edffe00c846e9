//! Why a command could not do its work.

use std::fmt;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

/// A message, and what to do about it. The exit status is 2, or 1 where what was looked at is at fault.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    help: Option<String>,
    status: u8,
}

/// What every command ends with.
pub(crate) type Outcome<T = ExitCode> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, status: 2 }
    }

    /// The same for what is wrong with what the command was given to look at.
    pub(crate) fn fault(message: impl Into<String>) -> Self {
        Self { status: 1, ..Self::new(message) }
    }

    /// What the process ends with.
    pub(crate) fn status(&self) -> ExitCode {
        ExitCode::from(self.status)
    }

    /// Says what to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what to do about it, if that is known.
    pub(crate) fn maybe_help(self, help: Option<String>) -> Self {
        Self { help, ..self }
    }

    /// Writes it to stderr, in colours where that is a terminal.
    pub(crate) fn show(&self) {
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
