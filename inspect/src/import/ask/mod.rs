//! The questions of a document, asked one by one, and the answers, kept in a file.
//!
//! `asked` is one question at its place; `answers` the file; `interview` puts the questions in groups and in order, and
//! takes the answers that `fit`; `apply` writes them into the document, and `callable` says what can be called then.

mod answers;
mod apply;
mod asked;
mod callable;
mod fit;
mod interview;

pub use answers::{Answers, AnswersError, Stale};
pub use asked::Asked;
pub(super) use asked::{At, declaration};
pub use interview::{Group, Interview};
