//! What the tests share: C libraries compiled on the spot, goldens, and workspaces for Cargo.

mod golden;
mod native;
mod workspace;

pub use golden::assert_golden;
pub use native::{NativeLibrary, shared_library};
pub use workspace::Workspace;
