//! What the tests share: C libraries compiled on the spot, calls through JSON, goldens, and workspaces for Cargo.

mod answer;
mod golden;
mod native;
mod workspace;

pub use answer::{answer, assert_all_tested, assert_answers, assert_failed, assert_refused, described};
pub use golden::assert_golden;
pub use native::{NativeLibrary, shared_library};
pub use workspace::{Workspace, root};
