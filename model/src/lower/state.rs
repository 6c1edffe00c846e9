//! States: memory that the caller allocates and C uses from the call that begins it to the one that ends it.

use super::schema::Resolved;
use super::site::Site;
use crate::document::Keys;
use crate::plan::End;
use crate::rule::Rule;

impl Resolved<'_> {
    /// Whether it is a struct with the members that `properties` list.
    pub(super) fn has_members(&self) -> bool {
        self.schema.properties.is_some() && !self.is_state()
    }

    /// Whether `properties` are the first members of a state, not those of a struct that callers pass.
    pub(super) fn is_state(&self) -> bool {
        self.schema.size.is_some() && self.schema.state.is_some_and(|state| state.value)
    }
}

/// Whether C uses the memory of a state that begins after its end; `None` if what the document says of its end is wrong.
pub(super) fn lasts(end: End, schema: &Resolved<'_>, keys: &Keys, site: &Site<'_>) -> Option<bool> {
    let findings = site.findings();
    let Some(free) = &keys.free else {
        findings.report(
            Rule::UnknownEnd,
            schema.schema.size.as_ref().map_or(schema.c_type_span, |size| size.span),
            "nothing says how this state ends, so its memory is never freed",
            "name the function that ends it in `x-free` of its schema, or write \"x-free\": false if it needs no end",
        );
        return Some(false);
    };
    if end.free().is_some_and(|free| !site.registry.captured_by(free).is_empty()) {
        findings.report(
            Rule::LinkedFunction,
            free.span,
            "the function that ends a state is passed the state and integers, not parameters of the function that began it",
            "write \"value\" and integers in `args`",
        );
        return None;
    }
    if free.value.is_later() && keys.keeps.as_ref().is_none_or(|keeps| keeps.value.until.is_none()) {
        findings.report(
            Rule::MisusedKey,
            free.span,
            "C uses the memory of this state after its end (`later`), but nothing says until when",
            "write `x-keeps` on the parameter, with the name of the handle or state that C links it to",
        );
        return None;
    }
    Some(free.value.is_later())
}
