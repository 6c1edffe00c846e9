//! The Rust names that names of a document become. Tools that write documents use it to avoid collisions.

use super::identifier;

/// The method of a function; `None` if the name cannot become one.
#[must_use]
pub fn of_function(name: &str) -> Option<String> {
    identifier::for_method(name)
}

/// A parameter, a result or a member of a struct.
#[must_use]
pub fn of_value(name: &str) -> Option<String> {
    identifier::for_value(name)
}

/// The binding itself, by its title: unlike other types it gets no underscore before a digit.
#[must_use]
pub fn of_title(title: &str) -> Option<String> {
    Some(identifier::for_type(title)).filter(|ident| identifier::is_type_name(ident))
}

/// A struct, an enum or a handle.
#[must_use]
pub fn of_type(name: &str) -> Option<String> {
    Some(identifier::with_start(identifier::for_type(name))).filter(|ident| identifier::is_type_name(ident))
}

/// A value of an enum.
#[must_use]
pub fn of_enumerator(name: &str) -> Option<String> {
    Some(super::enumeration::variant_ident(name)).filter(|ident| identifier::is_identifier(ident))
}
