//! The JSON values that this module builds. Objects keep the order in which keys are inserted.

pub use serde_json::{Map, Value, json};
