//! Arrays of pointers: what `items` says of the strings or the handles that they point to.

use super::meaning::Taking;
use super::misuse;
use super::schema::Resolved;
use super::site::Site;
use super::{taken_memory, takes};
use crate::c_type::Class;
use crate::document::Schema;
use crate::plan::Amount;
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// What an array of pointers points to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Items {
    /// Strings.
    Strings {
        /// Whether there may be a NULL among them.
        nullable: bool,
    },
    /// Handles.
    Handles(HandleItems),
}

/// The handles of an array.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HandleItems {
    /// Their type.
    pub(super) handle: usize,
    /// Whether there may be a NULL among them.
    pub(super) nullable: bool,
    /// The way to free each of them.
    pub(super) free: Option<usize>,
    /// The function that frees each of them, where the document names it.
    pub(super) freed_by: Option<Spanned<String>>,
    /// The parameters with the handles that they must not outlive.
    pub(super) parents: Vec<usize>,
    /// Where the document names these parameters.
    pub(super) parents_at: Vec<Span>,
    /// How C takes each of them.
    pub(super) taken: Option<Taking>,
}

/// What an array of pointers points to: `None` if it is wrong, `Some(None)` if it is an array of neither strings nor
/// handles.
pub(super) fn of(
    schema: &Resolved<'_>,
    length: &Amount,
    is_in: bool,
    site: &Site<'_>,
) -> Option<Option<Items>> {
    let items = schema.schema.items.as_ref();
    match schema.c_type.class() {
        Class::Character => {
            let items = items.and_then(|items| site.registry.schemas.resolve_as(items, schema.declared));
            let Some(items) = items else { return Some(Some(Items::Strings { nullable: false })) };
            misuse::of_items(&items, false, is_in, site.findings());
            let nullable = nullable(&items, length, site)?;
            Some(Some(Items::Strings { nullable }))
        }
        Class::Void => {
            let Some(items) = items else { return Some(None) };
            let resolved = site.registry.schemas.resolve(items)?;
            if resolved.declared.handle.is_none() {
                return Some(None);
            }
            handles(&resolved, items, length, is_in, site).map(Items::Handles).map(Some)
        }
        _ => Some(None),
    }
}

fn handles(
    items: &Resolved<'_>,
    at: &Schema,
    length: &Amount,
    is_in: bool,
    site: &Site<'_>,
) -> Option<HandleItems> {
    let findings = site.findings();
    let handle = site.registry.handle(items)?;
    if items.is_double {
        findings.report(
            Rule::ArrayItems,
            items.c_type_span,
            "an element of an array of handles is a `void*`, but `items` are a pointer to a pointer",
            "write \"x-pointerDepth\": 2 in the `cType` of the array alone",
        );
        return None;
    }
    misuse::of_items(items, true, is_in, findings);
    if is_in && site.frees_itself(&items.keys) {
        findings.report(
            Rule::ArrayItems,
            misuse::span_of(at),
            "a call cannot free the handles of an array",
            "remove the function's own name from `x-free` of `items`; describe a function that frees one handle",
        );
        return None;
    }
    let taken = if is_in { takes::of(&items.keys, site)? } else { None };
    if let Some(memory) = items.keys.takes.as_ref().and_then(|takes| takes.value.memory.as_ref()) {
        return taken_memory::not_memory(memory, site);
    }
    let held = site.held(&items.keys)?;
    let named = items.keys.free.as_ref().and_then(|free| free.value.function());
    Some(HandleItems {
        handle,
        nullable: nullable(items, length, site)?,
        free: held.free.filter(|_| !is_in),
        freed_by: named.filter(|_| !is_in).cloned(),
        parents: site.parents(&items.keys)?,
        taken,
        parents_at: items.keys.parent.iter().flat_map(|names| &names.value).map(|name| name.span).collect(),
    })
}

/// Whether there may be a NULL among the elements, which must not end them.
fn nullable(items: &Resolved<'_>, length: &Amount, site: &Site<'_>) -> Option<bool> {
    let Some(flag) = items.keys.nullable.filter(|flag| flag.value) else { return Some(false) };
    if *length == Amount::Terminated {
        site.findings().report(
            Rule::ArrayItems,
            flag.span,
            "an array that ends at a NULL cannot have a NULL among its elements",
            "remove `x-nullable` from `items`, or write another form of `x-length`",
        );
        return None;
    }
    Some(true)
}
