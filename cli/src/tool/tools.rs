//! The documents and scripts of a command line, opened as one tool.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opentool::{CallContext, Caller, MapTool, Measure, OpenTool, Tool, ToolError, ToolSet};

use super::reload::Change;
use super::scripts::{Peers, Surroundings};
use super::source::{Read, Shared, Source};
use super::workers::Workers;
use crate::failure::{Failure, Outcome};

/// What a command line asks for.
pub(crate) struct Wanted {
    pub(crate) sources: Vec<Source>,
    pub(crate) surroundings: Surroundings,
    /// Whether functions are prefixed with the name of their document.
    pub(crate) prefix: bool,
    /// Whether changed files are read again.
    pub(crate) watch: bool,
    /// The processes for libraries; `None` if they run in this one.
    pub(crate) workers: Option<Workers>,
}

/// Documents and scripts as one tool. Scripts can call all of it.
pub(crate) struct Tools {
    pub(super) surroundings: Surroundings,
    pub(super) peers: Peers,
    pub(super) prefix: bool,
    pub(super) workers: Option<Workers>,
    pub(super) state: Mutex<State>,
}

pub(super) struct State {
    pub(super) members: Vec<Member>,
    pub(super) current: Arc<Current>,
}

/// One document or script.
pub(super) struct Member {
    pub(super) source: Source,
    pub(super) tool: Shared,
    pub(super) prefix: Option<String>,
    pub(super) is_thread_safe: bool,
    /// `None` if it is not watched.
    pub(super) change: Option<Change>,
}

/// All members together. Calls that run keep it alive after a change.
pub(super) struct Current {
    pub(super) tool: Shared,
    pub(super) document: Option<Arc<OpenTool>>,
    /// The functions that callers are not offered; scripts can call them.
    hidden: HashSet<String>,
}

/// A member of a set: its name for the user, its prefix, and the tool.
pub(super) type Named = (String, Option<String>, Shared);

impl Tools {
    /// Reads everything, and then opens it. Findings are shown.
    pub(crate) fn open(wanted: Wanted) -> Outcome<Self> {
        let Wanted { sources, surroundings, prefix, watch, workers } = wanted;
        let peers = Peers::default();
        // Before they are read: later changes are then found.
        let seen: Vec<_> = sources.iter().map(Source::contents).collect();
        let read = all(sources.iter().map(|source| source.read(&surroundings, &peers)))?;
        let described = sources.iter().zip(&read).map(|(source, read)| described(source, read));
        join(described.collect(), prefix, &Peers::default())?;

        let mut members = Vec::new();
        for ((source, read), contents) in sources.into_iter().zip(read).zip(seen) {
            let (prefix, is_thread_safe) = (read.prefix(), read.is_thread_safe());
            let tool = read.open(workers.as_ref())?;
            let files = source.files();
            let change = (watch && !files.is_empty()).then(|| Change::new(files, contents));
            members.push(Member { source, tool, prefix, is_thread_safe, change });
        }
        let current = Arc::new(Current::of(members.iter().map(Member::named).collect(), prefix, &peers)?);
        Ok(Self { surroundings, peers, prefix, workers, state: Mutex::new(State { members, current }) })
    }

    /// How many calls can run in parallel.
    pub(crate) fn threads(&self) -> usize {
        match &self.lock().members[..] {
            [Member { is_thread_safe: false, .. }] => 1,
            _ => super::threads(),
        }
    }

    /// The processes for libraries; `None` if they run in this one.
    pub(crate) fn workers(&self) -> Option<&Workers> {
        self.workers.as_ref()
    }

    /// The document that describes all functions now. It is another `Arc` after a change.
    pub(crate) fn document(&self) -> Option<Arc<OpenTool>> {
        self.now().document.clone()
    }

    /// Ignores poisoning: a change is complete before it is assigned.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tool for Tools {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.now().offering(name)?.call_into(name, arguments, out)
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        self.now().offering(name)?.call_for(context, name, arguments, out)
    }

    fn leave(&self, caller: &Caller) {
        self.now().tool.leave(caller);
    }

    fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
        let current = Arc::clone(&self.lock().current);
        current.tool.measure(note);
    }

    fn load(&self) -> Option<OpenTool> {
        self.document().map(|document| OpenTool::clone(&document))
    }
}

impl Member {
    pub(super) fn named(&self) -> Named {
        (self.source.name().to_owned(), self.prefix.clone(), Arc::clone(&self.tool))
    }
}

impl Current {
    pub(super) fn of(members: Vec<Named>, prefix: bool, peers: &Peers) -> Outcome<Self> {
        let tool = join(members, prefix, peers)?;
        let document = tool.load().map(Arc::new);
        let hidden = document.as_ref().map(|document| document.hidden()).unwrap_or_default();
        Ok(Self { tool, document, hidden })
    }

    /// The tool for a call of this function by a caller from outside.
    fn offering(&self, name: &str) -> Result<&Shared, ToolError> {
        if self.hidden.contains(name) { Err(ToolError::not_offered(name)) } else { Ok(&self.tool) }
    }
}

/// Reads everything that is wanted, and opens no library. Findings are shown. Returns the titles of the documents and the
/// names of the scripts.
pub(crate) fn readable(wanted: &Wanted) -> Outcome<Vec<String>> {
    let peers = Peers::default();
    let read = all(wanted.sources.iter().map(|source| source.read(&wanted.surroundings, &peers)))?;
    let described = wanted.sources.iter().zip(&read).map(|(source, read)| described(source, read));
    join(described.collect(), wanted.prefix, &Peers::default())?;
    read.iter().try_for_each(Read::has_library)?;
    let title = |(source, read): (&Source, &Read)| match source {
        Source::Script(script) => script.tool.clone(),
        Source::Document { .. } => read.described().unwrap_or_default().info.title,
    };
    Ok(wanted.sources.iter().zip(&read).map(title).collect())
}

/// Continues after findings, so that those of all files are shown.
pub(super) fn all<T>(results: impl Iterator<Item = Outcome<T>>) -> Outcome<Vec<T>> {
    let mut good = Vec::new();
    let mut shown = None;
    for result in results {
        match result {
            Ok(value) => good.push(value),
            Err(failure) if failure.is_shown() => shown = Some(failure),
            Err(failure) => return Err(failure),
        }
    }
    shown.map_or(Ok(good), Err)
}

/// What the member will be, without a library: it has the same functions, which cannot be called.
pub(super) fn described(source: &Source, read: &Read) -> Named {
    let tool = MapTool::new(|_, _| Err(ToolError::Stopping));
    let tool: Shared = match read.described() {
        Some(document) => Arc::new(tool.described_by(document)),
        None => Arc::new(tool),
    };
    (source.name().to_owned(), read.prefix(), tool)
}

/// One tool of all members. Only documents have a prefix.
pub(super) fn join(members: Vec<Named>, prefix: bool, peers: &Peers) -> Outcome<Shared> {
    // A single document keeps its title and version.
    if let [(_, Some(_), tool)] = &members[..]
        && !prefix
    {
        return Ok(Arc::clone(tool));
    }
    let has_documents = members.iter().any(|(_, prefix, _)| prefix.is_some());
    let has_scripts = members.iter().any(|(_, prefix, _)| prefix.is_none());
    let set = members.into_iter().fold(ToolSet::builder(), |set, (name, title, tool)| match title {
        Some(title) if prefix => set.add_prefixed(title, tool),
        _ => set.add(name, tool),
    });
    let set = set.build().map_err(|error| {
        let failure = Failure::fault(format!("these cannot be served together\n{error}"));
        match (prefix || !has_documents, has_scripts) {
            (false, _) => failure.help("`--prefix` prefixes every function with the title of its document"),
            (true, false) => failure,
            (true, true) => failure.help("the tool of a script is named after its file: rename the file"),
        }
    })?;
    let set = Arc::new(set);
    peers.are(&set);
    Ok(set)
}
