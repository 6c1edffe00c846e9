//! `opendyn init`: the names of the files that it writes, the questions that stay open, and the commands that come next.

mod names;
mod next;
mod open;

pub(crate) use names::Names;
pub(crate) use next::{Next, quoted};
pub(crate) use open::show as show_open;
