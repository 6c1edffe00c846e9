//! C types as a document names them: scalars, and types behind aliases.

use opendyn_model::c_type::CType;
use opendyn_model::data_model::Sign;
use serde_json::{Map, Value, json};

use crate::{Integer, Target, Type, TypeId, Types};

/// An object of the document.
pub(super) type Object = Map<String, Value>;

/// A type without its aliases, which are listed from outermost to innermost.
pub(super) struct Peeled<'t> {
    pub(super) aliases: Vec<&'t str>,
    pub(super) id: TypeId,
    pub(super) of: &'t Type,
}

pub(super) fn peel(types: &Types, mut id: TypeId) -> Peeled<'_> {
    let mut aliases = Vec::new();
    // The same limit as in `Types::resolve`.
    while aliases.len() < 64 {
        match types.get(id) {
            Type::Alias { name, of } => {
                aliases.push(name.as_str());
                id = *of;
            }
            of => return Peeled { aliases, id, of },
        }
    }
    Peeled { aliases, id, of: &Type::Void }
}

/// A scalar of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    /// `integer`, `number` or `boolean`.
    pub(super) json: &'static str,
    /// One of the types of the specification.
    pub(super) name: &'static str,
    /// `x-cType`
    pub(super) spelling: Option<&'static str>,
}

impl Scalar {
    pub(super) fn c_type(&self, pointer: bool) -> Value {
        let mut c_type = json!({ "type": self.name, "isPointer": pointer });
        if let (Some(spelling), Some(object)) = (self.spelling, c_type.as_object_mut()) {
            object.insert("x-cType".to_owned(), spelling.into());
        }
        c_type
    }

    pub(super) fn is_byte(&self) -> bool {
        matches!(self.name, "char" | "unsigned char")
    }

    /// Whether it is plain `char`, the element of strings.
    pub(super) fn is_char(&self) -> bool {
        self.name == "char" && self.spelling.is_none()
    }
}

/// The scalar that a type is, or why a document cannot express it. An enum is the integer that it is stored
/// as.
pub(super) fn scalar(types: &Types, id: TypeId, target: &Target) -> Result<Scalar, String> {
    let peeled = peel(types, id);
    match peeled.of {
        Type::Bool => Ok(Scalar { json: "boolean", name: "bool", spelling: None }),
        Type::Integer(integer) | Type::Enum { integer, .. } => of_integer(integer, &peeled.aliases, target),
        Type::Float { size: 4, .. } => Ok(Scalar { json: "number", name: "float", spelling: None }),
        Type::Float { size: 8, .. } if !is_long_double(peeled.of) => {
            Ok(Scalar { json: "number", name: "double", spelling: None })
        }
        Type::Float { spelling, .. } => Err(format!("`{spelling}`")),
        Type::Complex(_) => Err("a complex number".to_owned()),
        Type::Other { spelling, .. } => Err(format!("`{spelling}`")),
        _ => Err(format!("`{}`", types.spelling(id))),
    }
}

/// If `long double` has 8 bytes, it is the same as `double` there, but not on other targets.
fn is_long_double(of: &Type) -> bool {
    matches!(of, Type::Float { spelling, .. } if spelling.contains("long double"))
}

fn of_integer(integer: &Integer, aliases: &[&str], target: &Target) -> Result<Scalar, String> {
    let is_it = |c_type: &CType| {
        let layout = c_type.on(target.data_model());
        u64::from(layout.bits) == integer.size * 8 && (layout.sign == Sign::Signed) == integer.signed
    };
    let spelled = aliases.iter().find_map(|alias| CType::parse_spelling(alias).filter(is_it));
    let named = CType::parse(&integer.spelling).filter(|c_type| c_type.counts());
    let c_type = named.or_else(|| CType::of_size(integer.size, integer.signed));
    let c_type = c_type.ok_or_else(|| format!("`{}`", integer.spelling))?;
    // The specification has no `signed char`, and the sign of `char` depends on the target.
    let spelling = if c_type.is_spelling() { Some(c_type) } else { spelled };
    let name = if c_type.is_spelling() { c_type.of_specification().name() } else { c_type.name() };
    Ok(Scalar { json: "integer", name, spelling: spelling.map(CType::name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(spelling: &str, size: u64, signed: bool, alias: Option<&str>) -> Result<Scalar, String> {
        let mut types = Types::new();
        let mut id = types.add(Type::Integer(Integer { size, signed, spelling: spelling.to_owned() }));
        if let Some(alias) = alias {
            id = types.add(Type::Alias { name: alias.to_owned(), of: id });
            id = types.add(Type::Alias { name: "z_alias".to_owned(), of: id });
        }
        let target = Target::of_triple("x86_64-unknown-linux-gnu").expect("it is known");
        scalar(&types, id, &target)
    }

    #[test]
    fn an_alias_on_the_way_gives_the_exact_spelling() {
        let size = of("unsigned long", 8, false, Some("size_t")).expect("it is a scalar");
        assert_eq!((size.name, size.spelling), ("unsigned long", Some("size_t")));
    }

    #[test]
    fn an_alias_that_is_not_what_its_name_says_gives_none() {
        let odd = of("int", 4, true, Some("size_t")).expect("it is a scalar");
        assert_eq!((odd.name, odd.spelling), ("int", None));
    }

    #[test]
    fn signed_char_is_spelled_by_its_width() {
        let byte = of("signed char", 1, true, None).expect("it is a scalar");
        assert_eq!((byte.name, byte.spelling), ("char", Some("int8_t")));
        assert!(!byte.is_char());
    }

    #[test]
    fn an_integer_of_sixteen_bytes_is_no_type_of_a_document() {
        assert_eq!(of("__int128", 16, true, None), Err("`__int128`".to_owned()));
    }
}
