//! Shared by the tests: documents, C libraries compiled on the spot, calls through JSON, compiled and interpreted, goldens,
//! workspaces for Cargo, and the compiler's messages about them.

mod answer;
mod documents;
mod golden;
mod messages;
mod native;
mod twin;
mod workspace;

pub use answer::{
    answer, assert_all_tested, assert_answers, assert_failed, assert_refused, described, packed,
};
pub use documents::{Document, documents};
pub use golden::assert_golden;
pub use messages::messages;
pub use native::{NativeLibrary, TwinLibrary, shared_library};
pub use twin::{Answer, Compiled, Difference, Twin, equal};
pub use workspace::{Workspace, root};
