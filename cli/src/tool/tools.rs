//! The documents, scripts and workflows of a command line, opened as one tool.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opentool::{CallContext, Caller, Measure, OpenTool, Tool, ToolError, ToolSet};

use super::flows;
use super::reload::Change;
use super::sandbox::Said;
use super::scripts::{Peers, Surroundings};
use super::source::{Part, Read, Shared, Source};
use super::watched::Contents;
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

/// Documents, scripts and workflows as one tool. Scripts and workflows can call all documents and scripts.
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

/// One document, script or workflow.
pub(super) struct Member {
    pub(super) source: Source,
    pub(super) part: Part,
    /// `None` if it is not watched.
    pub(super) change: Option<Change>,
}

/// All members together. Calls that run keep it alive after a change.
pub(super) struct Current {
    pub(super) tool: Shared,
    pub(super) document: Option<Arc<OpenTool>>,
    /// The functions that callers are not offered; scripts and workflows can call them.
    hidden: HashSet<String>,
}

/// A member of a set: its name for the user, and what it is.
pub(super) type Named = (String, Part);

/// What a command line asks for, read and without errors. No library is open.
pub(crate) struct Ready {
    wanted: Wanted,
    peers: Peers,
    seen: Vec<Contents>,
    read: Vec<Read>,
    document: Option<OpenTool>,
}

impl Ready {
    /// Reads everything. Findings are shown.
    pub(crate) fn read(wanted: Wanted) -> Outcome<Self> {
        let peers = Peers::default();
        // Before they are read: later changes are then found.
        let seen = wanted.sources.iter().map(Source::contents).collect();
        let read = all(wanted.sources.iter().map(|source| source.read(&wanted.surroundings, &peers)))?;
        let described = wanted.sources.iter().zip(&read);
        let described = described.map(|(source, read)| (source.name().to_owned(), read.described()));
        let document = join(described.collect(), wanted.prefix, &Peers::default())?.load();
        Ok(Self { wanted, peers, seen, read, document })
    }

    /// The functions that there will be.
    pub(crate) fn document(&self) -> Option<&OpenTool> {
        self.document.as_ref()
    }

    /// What libraries and scripts will be allowed.
    pub(super) fn sandbox(&self) -> Said {
        Said::of(&self.wanted)
    }

    /// Fails if nothing says which library a document describes.
    pub(crate) fn has_libraries(&self) -> Outcome<()> {
        self.read.iter().try_for_each(Read::has_library)
    }

    /// The titles of the documents, and the names of the tools of scripts and workflows.
    fn titles(&self) -> Vec<String> {
        self.wanted.sources.iter().zip(&self.read).map(|(source, read)| read.title(source)).collect()
    }

    /// Opens the libraries.
    pub(crate) fn open(self) -> Outcome<Tools> {
        let Self { wanted, peers, seen, read, .. } = self;
        let Wanted { sources, surroundings, prefix, watch, workers } = wanted;
        let mut members = Vec::new();
        for ((source, read), contents) in sources.into_iter().zip(read).zip(seen) {
            let part = read.open(workers.as_ref())?;
            let files = source.files();
            let change = (watch && !files.is_empty()).then(|| Change::new(files, contents));
            members.push(Member { source, part, change });
        }
        let current = Arc::new(Current::of(members.iter().map(Member::named).collect(), prefix, &peers)?);
        Ok(Tools { surroundings, peers, prefix, workers, state: Mutex::new(State { members, current }) })
    }
}

impl Tools {
    /// Reads everything, and then opens it. Findings are shown.
    pub(crate) fn open(wanted: Wanted) -> Outcome<Self> {
        Ready::read(wanted)?.open()
    }

    /// How many calls can run in parallel.
    pub(crate) fn threads(&self) -> usize {
        match &self.lock().members[..] {
            [member] if !member.part.is_thread_safe() => 1,
            _ => super::threads(),
        }
    }

    /// All functions as they are now, with those that callers are not offered.
    pub(super) fn everything(&self) -> Shared {
        Arc::clone(&self.now().tool)
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
        (self.source.name().to_owned(), self.part.clone())
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
pub(crate) fn readable(wanted: Wanted) -> Outcome<Vec<String>> {
    let ready = Ready::read(wanted)?;
    ready.has_libraries()?;
    Ok(ready.titles())
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

/// One tool of all members. Only documents have a prefix. Workflows are checked against the others. Findings are shown.
pub(super) fn join(members: Vec<Named>, prefix: bool, peers: &Peers) -> Outcome<Shared> {
    let (flows, tools): (Vec<_>, Vec<_>) =
        members.into_iter().partition(|(_, part)| matches!(part, Part::Workflow(_)));
    let base = joined(&tools, Vec::new(), prefix, peers)?;
    if flows.is_empty() {
        return Ok(base);
    }
    let flows = all(flows.into_iter().map(|(name, part)| match part {
        Part::Workflow(flow) => Ok((name, flows::over(&flow, &base)?)),
        Part::Document { tool, .. } | Part::Script(tool) => Ok((name, tool)),
    }))?;
    joined(&tools, flows, prefix, &Peers::default())
}

/// One tool of documents and scripts, and of the tools of workflows.
fn joined(tools: &[Named], flows: Vec<(String, Shared)>, prefix: bool, peers: &Peers) -> Outcome<Shared> {
    // A single document keeps its title and version.
    if let ([(_, Part::Document { tool, .. })], []) = (tools, &flows[..])
        && !prefix
    {
        return Ok(Arc::clone(tool));
    }
    let is_document = |(_, part): &&Named| matches!(part, Part::Document { .. });
    let documents = tools.iter().filter(is_document).count();
    let has_files = documents < tools.len() || !flows.is_empty();
    let set = tools.iter().fold(ToolSet::builder(), |set, (name, part)| match part {
        Part::Document { prefix: title, tool, .. } if prefix => set.add_prefixed(title, Arc::clone(tool)),
        Part::Document { tool, .. } | Part::Script(tool) => set.add(name, Arc::clone(tool)),
        Part::Workflow(_) => set,
    });
    let set = flows.into_iter().fold(set, |set, (name, tool)| set.add(name, tool));
    let set = set.build().map_err(|error| {
        let failure = Failure::fault(format!("these cannot be served together\n{error}"));
        match (prefix || documents == 0, has_files) {
            (false, _) => failure.help("`--prefix` prefixes every function with the title of its document"),
            (true, false) => failure,
            (true, true) => {
                failure.help("the tool of a script or workflow is named after its file: rename the file")
            }
        }
    })?;
    let set = Arc::new(set);
    peers.are(&set);
    Ok(set)
}
