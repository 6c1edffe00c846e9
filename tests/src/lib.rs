//! What the tests share: C libraries compiled on the spot, calls through JSON, goldens, workspaces for Cargo, and what
//! the compiler says in them.

mod answer;
mod golden;
mod messages;
mod native;
mod workspace;

pub use answer::{answer, assert_all_tested, assert_answers, assert_failed, assert_refused, described};
pub use golden::assert_golden;
pub use messages::messages;
pub use native::{NativeLibrary, shared_library};
pub use workspace::{Workspace, root};
