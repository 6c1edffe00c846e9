//! What comments say about functions, members, enumerators, parameters and macros.
//!
//! `clean` removes markers and ornaments, `assign` finds the function that a comment describes, `describe`
//! reads its content. No description is better than a wrong one: licences, headings and remarks about the
//! source are left out.

mod annotation;
mod assign;
mod clean;
mod constants;
mod describe;
mod inner;
mod markup;
mod share;
mod title;

pub(super) use assign::assign;
pub(super) use clean::{is_documentation, points_back, short, without_number};
pub(super) use constants::of_constants;
pub(super) use describe::{Described, describe};
pub(super) use inner::name_parameters;
