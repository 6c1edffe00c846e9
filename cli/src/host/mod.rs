//! Hosts: programs that call and serve the functions of documents, and Python scripts beside them, generated
//! into a cache, compiled once, and run. `call`, `serve` and `mcp` come here, `cache` looks at what is there.
//!
//! | step | module | what it does |
//! |---|---|---|
//! | where | `cache` | the folder, what is in it, its lock |
//! | which | `fingerprint`, `source` | the key of a host: documents, role, version, target, our own sources |
//! | whether | `sound` | the documents without faults, their names without clashes |
//! | what | `project` | the files of the host's crate |
//! | how | `cargo`, `progress` | dependencies, then a build with a bar |
//! | run | `launch` | the host in place of this process |
//!
//! The second start of a host reads its documents, computes the key, and runs the program.

mod cache;
mod cargo;
mod fingerprint;
mod launch;
mod library;
mod listing;
mod progress;
mod project;
mod sound;
mod source;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::document::Document;
use crate::failure::Outcome;
use crate::script::Script;

pub(crate) use cache::Cache;
pub(crate) use launch::{Launch, OWN_KEY};
pub(crate) use library::{libraries, located};
pub(crate) use listing::{listing, listing_of_script};

use fingerprint::Fingerprint;
use source::Source;

/// How much a host can do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostRole {
    /// Calls. It has few dependencies, and compiles in a fraction of the time.
    Call,
    /// Calls, and serves clients of OpenTool and of MCP.
    Serve,
}

impl HostRole {
    fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Serve => "serve",
        }
    }

    /// The features of `opendyn` that it needs.
    fn features(self, scripts: bool) -> &'static [&'static str] {
        match (self, scripts) {
            (Self::Call, false) => &["host"],
            (Self::Call, true) => &["host", "python"],
            (Self::Serve, false) => &["host", "mcp", "server"],
            (Self::Serve, true) => &["host", "mcp", "python", "server"],
        }
    }
}

/// What a host is asked for.
pub(crate) struct Wanted<'d> {
    pub(crate) role: HostRole,
    pub(crate) documents: &'d [Document],
    /// The library of each document, where it is not to be its own.
    pub(crate) libraries: &'d [Option<PathBuf>],
    /// They are read where they are, each time: a host only has to be one that runs scripts.
    pub(crate) scripts: &'d [Script],
    /// The folders where scripts find modules.
    pub(crate) modules: &'d [PathBuf],
    /// The environment variables that scripts see beside a few.
    pub(crate) environment: &'d [String],
    /// Whether functions get the names of their documents in front.
    pub(crate) prefix: bool,
    /// The function that is to be called.
    pub(crate) function: Option<&'d str>,
}

/// The program of a host, compiled if it is not there yet; or the exit status, where the documents are at
/// fault and all that is wrong with them has been said.
pub(crate) fn ready(wanted: &Wanted<'_>) -> Outcome<Result<PathBuf, ExitCode>> {
    let cache = Cache::find()?;
    let source = Source::find()?;
    let key = |role: HostRole| {
        Fingerprint::of(role, !wanted.scripts.is_empty(), wanted.documents, &source).to_string()
    };
    // Who can serve can call.
    let roles: &[HostRole] = match wanted.role {
        HostRole::Call => &[HostRole::Serve, HostRole::Call],
        HostRole::Serve => &[HostRole::Serve],
    };
    for role in roles {
        let program = cache.program(&key(*role));
        if program.is_file() {
            return Ok(Ok(program));
        }
    }
    let Some(bindings) = sound::bindings(wanted)? else { return Ok(Err(ExitCode::from(1))) };
    let project = project::Project::new(wanted, &source, &bindings)?;
    let key = key(wanted.role);
    let toolchain = cargo::Toolchain::find()?;
    let _lock = cache.lock()?;
    let program = cache.program(&key);
    // Another start may have compiled it while this one waited.
    if !program.is_file() {
        let folder = cache.create(&key)?;
        project.write(&folder)?;
        toolchain.build(&project, &cache, &key)?;
    }
    Ok(Ok(program))
}
