//! The calls and replies of a workflow: for people on stderr, and whole in a file.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anstyle::Style;
use opendyn_source::short::shortened;
use opentool::{Map, Value};
use opentool_workflow::Event;

use crate::failure::{Failure, Outcome};

/// The number of characters that people are shown of arguments and of results.
const SHOWN: usize = 400;

const BOLD: Style = Style::new().bold();
const DIMMED: Style = Style::new().dimmed();

/// Who sees what happens.
pub(crate) struct Shown {
    /// Whether stderr shows nothing.
    pub(crate) quiet: bool,
    /// The file for all events, a line of JSON each.
    pub(crate) log: Option<PathBuf>,
}

/// Shows events as they happen.
pub(super) struct Trace {
    quiet: bool,
    log: Option<(File, PathBuf)>,
    /// Why the log is not complete.
    failed: Option<Failure>,
}

impl Shown {
    /// Begins a new log, if there is to be one.
    pub(super) fn begin(self) -> Outcome<Trace> {
        let open = |path: PathBuf| match File::create(&path) {
            Ok(file) => Ok((file, path)),
            Err(error) => Err(unwritten(&path, &error)),
        };
        let log = self.log.map(open).transpose()?;
        Ok(Trace { quiet: self.quiet, log, failed: None })
    }
}

impl Trace {
    pub(super) fn show(&mut self, event: &Event) {
        if !self.quiet {
            match event {
                Event::Call { step, function, arguments } => {
                    anstream::eprintln!("{BOLD}{step}{BOLD:#}: {function} {}", brief(arguments));
                }
                Event::Reply { results, .. } => {
                    anstream::eprintln!("{DIMMED}  {}{DIMMED:#}", brief(results));
                }
                // What the command says at its end.
                _ => {}
            }
        }
        let Some((file, path)) = &mut self.log else { return };
        let written = serde_json::to_vec(event).map_err(std::io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            file.write_all(&line)
        });
        if let Err(error) = written {
            self.failed.get_or_insert(unwritten(path, &error));
        }
    }

    /// Fails if the log lacks something.
    pub(super) fn end(self) -> Outcome<()> {
        self.failed.map_or(Ok(()), Err)
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot write the log `{}`: {error}", path.display()))
}

fn brief(values: &Map<String, Value>) -> String {
    shortened(serde_json::to_string(values).unwrap_or_default(), SHOWN)
}
