//! Bundles for shelves: a document with all that serves it in one file, or an entry that says where such a file is.
//!
//! `contents` is what goes in, `zip` the archive; `mcpb` (MCP bundles), `ots` (the OpenTool daemon) and `registry`
//! (`server.json` of the MCP registry) are the forms.

mod contents;
mod info;
mod mcpb;
mod ots;
mod registry;
mod zip;

pub(crate) use contents::Contents;
pub(crate) use mcpb::mcpb;
pub(crate) use ots::ots;
pub(crate) use registry::{Entry, entry};
