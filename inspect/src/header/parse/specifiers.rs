//! The beginning of a declaration: storage class, qualifiers, and the type that its declarators build on.

use super::super::table::Qualified;
use super::attributes::Attributes;
use super::{Parser, Reason, Tag};
use crate::{RecordKind, Type, TypeId};

/// The specifiers before the declarators.
#[derive(Debug)]
pub(super) struct Specifiers {
    pub(super) of: Qualified,
    pub(super) typedef: bool,
    pub(super) is_static: bool,
    pub(super) inline: bool,
    pub(super) attributes: Attributes,
}

/// The keywords of a basic type, in any order.
#[derive(Debug, Default)]
struct Words {
    /// `char`, `int`, `double`, …; `None` in `unsigned long`.
    base: Option<&'static str>,
    short: bool,
    long: u8,
    signed: Option<bool>,
    complex: bool,
}

impl Words {
    fn any(&self) -> bool {
        self.base.is_some() || self.short || self.long > 0 || self.signed.is_some() || self.complex
    }
}

/// The keyword of a type, in the spelling of the model.
fn base_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "void" => "void",
        "char" => "char",
        "int" => "int",
        "float" => "float",
        "double" => "double",
        "_Bool" | "bool" => "bool",
        "__int128" | "__int128_t" => "__int128",
        "__uint128_t" => "unsigned __int128",
        "_Float16" => "_Float16",
        "__bf16" => "__bf16",
        "_Float32" => "_Float32",
        "_Float32x" => "_Float32x",
        "_Float64" => "_Float64",
        "_Float64x" => "_Float64x",
        "_Float128" => "_Float128",
        "__float128" => "__float128",
        "__float80" => "__float80",
        "__fp16" => "__fp16",
        "_Decimal32" => "_Decimal32",
        "_Decimal64" => "_Decimal64",
        "_Decimal128" => "_Decimal128",
        "__int8" => "char",
        "__int16" => "short",
        "__int32" => "int",
        "__int64" => "long long",
        "__builtin_va_list" | "__gnuc_va_list" => "__builtin_va_list",
        _ => return None,
    })
}

impl<'s> Parser<'s> {
    /// Whether a type name begins here.
    pub(super) fn begins_type(&self) -> bool {
        self.begins_type_at(0)
    }

    /// Whether a type name begins this many tokens ahead.
    pub(super) fn begins_type_at(&self, ahead: usize) -> bool {
        let word = self.ahead(ahead);
        let other = matches!(
            word,
            "struct"
                | "union"
                | "enum"
                | "const"
                | "__const"
                | "__const__"
                | "volatile"
                | "__volatile__"
                | "__volatile"
                | "signed"
                | "__signed__"
                | "__signed"
                | "unsigned"
                | "short"
                | "long"
                | "_Complex"
                | "__complex__"
                | "_Atomic"
                | "__typeof__"
                | "typeof"
                | "__typeof"
                | "_BitInt"
                | "__extension__"
                | "__attribute__"
                | "register"
                | "restrict"
                | "__restrict"
                | "__restrict__"
                | "_Alignas"
        );
        // A typedef takes precedence over a compiler's keyword: `typedef _Bool bool`.
        other || self.typedefs.contains_key(word) || base_word(word).is_some()
    }

    /// `const char *` in a cast, `sizeof` or `typeof`.
    pub(super) fn type_name(&mut self) -> Result<Qualified, Reason> {
        self.deeper(|this| {
            let specifiers = this.specifiers()?;
            let declarator = this.declarator()?;
            if let Some(name) = declarator.name {
                return Err(format!("`{}` is not expected in a type", this.text(name)));
            }
            Ok(this.build(specifiers.of, &declarator, &specifiers.attributes))
        })
    }

    pub(super) fn text(&self, token: usize) -> &'s str {
        self.unit.tokens.get(token).map_or("", |token| token.text)
    }

    pub(super) fn specifiers(&mut self) -> Result<Specifiers, Reason> {
        let mut words = Words::default();
        let mut of: Option<Qualified> = None;
        let mut attributes = Attributes::default();
        let (mut constant, mut atomic) = (false, false);
        let (mut typedef, mut is_static, mut inline) = (false, false, false);
        loop {
            self.attributes(&mut attributes)?;
            let word = self.peek();
            let typed = of.is_some() || words.any();
            match word {
                "typedef" => typedef = true,
                "static" => is_static = true,
                "inline" | "__inline" | "__inline__" | "__forceinline" | "_inline" => inline = true,
                "extern" if self.ahead(1).starts_with('"') => self.at += 1,
                "extern" | "register" | "auto" | "_Thread_local" | "thread_local" | "__thread"
                | "_Noreturn" | "noreturn" | "__noreturn" | "volatile" | "__volatile" | "__volatile__"
                | "restrict" | "__restrict" | "__restrict__" | "constexpr" => {}
                "const" | "__const" | "__const__" => constant = true,
                "signed" | "__signed" | "__signed__" => words.signed = Some(true),
                "unsigned" => words.signed = Some(false),
                "short" => words.short = true,
                "long" => words.long += 1,
                "_Complex" | "__complex__" | "__complex" => words.complex = true,
                "_Atomic" => {
                    atomic = true;
                    if self.ahead(1) == "(" {
                        self.at += 2;
                        of = Some(self.type_name()?);
                        self.expect(")")?;
                        continue;
                    }
                }
                "_BitInt" => {
                    let start = self.at;
                    self.at += 1;
                    self.skip_group()?;
                    let spelling = (start..self.at).map(|index| self.text(index)).collect::<String>();
                    of = Some(plain(self.table.other(&spelling, None)));
                    continue;
                }
                "__typeof__" | "typeof" | "__typeof" => {
                    self.at += 1;
                    self.expect("(")?;
                    if !self.begins_type() {
                        return Err("`typeof` of an expression is not supported".to_owned());
                    }
                    of = Some(self.type_name()?);
                    self.expect(")")?;
                    continue;
                }
                "struct" | "union" | "enum" => {
                    self.at += 1;
                    let id = self.deeper(|this| match word {
                        "struct" => this.record(RecordKind::Struct, Tag::Struct),
                        "union" => this.record(RecordKind::Union, Tag::Union),
                        _ => this.enumeration(),
                    })?;
                    of = Some(plain(id));
                    continue;
                }
                _ if !typed && self.typedefs.contains_key(word) => of = self.typedefs.get(word).copied(),
                _ if of.is_none() && words.base.is_none() => match base_word(word) {
                    Some(base) => words.base = Some(base),
                    None => break,
                },
                _ => break,
            }
            self.at += 1;
        }
        let mut of = match of {
            Some(of) => of,
            None if words.any() => plain(self.basic(&words)?),
            None if self.peek().is_empty() => return Err("a declaration is cut off".to_owned()),
            None => return Err(format!("`{}` is not the name of a type in these headers", self.peek())),
        };
        if atomic {
            let spelling = format!("_Atomic({})", self.table.types.spelling(of.id));
            let size = self.table.layout(of.id).map(|(size, _)| size);
            of.id = self.table.other(&spelling, size);
        }
        of.constant |= constant;
        Ok(Specifiers { of, typedef, is_static, inline, attributes })
    }

    /// The basic type that the keywords spell.
    fn basic(&mut self, words: &Words) -> Result<TypeId, Reason> {
        let target = self.table.target;
        let unsigned = words.signed == Some(false);
        let base = words.base.unwrap_or(if words.complex { "double" } else { "int" });
        let float = match (base, words.long) {
            ("float", _) => Some(("float", 4)),
            ("double", 0) => Some(("double", 8)),
            ("double", _) => Some(("long double", target.long_double)),
            ("_Float16" | "__bf16" | "__fp16", _) => Some((base, 2)),
            ("_Float32", _) => Some((base, 4)),
            ("_Float32x" | "_Float64", _) => Some((base, 8)),
            ("_Float64x" | "__float80", _) => Some((base, target.long_double.max(12))),
            ("_Float128" | "__float128", _) => Some((base, 16)),
            _ => None,
        };
        if let Some((spelling, size)) = float {
            let spelling = if words.complex { format!("{spelling} _Complex") } else { spelling.to_owned() };
            return Ok(match words.complex {
                true => self.table.basic(&spelling, || Type::Complex(size * 2)),
                false => self.table.float(&spelling, size),
            });
        }
        if words.complex {
            let spelling = format!("{base} _Complex");
            return Ok(self.table.other(&spelling, None));
        }
        let signed = |table: &mut super::Table, plain: &str, size: u64| {
            let spelling = if unsigned { format!("unsigned {plain}") } else { plain.to_owned() };
            table.integer(&spelling, size, !unsigned)
        };
        let table = &mut self.table;
        Ok(match base {
            "void" => table.basic("void", || Type::Void),
            "bool" => table.basic("bool", || Type::Bool),
            "char" if words.signed == Some(true) => table.integer("signed char", 1, true),
            "char" if unsigned => table.integer("unsigned char", 1, false),
            "char" => table.integer("char", 1, target.char_signed),
            "__int128" => signed(table, "__int128", 16),
            "unsigned __int128" => table.integer("unsigned __int128", 16, false),
            "_Decimal32" => table.other(base, Some(4)),
            "_Decimal64" => table.other(base, Some(8)),
            "_Decimal128" => table.other(base, Some(16)),
            // It differs between targets, and a document cannot express it.
            "__builtin_va_list" => {
                let size = if target.pointer == 8 && target.wide_char == 4 && target.char_signed {
                    24
                } else {
                    target.pointer
                };
                table.other(base, Some(size))
            }
            "short" => signed(table, "short", 2),
            "long long" => signed(table, "long long", 8),
            "int" if words.short => signed(table, "short", 2),
            "int" if words.long == 1 => signed(table, "long", target.long),
            "int" if words.long >= 2 => signed(table, "long long", 8),
            "int" => signed(table, "int", 4),
            _ => return Err(format!("`{base}` is not supported")),
        })
    }
}

pub(super) fn plain(id: TypeId) -> Qualified {
    Qualified { id, constant: false }
}
