//! What comments say of functions, members, enumerators, parameters and macros.
//!
//! `clean` takes the signs and ornaments off a comment, `assign` finds the function that it is about,
//! `describe` reads what it says. Better no description than a wrong one: licences, headings and
//! remarks about the source are left out.

mod assign;
mod clean;
mod constants;
mod describe;
mod markup;
mod share;
mod title;

pub(super) use assign::assign;
pub(super) use clean::{is_documentation, points_back, short, without_number};
pub(super) use constants::of_constants;
pub(super) use describe::{Described, describe};
