//! Documents and scripts that change while they are served. At each call and each list their files are looked at.
//! Changed files without errors replace what was served; otherwise the last good version stays in use.

use std::path::PathBuf;
use std::sync::Arc;

use opentool::OpenTool;
use opentool::export::mcp_tools;

use super::scripts::Peers;
use super::source::{Part, Read, Source};
use super::tools::{Current, Member, Named, State, Tools, join};
use super::watched::{Contents, Watched};
use super::workers::Workers;
use crate::failure::{Failure, Outcome};

/// The files of a member, and how they differ from what is in use.
pub(super) struct Change {
    watched: Watched,
    /// The contents that are in use.
    in_use: Contents,
    /// Whether the files differ from what is in use. A member that was refused is tried again when another one changes:
    /// their names may have clashed.
    is_pending: bool,
    /// Whether the files have findings, which are shown only once.
    is_faulty: bool,
}

impl Change {
    pub(super) fn new(files: Vec<PathBuf>, in_use: Contents) -> Self {
        Self { watched: Watched::new(files), in_use, is_pending: false, is_faulty: false }
    }

    /// Looks at the files, and returns whether there is something new to try.
    fn look(&mut self, name: &str) -> bool {
        if !self.watched.changed() {
            return false;
        }
        let was_pending = self.is_pending;
        self.is_faulty = false;
        self.is_pending = *self.watched.contents() != self.in_use;
        if was_pending && !self.is_pending {
            say(&format!("`{name}` is the version in use again"));
        }
        self.is_pending
    }
}

/// What is to replace a member.
struct Candidate {
    index: usize,
    source: Source,
    read: Read,
}

impl Tools {
    /// All members as their files are now.
    pub(super) fn now(&self) -> Arc<Current> {
        let mut state = self.lock();
        let mut is_new = false;
        for member in &mut state.members {
            if let Some(change) = &mut member.change {
                is_new |= change.look(member.source.name());
            }
        }
        let retired = if is_new { self.replace(&mut state) } else { None };
        let current = Arc::clone(&state.current);
        drop(state);
        // Now that others can go on: this frees handles, which calls the library.
        drop(retired);
        current
    }

    /// Replaces all members that changed, or none. Returns what was in use.
    fn replace(&self, state: &mut State) -> Option<(Arc<Current>, Vec<Part>)> {
        let candidates = self.candidates(&mut state.members);
        if candidates.is_empty() {
            return None;
        }
        let names: Vec<String> = candidates.iter().map(|new| new.source.name().to_owned()).collect();
        match self.opened(&state.members, candidates) {
            Ok((current, opened)) => {
                let retired =
                    opened.into_iter().map(|(index, new)| state.members[index].replace(new)).collect();
                Some((std::mem::replace(&mut state.current, Arc::new(current)), retired))
            }
            Err(failure) => {
                failure.show();
                names.iter().for_each(|name| stays(name));
                None
            }
        }
    }

    /// Reads what is pending. Members with errors stay as they are.
    fn candidates(&self, members: &mut [Member]) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (index, member) in members.iter_mut().enumerate() {
            let change = member.change.as_mut().filter(|change| change.is_pending && !change.is_faulty);
            let Some(change) = change else { continue };
            let source = member.source.with(change.watched.contents());
            let read = source.and_then(|source| Ok((source.read(&self.surroundings, &self.peers)?, source)));
            match read {
                Ok((read, source)) => candidates.push(Candidate { index, source, read }),
                Err(failure) => {
                    change.is_faulty = true;
                    failure.show();
                    stays(member.source.name());
                }
            }
        }
        candidates
    }

    /// Opens the candidates, and joins them with the members that stay.
    fn opened(
        &self,
        members: &[Member],
        candidates: Vec<Candidate>,
    ) -> Outcome<(Current, Vec<(usize, New)>)> {
        let mut all: Vec<Named> = members.iter().map(Member::named).collect();
        for Candidate { index, source, read } in &candidates {
            all[*index] = (source.name().to_owned(), read.described());
        }
        listable(join(all.clone(), self.prefix, &Peers::default())?.load().as_ref())?;

        let mut opened = Vec::new();
        for Candidate { index, source, read } in candidates {
            let new = New::open(source, read, self.workers())?;
            all[index] = (new.source.name().to_owned(), new.part.clone());
            opened.push((index, new));
        }
        Ok((Current::of(all, self.prefix, &self.peers)?, opened))
    }
}

/// The next version of a member.
pub(super) struct New {
    source: Source,
    part: Part,
}

impl New {
    fn open(source: Source, read: Read, workers: Option<&Workers>) -> Outcome<Self> {
        Ok(Self { source, part: read.open(workers)? })
    }
}

impl Member {
    /// Takes the next version, and returns the last one.
    fn replace(&mut self, new: New) -> Part {
        let document = self.part.tool().and_then(|tool| tool.load());
        let has_handles = document.is_some_and(|document| document.has_handles());
        let lost = if has_handles { "; its handles are gone" } else { "" };
        say(&format!("`{}` was read again{lost}", self.source.name()));
        self.source = new.source;
        if let Some(change) = &mut self.change {
            change.in_use.clone_from(change.watched.contents());
            change.is_pending = false;
        }
        std::mem::replace(&mut self.part, new.part)
    }
}

/// MCP does not allow every name; a server that started with such a document would have refused it.
fn listable(document: Option<&OpenTool>) -> Outcome<()> {
    let Some(document) = document else { return Ok(()) };
    mcp_tools(document).map(|_| ()).map_err(|error| Failure::fault(error.to_string()))
}

fn stays(name: &str) {
    say(&format!("the last good version of `{name}` stays in use"));
}

fn say(message: &str) {
    anstream::eprintln!("opendyn: {message}");
}
