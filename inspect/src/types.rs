//! The C types that functions use: a table, because types can refer to each other in cycles.

use crate::interface::{Convention, Parameter};

/// A type, by its position in [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);

/// The table.
#[derive(Clone, Debug, Default)]
pub struct Types(Vec<Type>);

/// How deep a spelling goes; this limits how far a malformed, cyclic source is followed.
const DEEPEST_SPELLING: u8 = 12;

/// A C type.
#[derive(Clone, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// `bool`
    Bool,
    /// An integer, including `char`.
    Integer(Integer),
    /// A floating-point number: 4 bytes are `float`, 8 `double`, more `long double`. The spelling, such as
    /// `_Float128`, is for messages.
    Float {
        /// Its size in bytes.
        size: u64,
        /// How the source spells it.
        spelling: String,
    },
    /// A complex number of this size in bytes.
    Complex(u64),
    /// A pointer.
    Pointer {
        /// What it points to.
        to: TypeId,
        /// Whether what it points to is `const`.
        constant: bool,
    },
    /// An array, as a member of a struct or behind a pointer.
    Array {
        /// Its elements.
        of: TypeId,
        /// The number of elements; `None` for `[]`.
        length: Option<u64>,
    },
    /// A struct or union.
    Record(Record),
    /// An enum.
    Enum {
        /// Its tag.
        name: Option<String>,
        /// The integer that it is stored as.
        integer: Integer,
        /// Its values.
        values: Vec<Enumerator>,
    },
    /// A function, as the target of a pointer.
    Function(Box<Signature>),
    /// A name for another type: `size_t`, `gzFile`.
    Alias {
        /// The name.
        name: String,
        /// The type.
        of: TypeId,
    },
    /// A type that the model cannot express (a vector, `_Atomic`, `_BitInt`).
    Other {
        /// How the source spells it.
        spelling: String,
        /// Its size in bytes, if the source has it.
        size: Option<u64>,
    },
}

/// An integer type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Its size in bytes.
    pub size: u64,
    /// Whether it is signed.
    pub signed: bool,
    /// The standard spelling: `unsigned long`, never `long unsigned int`.
    pub spelling: String,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Struct or union.
    pub kind: RecordKind,
    /// Its tag; `None` if only an alias names it.
    pub name: Option<String>,
    /// Its size in bytes; `None` if it is declared but never defined, and so opaque.
    pub size: Option<u64>,
    /// Its alignment in bytes, if known.
    pub align: Option<u64>,
    /// Its members in order; empty if it is opaque.
    pub members: Vec<RecordMember>,
}

/// Struct or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// `struct`, or `class` if C++ exports C functions.
    Struct,
    /// `union`
    Union,
}

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub struct RecordMember {
    /// Its name; `None` for an anonymous struct or union.
    pub name: Option<String>,
    /// Its type.
    pub of: TypeId,
    /// Its offset in bytes; `None` if the source does not have it.
    pub offset: Option<u64>,
    /// The number of bits of a bit field.
    pub bits: Option<u64>,
    /// What a header says about it.
    pub comment: Option<String>,
    /// What tells how much a pointer points to: `counted_by(n)`.
    pub counted: Option<Counted>,
}

/// The attribute `counted_by`, `sized_by`, or one of them with `_or_null`, of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The member that has the number.
    pub by: String,
    /// Whether it counts bytes, not elements.
    pub is_bytes: bool,
    /// Whether the pointer may be NULL whatever the number is.
    pub is_nullable: bool,
}

/// One value of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumerator {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i128,
    /// What a header says about it.
    pub comment: Option<String>,
}

/// What a function takes and returns.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
    /// What it returns.
    pub returns: TypeId,
    /// Whether `...` follows the parameters.
    pub variadic: bool,
    /// Its calling convention.
    pub convention: Convention,
}

impl Types {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a type and returns its position.
    pub fn add(&mut self, of: Type) -> TypeId {
        // A table of 2^32 types does not fit into memory.
        let id = TypeId(u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        self.0.push(of);
        id
    }

    /// Sets a type whose position was reserved first, because the type refers to itself.
    pub fn set(&mut self, id: TypeId, of: Type) {
        if let Some(place) = self.0.get_mut(id.0 as usize) {
            *place = of;
        }
    }

    /// The type at a position, for the source that is still filling it.
    pub(crate) fn get_mut(&mut self, id: TypeId) -> Option<&mut Type> {
        self.0.get_mut(id.0 as usize)
    }

    /// The type at a position, which may be an alias.
    #[must_use]
    pub fn get(&self, id: TypeId) -> &Type {
        self.0.get(id.0 as usize).unwrap_or(&Type::Void)
    }

    /// The type with all aliases resolved.
    #[must_use]
    pub fn resolve(&self, mut id: TypeId) -> &Type {
        // Chains of aliases are short; this limits how far a malformed, cyclic source is followed.
        for _ in 0..64 {
            match self.get(id) {
                Type::Alias { of, .. } => id = *of,
                other => return other,
            }
        }
        &Type::Void
    }

    /// The type as written in C, for messages: `const char *`, `gzFile`, `struct sqlite3 *`.
    #[must_use]
    pub fn spelling(&self, id: TypeId) -> String {
        self.spell(id, DEEPEST_SPELLING)
    }

    fn spell(&self, id: TypeId, depth: u8) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "…".to_owned() };
        match self.get(id) {
            Type::Void => "void".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Integer(integer) => integer.spelling.clone(),
            Type::Float { spelling, .. } | Type::Other { spelling, .. } => spelling.clone(),
            Type::Complex(size) => format!("complex of {size} bytes"),
            Type::Pointer { to, constant } => self.spell_pointer(*to, *constant, depth),
            Type::Array { .. } => self.spell_array(id, "", depth),
            Type::Record(record) => {
                let kind = match record.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                named(kind, record.name.as_deref())
            }
            Type::Enum { name, .. } => named("enum", name.as_deref()),
            Type::Function(signature) => self.spell_signature(signature, "", depth),
            Type::Alias { name, .. } => name.clone(),
        }
    }

    fn spell_pointer(&self, to: TypeId, constant: bool, depth: u8) -> String {
        if let Type::Function(signature) = self.get(to) {
            return self.spell_signature(signature, "(*)", depth);
        }
        if let Type::Array { .. } = self.get(to) {
            let constant = if constant { "const " } else { "" };
            return format!("{constant}{}", self.spell_array(to, " (*)", depth));
        }
        let is_pointer = matches!(self.get(to), Type::Pointer { .. });
        let to = self.spell(to, depth);
        let space = if to.ends_with('*') { "" } else { " " };
        // `const` comes after a pointer and before anything else.
        match (constant, is_pointer) {
            (true, true) => format!("{to}{space}const *"),
            (true, false) => format!("const {to}{space}*"),
            (false, _) => format!("{to}{space}*"),
        }
    }

    /// An array, with `middle` between its elements and its lengths. The outer length comes first.
    fn spell_array(&self, mut id: TypeId, middle: &str, depth: u8) -> String {
        let mut lengths = String::new();
        // Arrays nest only a few levels; this limits how far a malformed, cyclic source is followed.
        for _ in 0..64 {
            let Type::Array { of, length } = self.get(id) else { break };
            let length = length.map_or_else(String::new, |length| length.to_string());
            lengths += &format!("[{length}]");
            id = *of;
        }
        match self.get(id) {
            Type::Array { .. } => format!("array{middle}{lengths}"),
            _ => format!("{}{middle}{lengths}", self.spell(id, depth)),
        }
    }

    fn spell_signature(&self, signature: &Signature, name: &str, depth: u8) -> String {
        // Functions rarely take functions, and each can lead to many types.
        let depth = depth.saturating_sub(DEEPEST_SPELLING / 4);
        let parameters = signature.parameters.iter().map(|parameter| self.spell(parameter.of, depth));
        let dots = signature.variadic.then(|| "...".to_owned());
        let parameters: Vec<String> = parameters.chain(dots).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        format!("{} {name}({parameters})", self.spell(signature.returns, depth))
    }
}

fn named(kind: &str, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{kind} {name}"),
        None => format!("{kind} without a name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(types: &mut Types, spelling: &str) -> TypeId {
        types.add(Type::Integer(Integer { size: 4, signed: true, spelling: spelling.to_owned() }))
    }

    #[test]
    fn types_are_spelled_as_in_c() {
        let mut types = Types::new();
        let void = types.add(Type::Void);
        let char = integer(&mut types, "char");
        let text = types.add(Type::Pointer { to: char, constant: true });
        let texts = types.add(Type::Pointer { to: text, constant: false });
        let parameters = vec![Parameter {
            name: None,
            of: text,
            array: None,
            direction: None,
            is_array: false,
            nullable: None,
            comment: None,
        }];
        let signature =
            Signature { parameters, returns: void, variadic: true, convention: Convention::default() };
        let function = types.add(Type::Function(Box::new(signature)));
        let callback = types.add(Type::Pointer { to: function, constant: false });
        let fixed = types.add(Type::Pointer { to: text, constant: true });
        let row = types.add(Type::Array { of: char, length: Some(3) });
        let rows = types.add(Type::Pointer { to: row, constant: false });
        assert_eq!(types.spelling(texts), "const char **");
        assert_eq!(types.spelling(fixed), "const char *const *");
        let grid = types.add(Type::Array { of: row, length: Some(2) });
        assert_eq!(types.spelling(rows), "char (*)[3]");
        assert_eq!(types.spelling(grid), "char[2][3]");
        assert_eq!(types.spelling(callback), "void (*)(const char *, ...)");
    }

    #[test]
    fn a_type_that_holds_itself_has_a_spelling() {
        let mut types = Types::new();
        let id = types.add(Type::Void);
        types.set(id, Type::Pointer { to: id, constant: false });
        assert!(types.spelling(id).ends_with('*'));
    }

    #[test]
    fn an_alias_of_itself_is_not_followed_for_ever() {
        let mut types = Types::new();
        let id = types.add(Type::Void);
        types.set(id, Type::Alias { name: "loop".to_owned(), of: id });
        assert!(matches!(types.resolve(id), Type::Void));
    }
}
