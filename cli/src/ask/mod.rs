//! Questions to a person: those of an import, one key each, and whether to do something. What is shown goes to stderr,
//! because the document may go to stdout.

mod agrees;
mod keys;
mod show;

use std::path::Path;

use opendyn_inspect::import::{Answers, Group, Interview};

use crate::failure::{Failure, Outcome};
use crate::output;
pub(crate) use agrees::agrees;
use keys::Keys;

/// The answers in the file at `path`; none if it may be missing and is.
pub(crate) fn read(path: &Path, may_be_missing: bool) -> Outcome<Answers> {
    let shown = path.display();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && may_be_missing => {
            return Ok(Answers::default());
        }
        Err(error) => return Err(Failure::new(format!("cannot read `{shown}`: {error}"))),
    };
    Answers::parse(&text).map_err(|error| {
        Failure::fault(format!("`{shown}` is not a file of answers: {error}"))
            .help("`opendyn import --ask` writes such files")
    })
}

/// Says which answers of the file are in the document, and which are not.
pub(crate) fn report(interview: &Interview, path: &Path) {
    let (taken, waiting) = (interview.taken(), interview.waiting());
    let noun = if taken == 1 { "answer" } else { "answers" };
    let unused = interview.stale().len() + waiting.len();
    anstream::eprintln!("{}: {taken} {noun} applied, {unused} not", path.display());
    for answer in interview.stale().iter().chain(&waiting) {
        anstream::eprintln!("  not applied: `{}`: {}", answer.place, answer.reason);
    }
}

/// Asks until nothing is left or the person stops. Every answer is in the file before the next question.
pub(crate) fn ask(interview: &mut Interview, path: &Path) -> Outcome<()> {
    let before = interview.callable();
    let mut keys = Keys::open();
    let mut again: Option<Group> = None;
    while let Some(group) = again.take().or_else(|| interview.next()) {
        show::question(interview, &group);
        match one(interview, &group, &mut keys)? {
            Next::Changed => write(interview, path)?,
            Next::Ask(group) => again = Some(group),
            Next::Undone(group) => {
                write(interview, path)?;
                again = Some(group);
            }
            Next::Other => {}
            Next::Stop => break,
        }
    }
    show::end(interview, &before);
    Ok(())
}

/// What follows a key.
enum Next {
    /// An answer was taken.
    Changed,
    /// This question is asked now.
    Ask(Group),
    /// Something was taken back, and is asked again.
    Undone(Group),
    /// The next question.
    Other,
    Stop,
}

/// Reads keys until one decides what to do with a question.
fn one(interview: &mut Interview, group: &Group, keys: &mut Keys) -> Outcome<Next> {
    loop {
        show::prompt(group);
        let key = keys.next().map_err(|error| Failure::new(format!("cannot read the answer: {error}")))?;
        let Some(key) = key else { return Ok(Next::Stop) };
        match key.as_str() {
            "q" => return Ok(Next::Stop),
            "s" => {
                interview.skip(group);
                return Ok(Next::Other);
            }
            "o" if group.size() > 1 => return Ok(Next::Ask(interview.first_of(group))),
            "u" => match interview.undo() {
                Some(group) => return Ok(Next::Undone(group)),
                None => anstream::eprintln!("  nothing to take back"),
            },
            "?" => show::details(interview, group),
            key => match number(key) {
                Some(index) if index < group.labels.len() => match interview.answer(group, index) {
                    Ok(()) => {
                        show::waiting(interview, group);
                        return Ok(Next::Changed);
                    }
                    Err(reason) => {
                        anstream::eprintln!("  not taken, because the document would have an error: {reason}")
                    }
                },
                _ => anstream::eprintln!("  `{}` is no answer to this question", key.escape_debug()),
            },
        }
    }
}

/// The index of an answer, from its number.
fn number(key: &str) -> Option<usize> {
    match key.as_bytes() {
        [digit @ b'1'..=b'9'] => Some(usize::from(digit - b'1')),
        _ => None,
    }
}

fn write(interview: &Interview, path: &Path) -> Outcome<()> {
    output::replace(path, &interview.answers().text())
}
