//! Why a command could not do its work.

use std::fmt;

use anstyle::{AnsiColor, Style};

/// A message, and what to do about it. The exit status is then 2.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    help: Option<String>,
}

/// What every command ends with.
pub(crate) type Outcome<T = std::process::ExitCode> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    /// Says what to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
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
