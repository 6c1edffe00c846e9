//! Code that the tests share: C libraries that are compiled on demand, calls through JSON, goldens, workspaces for
//! Cargo, and the compiler's messages in them.

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
