//! Scalars: width, sign, and whether both agree on other targets too.

use opendyn_model::c_type::{CType, Class};
use opendyn_model::data_model::DataModel;
use opendyn_model::rule::Rule;

use super::layout;
use super::verdict::Verdict;
use crate::{Integer, Target, Type, TypeId, Types};

/// The position of a scalar, which decides what a wrong sign means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// Passed, returned, or a member of a struct.
    Value,
    /// Behind a pointer.
    Pointee,
}

/// The types of a source, and whether their spelling is reliable.
#[derive(Clone, Copy)]
pub(super) struct Model<'m> {
    pub(super) types: &'m Types,
    pub(super) target: &'m Target,
    /// Whether a spelling such as `long` is reliable. Debug info describes the function at an address, which
    /// may have another name: `lround` and `llround` can share their code.
    pub(super) spells: bool,
}

/// A declared scalar against a type of the library; `None` if that is not a scalar.
pub(super) fn compare(c_type: CType, id: TypeId, model: Model<'_>, place: Where) -> Option<Verdict> {
    let Model { types, target, .. } = model;
    let size = layout::of_scalar(c_type, target).size;
    let floating = c_type.class() == Class::Floating;
    Some(match types.resolve(id) {
        Type::Bool => match (c_type, size) {
            (CType::Bool, _) => Verdict::Fits,
            (_, 1) => Verdict::warning(Rule::SameBytes, "a C `bool` can only be 0 or 1"),
            _ => kinds(floating, false).unwrap_or(Verdict::width(size, 1)),
        },
        Type::Integer(integer) => {
            let verdict = kinds(floating, false).unwrap_or_else(|| integers(c_type, integer, target, place));
            match verdict {
                Verdict::Fits => portable(c_type, id, model),
                other => other,
            }
        }
        // The integer type of an enum is the compiler's choice; only its width counts.
        Type::Enum { integer, .. } => match kinds(floating, false) {
            Some(verdict) => verdict,
            None if size == integer.size => Verdict::Fits,
            None => Verdict::width(size, integer.size),
        },
        Type::Float { size: of, .. } => match kinds(floating, true) {
            Some(verdict) => verdict,
            None if size == *of => Verdict::Fits,
            None => Verdict::width(size, *of),
        },
        _ => return None,
    })
}

/// An integer against a floating-point number, in either order.
fn kinds(document: bool, library: bool) -> Option<Verdict> {
    let (integer, floating) = ("an integer", "a floating-point number");
    match (document, library) {
        (true, false) => Some(Verdict::error(format!("{floating} against {integer}"))),
        (false, true) => Some(Verdict::error(format!("{integer} against {floating}"))),
        _ => None,
    }
}

fn integers(c_type: CType, integer: &Integer, target: &Target, place: Where) -> Verdict {
    let size = layout::of_scalar(c_type, target).size;
    if size != integer.size {
        return Verdict::width(size, integer.size);
    }
    if c_type == CType::Bool {
        return Verdict::warning(Rule::SameBytes, "every byte other than 0 is read as true");
    }
    // Plain `char` is the element of strings, whatever its sign.
    let plain = integer.spelling == "char";
    if c_type == CType::Char || plain && place == Where::Pointee {
        return Verdict::Fits;
    }
    let signed = layout::is_signed(c_type, target);
    if signed == integer.signed {
        return Verdict::Fits;
    }
    let word = |signed| if signed { "signed" } else { "unsigned" };
    let note = format!("{} against {}", word(signed), word(integer.signed));
    if plain || place == Where::Pointee { Verdict::warning(Rule::Sign, note) } else { Verdict::error(note) }
}

/// The data models in messages.
const MODELS: [(DataModel, &str); 4] = [
    (DataModel::Unix64, "64-bit Linux"),
    (DataModel::Windows64, "64-bit Windows"),
    (DataModel::Unix32, "a 32-bit target"),
    (DataModel::Windows32, "32-bit Windows"),
];

/// The bytes of both types on the first data model where they differ, and its name.
fn difference(one: CType, other: CType) -> Option<(u8, u8, &'static str)> {
    let bytes = |c_type: CType, model| c_type.on(model).bits / 8;
    let on = |(model, name)| (bytes(one, model), bytes(other, model), name);
    MODELS.into_iter().map(on).find(|(one, other, _)| one != other)
}

/// The C type that the name of a library's type implies; `None` if another name may hide a different type on
/// another target.
fn type_in_library(id: TypeId, model: Model<'_>) -> Option<CType> {
    let Model { types, spells, .. } = model;
    let (known, hidden) = spelling(id, types);
    if known.is_some() {
        return known;
    }
    let Type::Integer(integer) = types.resolve(id) else { return None };
    let base = CType::parse(&integer.spelling)?;
    let is_long = difference(base, CType::Long).is_none();
    (spells && !(hidden && is_long)).then_some(base)
}

/// The first alias that is a spelling of `x-cType`; and whether there are other aliases.
pub(super) fn spelling(mut id: TypeId, types: &Types) -> (Option<CType>, bool) {
    let mut hidden = false;
    // The same limit as for other aliases.
    for _ in 0..64 {
        let Type::Alias { name, of } = types.get(id) else { break };
        if let Some(known) = CType::parse_spelling(name) {
            return (Some(known), hidden);
        }
        hidden = true;
        id = *of;
    }
    (None, hidden)
}

/// Two types that agree here may differ elsewhere: `long` and `size_t`.
fn portable(c_type: CType, id: TypeId, model: Model<'_>) -> Verdict {
    let Some(library) = type_in_library(id, model) else { return Verdict::Fits };
    match difference(c_type, library) {
        Some((own, other, target)) => Verdict::warning(
            Rule::Portable,
            format!(
                "the same here, but on {target} `{}` has {own} bytes and `{}` {other}",
                c_type.name(),
                library.name()
            ),
        ),
        None => Verdict::Fits,
    }
}
