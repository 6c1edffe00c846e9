//! What the tests share: C libraries compiled on the spot, and goldens.

mod golden;
mod native;

pub use golden::assert_golden;
pub use native::{NativeLibrary, shared_library};
