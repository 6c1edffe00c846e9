//! Functions with `x-member`: the library has no such function. A call reads a member of the struct behind a handle,
//! and what is there is treated as if a function had returned it.

use super::meaning::{HandleRole, Param, Passing, ReturnRole, Returned, StateRole};
use super::schema::Resolved;
use super::signature;
use super::site::Site;
use crate::document::{self, Keys, Length};
use crate::plan::{Amount, CBase, CValue, Field, FieldType, Read, Scalar, View};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// The member that a function with `x-member` reads: its record and its index there.
type Found = (usize, usize);

impl Site<'_> {
    /// The member that `x-member` names, if the struct behind the handle has it. What is wrong is reported by [`lower`].
    fn member(&self, name: &str) -> Option<Found> {
        let schema = self.function.parameters.first()?.schema.as_ref()?;
        let schema = self.registry.schemas.resolve(schema)?;
        let record = self.behind(&schema)?;
        self.registry
            .with_fields(record, |fields| fields.iter().position(|field| field.key == name))
            .map(|at| (record, at))
    }

    /// The struct behind a handle, or the members of a state.
    fn behind(&self, schema: &Resolved<'_>) -> Option<usize> {
        match &schema.declared.handle {
            Some(handle) => self.registry.members_of(&handle.value),
            None if schema.is_state() => {
                self.registry.state_members(self.registry.record(schema, &self.path)?)
            }
            None => None,
        }
    }

    /// `x-length` of a member in place is its own length.
    pub(super) fn length_in_place(&self, keys: &mut Keys) {
        let Some(name) = &self.function.member else { return };
        let Some((record, field)) = self.member(&name.value) else { return };
        let count = self.registry.with_fields(record, |fields| match fields[field].of {
            FieldType::Array { count, .. } | FieldType::Text { count, .. } => Some(count),
            _ => None,
        });
        if let (Some(count), None) = (count, &keys.length) {
            let count = Spanned { value: count, span: name.span };
            keys.length = Some(Spanned { value: Length::Const { count, parameter: None }, span: name.span });
        }
    }

    /// `{"member": "len"}`: an integer in the same struct.
    pub(super) fn length_member(&self, name: &Spanned<String>) -> Option<Amount> {
        if self.function.member.is_none() {
            self.findings().report(
                Rule::MisusedKey,
                name.span,
                "`member` is for functions with `x-member`: others have no struct to look into",
                "write the name of a parameter, or {\"call\": …}",
            );
            return None;
        }
        let Some((record, field)) = self.member(&name.value) else {
            self.unknown_member("member", name);
            return None;
        };
        let is_integer = |fields: &[Field]| match fields[field].of {
            FieldType::Scalar(Scalar { c_type, view: View::Plain }) => c_type.counts(),
            _ => false,
        };
        if !self.registry.with_fields(record, is_integer) {
            self.findings().report(
                Rule::LengthParameter,
                name.span,
                format!(
                    "the member `{}` is not an integer, so it cannot hold a number of elements",
                    name.value
                ),
                "name an integer of the struct",
            );
            return None;
        }
        Some(Amount::Member { record, field })
    }

    fn unknown_member(&self, key: &str, name: &Spanned<String>) {
        let schema = self.function.parameters.first().and_then(|parameter| parameter.schema.as_ref());
        let schema = schema.and_then(|schema| self.registry.schemas.resolve(schema));
        let handle = schema.as_ref().and_then(|schema| {
            let handle = schema.declared.handle.as_ref().map(|handle| handle.value.as_str());
            handle.or(schema.name).map(str::to_owned)
        });
        let known = schema.and_then(|schema| self.behind(&schema)).map(|record| {
            let names = |fields: &[Field]| {
                fields.iter().map(|field| field.key.clone()).collect::<Vec<_>>().join(", ")
            };
            self.registry.with_fields(record, names)
        });
        let handle = handle.unwrap_or_default();
        let (message, help) = match known {
            Some(known) => (
                format!("`{key}` names {:?}, which is not a property of `{handle}`", name.value),
                format!("its properties are {known}"),
            ),
            None => (
                format!("the document does not say what is behind `{handle}`"),
                "list the first members of the struct in `properties` of the schema with `x-handle` or `x-state`, in the order of C"
                    .to_owned(),
            ),
        };
        self.findings().report(Rule::Struct, name.span, message, help);
    }
}

/// What a function with `x-member` reads; `Some(None)` for other functions.
pub(super) fn lower(params: &[Param], returned: Option<&Returned>, site: &Site<'_>) -> Option<Option<Read>> {
    let Some(name) = &site.function.member else { return Some(None) };
    let fault = |span: Span, message: &str, help: &str| {
        site.findings().report(Rule::MisusedKey, span, message, help);
        None
    };
    excluded(site.function, site)?;
    let takes_handle = match params {
        [only] => {
            only.required
                && matches!(
                    only.passing,
                    Passing::Handle { role: HandleRole::Borrowed, .. }
                        | Passing::State { role: StateRole::Used, .. }
                )
        }
        _ => false,
    };
    if !takes_handle {
        return fault(
            name.span,
            "a function with `x-member` takes one handle or state, which it reads from",
            "give it one required parameter, with `x-handle` or a state, that the function does not free",
        );
    }
    let Some(returned) = returned else {
        return fault(name.span, "a function with `x-member` returns the member", "describe it in `return`");
    };
    if returned.role != ReturnRole::Result || returned.form.held().free.is_some() {
        return fault(
            name.span,
            "a member that is read is neither a code nor freed",
            "remove `x-code` or `x-free` from `return`",
        );
    }
    let Some((record, field)) = site.member(&name.value) else {
        site.unknown_member("x-member", name);
        return None;
    };
    let schema = site.registry.schemas.resolve(site.function.returns.as_ref()?.schema.as_ref()?)?;
    let value = CValue {
        stars: usize::from(schema.is_pointer) + usize::from(schema.is_double),
        ..CValue::new(signature::base(&schema, site.registry)?)
    };
    let member = site.registry.with_fields(record, |fields| CValue::field(&fields[field].of));
    let Some(in_place) = fits(&member, &value) else {
        site.findings().report(
            Rule::TypeMismatch,
            schema.c_type_span,
            format!("`{}` is not the C type of the member `{}`", schema.spelled(), name.value),
            "write the type that it has in `properties`; of an array, a string or a struct in place, a pointer to it",
        );
        return None;
    };
    Some(Some(Read { record, field, in_place }))
}

/// Whether the value is the address of the member, or the member itself; `None` if it is neither.
fn fits(member: &CValue, value: &CValue) -> Option<bool> {
    let is_void = |base: &CBase| match base {
        CBase::Scalar(c_type) => *c_type == crate::c_type::CType::Void,
        CBase::Handle(_) | CBase::Record(_) => true,
        CBase::Function(_) => false,
    };
    let in_place = member.count.is_some() || member.stars == 0 && value.stars == 1;
    let same_base = member.base == value.base
        || member.stars > 0 && member.stars == value.stars && is_void(&member.base) && is_void(&value.base);
    (same_base && member.stars + usize::from(in_place) == value.stars).then_some(in_place)
}

/// Keys that belong to a function of the library.
fn excluded(function: &document::Function, site: &Site<'_>) -> Option<()> {
    let name = function.member.as_ref()?;
    let given = [
        ("x-symbol", function.symbol.as_ref().map(|symbol| symbol.span)),
        ("x-variadic", function.variadic.map(|fixed| fixed.span)),
        ("x-error", function.error.as_ref().map(|_| name.span)),
        ("x-optional", function.switches.has("x-optional").then_some(name.span)),
    ];
    let found = given.into_iter().find_map(|(key, span)| Some((key, span?)));
    let Some((key, span)) = found else { return Some(()) };
    site.findings().report(
        Rule::MisusedKey,
        span,
        format!("`{key}` does not apply to a function with `x-member`: no function of the library is called"),
        "remove it",
    );
    None
}
