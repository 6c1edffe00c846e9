//! The signature of a function, from its entry and the entries that it is an instance of.

use gimli::{AttributeValue, constants as c};

use super::program::{Die, Entry, Program};
use super::types::Reader;
use crate::exports::Export;
use crate::interface::{Convention, Parameter};
use crate::types::{Integer, Signature, Type, TypeId};

/// An inlined or specialized function leads to its origin in two or three steps.
const LONGEST_CHAIN: usize = 8;

/// The entry, and those that it completes: its abstract origin and its declaration.
pub(super) fn chain<'a>(program: &Program<'a>, die: Die) -> Vec<(Die, Entry<'a>)> {
    let mut chain = Vec::new();
    let mut next = Some(die);
    while let Some(die) = next
        && chain.len() < LONGEST_CHAIN
        && let Some(entry) = program.entry(die)
    {
        next = program
            .target(die, &entry, c::DW_AT_abstract_origin)
            .or_else(|| program.target(die, &entry, c::DW_AT_specification));
        chain.push((die, entry));
    }
    chain
}

/// The parameters of an entry, before their types are read.
#[derive(Default)]
struct Written {
    parameters: Vec<(Option<String>, Option<TypeId>)>,
    dots: bool,
}

impl<'a> Reader<'_, 'a> {
    /// The signature of a function, or why it is unknown.
    pub fn function(&mut self, die: Die, is_declaration: bool, export: &Export) -> Result<Signature, String> {
        let chain = chain(self.program, die);
        let Some((origin, _)) = chain.last() else {
            return Err("its debug info refers to an entry that cannot be read".to_owned());
        };
        let language = self.program.language(*origin);
        if language.is_some_and(is_assembler) {
            return Err("it is written in assembly, which has no types".to_owned());
        }
        let is_prototyped = chain.iter().any(|(_, entry)| entry.has_attr(c::DW_AT_prototyped));
        let returns = chain.iter().find(|(_, entry)| entry.has_attr(c::DW_AT_type));
        let written = self.parameters(&chain);
        if !is_prototyped && returns.is_none() && written.parameters.is_empty() && !self.has_types(*origin) {
            return Err("its debug info has no types: compiled with -g1 or only for line numbers".to_owned());
        }
        let is_old = !is_prototyped && language.is_some_and(is_c);
        if is_old && is_declaration {
            return Err("it is declared without a prototype".to_owned());
        }
        let returns = match returns {
            Some((die, entry)) => self.type_of(*die, entry).ok_or("its return type cannot be read")?,
            None => self.void(),
        };
        let mut parameters = Vec::with_capacity(written.parameters.len());
        for (index, (name, of)) in written.parameters.into_iter().enumerate() {
            let of = of.ok_or_else(|| format!("the type of its parameter {} cannot be read", index + 1))?;
            parameters.push(Parameter {
                name,
                of,
                array: None,
                comment: None,
                direction: None,
                is_array: false,
                nullable: None,
            });
        }
        self.drain();
        if is_old {
            parameters.iter_mut().for_each(|parameter| parameter.of = self.promoted(parameter.of));
        }
        let convention = chain.iter().find_map(|(_, entry)| self.convention(entry));
        Ok(Signature {
            parameters,
            returns,
            variadic: written.dots && !is_old,
            convention: export.convention.or(convention).unwrap_or_default(),
        })
    }

    /// The signature behind the function pointer that an IFUNC resolver returns, and its spelling.
    pub fn chosen(&mut self, die: Die) -> Option<(String, Signature)> {
        let chain = chain(self.program, die);
        let (die, entry) = chain.iter().find(|(_, entry)| entry.has_attr(c::DW_AT_type))?;
        let pointer = self.type_of(*die, entry)?;
        self.drain();
        let Type::Pointer { to, .. } = self.types.resolve(pointer) else { return None };
        match self.types.resolve(*to) {
            Type::Function(signature) => Some((self.types.spelling(*to), (**signature).clone())),
            _ => None,
        }
    }

    /// The spelling of the signature, to compare two entries.
    pub fn spelled(&mut self, die: Die) -> String {
        let chain = chain(self.program, die);
        let returns = chain.iter().find(|(_, entry)| entry.has_attr(c::DW_AT_type));
        let returns = returns.and_then(|(die, entry)| self.type_of(*die, entry));
        let written = self.parameters(&chain);
        self.drain();
        let spelled = |id: Option<TypeId>| id.map_or_else(String::new, |id| self.types.spelling(id));
        let parameters: Vec<String> = written.parameters.iter().map(|(_, of)| spelled(*of)).collect();
        format!("{} ({}) {}", spelled(returns), parameters.join(", "), written.dots)
    }

    /// A function type, as the target of a pointer.
    pub(super) fn function_type(&mut self, die: Die, entry: &Entry<'a>) -> Type {
        let written = self.children_parameters(die);
        let unknown = |reader: &mut Self| reader.unreadable();
        let returns = match entry.has_attr(c::DW_AT_type) {
            true => self.type_of(die, entry).unwrap_or_else(|| unknown(self)),
            false => self.void(),
        };
        let parameters: Vec<Parameter> = written
            .parameters
            .into_iter()
            .map(|(name, of)| Parameter {
                name,
                of: of.unwrap_or_else(|| unknown(self)),
                array: None,
                comment: None,
                direction: None,
                is_array: false,
                nullable: None,
            })
            .collect();
        // `int (*)()` is not variadic: its parameters are unspecified.
        let variadic = written.dots && (!parameters.is_empty() || entry.has_attr(c::DW_AT_prototyped));
        let convention = self.convention(entry).unwrap_or_default();
        Type::Function(Box::new(Signature { parameters, returns, variadic, convention }))
    }

    /// The parameters from the entry that has them in full: not an instance, whose parameters may have been
    /// optimized away.
    fn parameters(&mut self, chain: &[(Die, Entry<'a>)]) -> Written {
        let sources = chain.iter().filter(|(_, entry)| !entry.has_attr(c::DW_AT_abstract_origin));
        for (die, _) in sources {
            let written = self.children_parameters(*die);
            if !written.parameters.is_empty() || written.dots {
                return written;
            }
        }
        Written::default()
    }

    fn children_parameters(&mut self, die: Die) -> Written {
        let mut found = Vec::new();
        let mut written = Written::default();
        self.program.children(die, |child, entry| {
            match entry.tag() {
                c::DW_TAG_formal_parameter => found.push((child, entry.clone())),
                c::DW_TAG_unspecified_parameters => written.dots = true,
                _ => {}
            }
            true
        });
        for (child, entry) in found {
            let name = self.program.name(child, &entry);
            written.parameters.push((name, self.type_of(child, &entry)));
        }
        written
    }

    fn convention(&self, entry: &Entry<'a>) -> Option<Convention> {
        let AttributeValue::CallingConvention(convention) = entry.attr_value(c::DW_AT_calling_convention)?
        else {
            return None;
        };
        match convention {
            c::DW_CC_normal => None,
            // On targets with a single convention, another name for it has no meaning.
            _ if !self.target.has_stdcall && self.target.pointer == 4 => None,
            STDCALL if self.target.has_stdcall => Some(Convention::Stdcall),
            STDCALL => None,
            _ => Some(Convention::Other),
        }
    }

    /// The type that a function without a prototype receives: C promotes the argument.
    fn promoted(&mut self, id: TypeId) -> TypeId {
        let promoted = match self.types.resolve(id) {
            Type::Float { size: 4, .. } => Type::Float { size: 8, spelling: "double".to_owned() },
            Type::Integer(Integer { size: 1 | 2, .. }) | Type::Bool => {
                Type::Integer(Integer { size: 4, signed: true, spelling: "int".to_owned() })
            }
            _ => return id,
        };
        self.types.add(promoted)
    }

    /// Whether the unit of an entry has any type, or imports units that may have some.
    fn has_types(&mut self, die: Die) -> bool {
        let key = (die.file, die.unit);
        if let Some(known) = self.units_with_types.get(&key) {
            return *known;
        }
        let mut found = false;
        if let Some(unit) = self.program.unit(die) {
            let root = Die { offset: unit.header.root_offset().0, ..die };
            self.program.children(root, |_, entry| {
                found = matches!(
                    entry.tag(),
                    c::DW_TAG_base_type
                        | c::DW_TAG_typedef
                        | c::DW_TAG_pointer_type
                        | c::DW_TAG_structure_type
                        | c::DW_TAG_imported_unit
                );
                !found
            });
        }
        self.units_with_types.insert(key, found);
        found
    }
}

/// `stdcall` in the numbering of compilers for Windows.
const STDCALL: gimli::DwCc = gimli::DwCc(0xb2);

fn is_c(language: gimli::DwLang) -> bool {
    matches!(language, c::DW_LANG_C89 | c::DW_LANG_C | c::DW_LANG_C99 | c::DW_LANG_C11 | c::DW_LANG_C17 | C23)
}

fn is_assembler(language: gimli::DwLang) -> bool {
    matches!(language, c::DW_LANG_Mips_Assembler | c::DW_LANG_SUN_Assembler | ASSEMBLY)
}

// Newer than gimli's table of names.
const C23: gimli::DwLang = gimli::DwLang(0x3e);
const ASSEMBLY: gimli::DwLang = gimli::DwLang(0x31);
