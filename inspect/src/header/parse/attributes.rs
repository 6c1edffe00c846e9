//! Compiler extensions in declarations: `__attribute__`, `__declspec`, `[[…]]`, and keywords for calling
//! conventions. Most of them do not matter here and are skipped.

use super::memory::Statement;
use super::{Parser, Reason};
use crate::{Convention, Integer, Type, TypeId};

/// The attributes that affect the layout of types and how functions are called.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    pub(super) packed: bool,
    pub(super) aligned: Option<u64>,
    pub(super) mode: Option<String>,
    pub(super) vector: Option<u64>,
    pub(super) convention: Option<Convention>,
    pub(super) transparent: bool,
    /// `_Nullable` or `_Nonnull` behind the last star.
    pub(super) nullable: Option<bool>,
    /// What says how a function treats memory.
    pub(super) memory: Vec<Statement>,
}

impl<'s> Parser<'s> {
    /// Reads all attributes at this position, if any.
    pub(super) fn attributes(&mut self, found: &mut Attributes) -> Result<(), Reason> {
        loop {
            match self.peek() {
                "__attribute__" | "__attribute" => {
                    self.at += 1;
                    self.expect("(")?;
                    self.expect("(")?;
                    self.attribute_list(found)?;
                    self.expect(")")?;
                    self.expect(")")?;
                }
                "__declspec" | "_declspec" => {
                    self.at += 1;
                    self.expect("(")?;
                    self.attribute_list(found)?;
                    self.expect(")")?;
                }
                "[" if self.ahead(1) == "[" => self.standard(found)?,
                "_Alignas" | "alignas" => {
                    self.at += 1;
                    let value = self.type_or_constant()?;
                    found.aligned = found.aligned.max(Some(value));
                }
                word => {
                    let convention = self.convention(word);
                    let ignored = matches!(
                        word,
                        "__extension__"
                            | "_Nonnull"
                            | "_Nullable"
                            | "_Null_unspecified"
                            | "__unaligned"
                            | "__ptr32"
                            | "__ptr64"
                            | "__w64"
                    );
                    if convention.is_none() && !ignored {
                        return Ok(());
                    }
                    match word {
                        "_Nonnull" => found.nullable = Some(false),
                        "_Nullable" => found.nullable = Some(true),
                        _ => {}
                    }
                    found.convention = convention.or(found.convention);
                    self.at += 1;
                }
            }
        }
    }

    /// The convention that a keyword of Microsoft's compilers names.
    fn convention(&self, word: &str) -> Option<Convention> {
        match word {
            "__cdecl" | "_cdecl" | "__CDECL" => Some(Convention::Cdecl),
            "__stdcall" | "_stdcall" => Some(Convention::Stdcall),
            "__vectorcall" => Some(Convention::Other),
            "__fastcall" | "_fastcall" | "__thiscall" | "__pascal" => Some(self.of_32_bits()),
            _ => None,
        }
    }

    /// A convention that only 32-bit x86 has.
    fn of_32_bits(&self) -> Convention {
        if self.table.target.has_stdcall { Convention::Other } else { Convention::Cdecl }
    }

    fn attribute_list(&mut self, found: &mut Attributes) -> Result<(), Reason> {
        while self.peek() != ")" {
            if self.token().is_none() {
                return Err("an attribute is not closed".to_owned());
            }
            let word = self.peek();
            self.at += 1;
            let name = word.trim_matches('_');
            let arguments = self.peek() == "(";
            match name {
                "packed" => found.packed = true,
                "transparent_union" => found.transparent = true,
                "stdcall" => found.convention = Some(Convention::Stdcall),
                "cdecl" => found.convention = Some(Convention::Cdecl),
                "fastcall" | "thiscall" | "regparm" => found.convention = Some(self.of_32_bits()),
                "vectorcall" | "regcall" => found.convention = Some(Convention::Other),
                "ms_abi" if !self.table.rules.windows => found.convention = Some(Convention::Other),
                "sysv_abi" if self.table.rules.windows => found.convention = Some(Convention::Other),
                "aligned" if !arguments => found.aligned = found.aligned.max(Some(self.table.rules.largest)),
                "aligned" | "align" if arguments => {
                    let value = self.type_or_constant()?;
                    found.aligned = found.aligned.max(Some(value));
                    continue;
                }
                "vector_size" if arguments => {
                    found.vector = Some(self.type_or_constant()?);
                    continue;
                }
                "mode" if arguments => found.mode = Some(self.ahead(1).trim_matches('_').to_owned()),
                _ if Statement::is_one(name) => {
                    let statement = self.statement(name, arguments)?;
                    found.memory.push(statement);
                    continue;
                }
                _ => {}
            }
            if arguments {
                self.skip_group()?;
            }
        }
        Ok(())
    }

    /// `[[gnu::nonnull(1), nodiscard]]`.
    fn standard(&mut self, found: &mut Attributes) -> Result<(), Reason> {
        let start = self.at;
        self.skip_group()?;
        let end = self.at;
        self.at = start + 2;
        while self.at + 2 < end {
            let name = self.peek().trim_matches('_');
            self.at += 1;
            let arguments = self.peek() == "(";
            if Statement::is_one(name) {
                let statement = self.statement(name, arguments)?;
                found.memory.push(statement);
            } else if arguments {
                self.skip_group()?;
            }
        }
        self.at = end;
        Ok(())
    }

    /// `(16)` or `(double)`: a number, or the alignment of a type.
    fn type_or_constant(&mut self) -> Result<u64, Reason> {
        self.expect("(")?;
        let value = if self.begins_type() {
            let id = self.type_name()?.id;
            self.table.layout(id).map(|(_, align)| align)
        } else {
            u64::try_from(self.constant()?.value).ok()
        };
        self.expect(")")?;
        // Compilers refuse larger values.
        value.filter(|&value| value <= 1 << 28).ok_or_else(|| "the alignment cannot be computed".to_owned())
    }

    /// `__attribute__((mode(DI)))`: the same kind of type in another size.
    pub(super) fn with_mode(&mut self, id: TypeId, mode: &str) -> TypeId {
        let target = self.table.target;
        let size = match mode {
            "QI" | "byte" => 1,
            "HI" => 2,
            "SI" | "SF" | "SC" => 4,
            "DI" | "DF" | "DC" => 8,
            "word" | "pointer" | "unwind_word" => target.pointer,
            "TI" | "TF" | "TC" => 16,
            "XF" | "XC" => target.long_double,
            _ => return id,
        };
        match self.table.types.resolve(id) {
            Type::Integer(Integer { signed, .. }) => {
                let signed = *signed;
                let spelling = match size {
                    1 => "char",
                    2 => "short",
                    4 => "int",
                    8 if target.long == 8 => "long",
                    8 => "long long",
                    _ => "__int128",
                };
                let spelling = match (signed, size) {
                    (true, 1) => "signed char".to_owned(),
                    (true, _) => spelling.to_owned(),
                    (false, _) => format!("unsigned {spelling}"),
                };
                self.table.integer(&spelling, size, signed)
            }
            Type::Float { .. } => {
                let spelling = match mode {
                    "SF" => "float",
                    "DF" => "double",
                    "XF" => "long double",
                    _ => "_Float128",
                };
                self.table.float(spelling, size)
            }
            Type::Complex(_) => {
                let spelling = format!("complex of mode {mode}");
                self.table.basic(&spelling, || Type::Complex(size * 2))
            }
            _ => id,
        }
    }
}
