//! What the tests of Python tools share. They are a crate of their own, because its build script
//! looks for Python, and `opentool` itself must build without.

mod folder;
#[path = "../../../../tests/src/golden.rs"]
mod golden;

pub use folder::Folder;
pub use golden::assert_golden;
