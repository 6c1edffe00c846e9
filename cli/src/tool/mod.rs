//! Documents, scripts and workflows as tools, for `call`, `run`, `serve` and `mcp`.
//!
//! | step | module | what it does |
//! |---|---|---|
//! | read | `read`, `source` | a document or script without errors; findings are shown |
//! | open | `library`, `opened`, `scripts` | its library, or the processes of a script |
//! | isolate | `workers`, `worker` | the library in a process of its own: how many there are, and what such a process does |
//! | restrict | `sandbox` | what such a process, and that of a script, may do, and what the server says of it |
//! | join | `tools`, `flows` | everything on the command line as one tool |
//! | change | `watched`, `reload` | changed files are read again, or the last good version stays |
//! | call | `streams`, `call`, `batch`, `pretty`, `listing` | one call, one per line, or a list |
//! | run | `run`, `trace` | a workflow, and its calls and replies |
//! | suggest | `example`, `first` | calls to try, and a first one for `init` |
//! | serve | `serve`, `announce` | OpenTool and MCP over HTTP, MCP over the standard streams |

mod announce;
mod batch;
mod call;
mod example;
mod first;
mod flows;
mod library;
mod listing;
mod opened;
mod pretty;
mod read;
mod reload;
mod run;
mod sandbox;
mod scripts;
mod serve;
mod source;
pub(crate) mod streams;
mod tools;
mod trace;
mod watched;
mod worker;
mod workers;

pub(crate) use batch::batch;
pub(crate) use call::{call, checked};
pub(crate) use first::{Confined, First, first};
pub(crate) use flows::{Flow, is_workflow};
pub(crate) use library::{libraries, located};
pub(crate) use listing::listing;
pub(crate) use opened::open;
#[cfg(unix)]
pub(crate) use opened::open_guarded;
pub(crate) use read::document as read;
pub(crate) use run::{Asked, check as check_workflow, run};
#[cfg(unix)]
pub(crate) use sandbox::{VARIABLE as SANDBOX, become_program};
pub(crate) use scripts::{KEY, Surroundings};
pub(crate) use serve::{Guard, Listen, http, mcp};
pub(crate) use source::Source;
pub(crate) use tools::{Tools, Wanted, readable};
pub(crate) use trace::Shown;
pub(crate) use worker::{NAME as WORKER, serve as serve_worker};
pub(crate) use workers::Workers;

/// How many calls run in parallel.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).max(2)
}
