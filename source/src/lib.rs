//! The text of a document, and the findings in it: shared by OpenDyn, OpenTool and OpenWorkflow documents and
//! Python scripts.
//!
//! | what | where |
//! |---|---|
//! | JSON as a tree in which every key and value has its place | [`json`] |
//! | an object of it, read field by field | [`mod@object`] |
//! | places, and their lines and columns | [`span`] |
//! | the table of rules of one kind of document | [`rules!`], [`Rule`], [`Severity`] |
//! | findings while a text is read | [`Findings`] |
//! | findings afterwards: sorted, with lines and excerpts | [`Report`], [`Finding`], [`Excerpt`] |
//! | parts of messages | [`nearest`], [`short`], [`below_each_other`], [`counts`] |
//!
//! Each kind of document only defines its rules:
//!
//! ```
//! opendyn_source::rules! {
//!     /// A rule of shopping lists.
//!     pub enum Rule shown Full {
//!         NoMilk "S001" Error "There is milk."
//!     }
//! }
//!
//! let text = "eggs\nbread";
//! let findings = opendyn_source::Findings::new();
//! let place = opendyn_source::span::Span { start: 5, end: 10 };
//! findings.report(Rule::NoMilk, place, "the list has no milk", "add `milk`");
//! assert_eq!(
//!     findings.finish("list.txt", text).to_string(),
//!     "list.txt:2:1: error[S001]: the list has no milk\n   2 | bread\n     | ^^^^^\n  help: add `milk`\n\n1 error, 0 warnings",
//! );
//! ```

#![forbid(unsafe_code)]

mod excerpt;
mod finding;
mod findings;
pub mod json;
pub mod nearest;
pub mod object;
mod report;
mod rule;
pub mod short;
pub mod span;

pub use excerpt::Excerpt;
pub use finding::Finding;
pub use findings::Findings;
pub use report::{Report, below_each_other, counts};
pub use rule::{Form, Rule, Severity};
