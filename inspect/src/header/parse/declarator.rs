//! Declarators: the part of a declaration that wraps a name in pointers, arrays and functions.

use super::super::table::Qualified;
use super::super::token::TokenKind;
use super::attributes::Attributes;
use super::memory::Statement;
use super::specifiers::plain;
use super::{Parser, Reason};
use crate::{Convention, Parameter, Signature, Type};

/// A name, if there is one, and the parts around it, from the inside out.
#[derive(Debug, Default)]
pub(super) struct Declarator {
    pub(super) name: Option<usize>,
    pub(super) parts: Vec<Part>,
    /// Whether the outermost pointer may be NULL, if a qualifier says it.
    nullable: Option<bool>,
    /// What is written among its pointers about memory.
    pub(super) memory: Vec<Statement>,
}

#[derive(Debug)]
pub(super) enum Part {
    Pointer { constant: bool },
    Array(Length),
    Function(Parameters),
}

/// The parameters of a function.
#[derive(Debug)]
pub(super) struct Parameters {
    list: Vec<Parameter>,
    /// What is written beside each parameter about memory, with its position.
    memory: Vec<(usize, Statement)>,
    variadic: bool,
    /// `f()`, which leaves them unspecified.
    unknown: bool,
    convention: Option<Convention>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Length {
    /// `[]`
    Open,
    Known(u64),
    /// There is one, but it cannot be computed here: `int m[n]` in a parameter list.
    Unknown,
}

impl<'s> Parser<'s> {
    /// A declarator, with or without a name.
    pub(super) fn declarator(&mut self) -> Result<Declarator, Reason> {
        self.deeper(|this| Ok(this.declarator_after(Attributes::default())?.0))
    }

    /// A declarator, and the convention before its pointers: in parentheses, it belongs to the function
    /// outside.
    fn declarator_after(
        &mut self,
        mut before: Attributes,
    ) -> Result<(Declarator, Option<Convention>), Reason> {
        self.attributes(&mut before)?;
        let mut pointers = Vec::new();
        while matches!(self.peek(), "*" | "^") {
            self.at += 1;
            let mut constant = false;
            before.nullable = None;
            loop {
                self.attributes(&mut before)?;
                match self.peek() {
                    "const" | "__const" | "__const__" => constant = true,
                    "volatile" | "__volatile" | "__volatile__" | "restrict" | "__restrict"
                    | "__restrict__" | "_Atomic" => {}
                    _ => break,
                }
                self.at += 1;
            }
            pointers.push(Part::Pointer { constant });
        }
        let mut found = Declarator::default();
        let mut inner_convention = None;
        match self.token() {
            Some(token) if token.kind == TokenKind::Identifier => {
                found.name = Some(self.at);
                self.at += 1;
            }
            Some(token) if token.text == "(" && self.opens_declarator() => {
                self.at += 1;
                (found, inner_convention) =
                    self.deeper(|this| this.declarator_after(Attributes::default()))?;
                self.expect(")")?;
            }
            _ => {}
        }
        self.suffixes(&mut found.parts, inner_convention)?;
        found.parts.extend(pointers.into_iter().rev());
        found.nullable = before.nullable.or(found.nullable);
        found.memory.append(&mut before.memory);
        Ok((found, before.convention))
    }

    /// Whether the parenthesis here surrounds a declarator, not parameters.
    fn opens_declarator(&self) -> bool {
        let next = self.ahead(1);
        match self.unit.tokens.get(self.at + 1) {
            // `(__stdcall *f)` and `(name)`, but not `(int)` and `(size_t)`. Both may begin with an
            // attribute.
            Some(token) if token.kind == TokenKind::Identifier => match next {
                "__attribute__" | "__extension__" => self.pointer_follows_attribute(),
                _ => !self.begins_type_at(1) && next != "void",
            },
            Some(_) => matches!(next, "*" | "^" | "(" | "["),
            None => false,
        }
    }

    /// Whether the attribute after the parenthesis here belongs to a pointer.
    fn pointer_follows_attribute(&self) -> bool {
        let rest = self.unit.tokens.get(self.at + 2..).unwrap_or_default();
        let mut depth = 0_u32;
        for token in rest {
            match token.text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                text if depth == 0 => return text == "*",
                _ => {}
            }
        }
        false
    }

    fn suffixes(&mut self, parts: &mut Vec<Part>, mut convention: Option<Convention>) -> Result<(), Reason> {
        loop {
            match self.peek() {
                "[" if self.ahead(1) != "[" => {
                    let length = self.array_length()?;
                    parts.push(Part::Array(length));
                }
                "(" => {
                    let mut parameters = self.deeper(Self::parameters)?;
                    parameters.convention = convention.take();
                    parts.push(Part::Function(parameters));
                }
                _ => return Ok(()),
            }
        }
    }

    fn array_length(&mut self) -> Result<Length, Reason> {
        let start = self.at;
        self.at += 1;
        while matches!(
            self.peek(),
            "static" | "const" | "restrict" | "__restrict" | "__restrict__" | "volatile"
        ) {
            self.at += 1;
        }
        if self.eat("]") {
            return Ok(Length::Open);
        }
        if self.peek() == "*" && self.ahead(1) == "]" {
            self.at += 2;
            return Ok(Length::Open);
        }
        let value = self.constant();
        if let Ok(value) = value
            && self.eat("]")
        {
            return u64::try_from(value.value)
                .map(Length::Known)
                .map_err(|_| "an array of a negative length".to_owned());
        }
        self.at = start;
        self.skip_group()?;
        Ok(Length::Unknown)
    }

    fn parameters(&mut self) -> Result<Parameters, Reason> {
        self.expect("(")?;
        let mut found = Parameters {
            list: Vec::new(),
            memory: Vec::new(),
            variadic: false,
            unknown: false,
            convention: None,
        };
        if self.eat(")") {
            found.unknown = !self.empty_is_void;
            return Ok(found);
        }
        if self.peek() == "void" && self.ahead(1) == ")" {
            self.at += 2;
            return Ok(found);
        }
        loop {
            if self.eat("...") {
                found.variadic = true;
                self.expect(")")?;
                return Ok(found);
            }
            let first = self.at;
            let (mut parameter, memory) = self.parameter()?;
            parameter.comment = self.beside(first, self.at);
            let position = found.list.len() + 1;
            found.memory.extend(memory.into_iter().map(|statement| (position, statement)));
            found.list.push(parameter);
            if self.eat(")") {
                return Ok(found);
            }
            self.expect(",")?;
        }
    }

    fn parameter(&mut self) -> Result<(Parameter, Vec<Statement>), Reason> {
        let specifiers = self.specifiers()?;
        let mut declarator = self.declarator()?;
        let mut attributes = specifiers.attributes;
        self.attributes(&mut attributes)?;
        let mut memory = std::mem::take(&mut attributes.memory);
        memory.append(&mut declarator.memory);
        // It is passed as a pointer, whatever its length.
        if let Some(Part::Array(length @ Length::Unknown)) = declarator.parts.first_mut() {
            *length = Length::Open;
        }
        let name = declarator.name.map(|name| self.text(name).to_owned());
        let mut of = self.build(specifiers.of, &declarator, &attributes);
        let (mut array, mut is_array) = (None, false);
        match self.table.types.resolve(of.id) {
            Type::Array { of: element, length } => {
                array = *length;
                is_array = true;
                of.id = *element;
                of.id = self.table.pointer(of);
            }
            Type::Function(_) => of.id = self.table.pointer(plain(of.id)),
            _ => of.id = self.table.transparent(of.id).unwrap_or(of.id),
        }
        let nullable = declarator.nullable;
        let parameter =
            Parameter { name, of: of.id, array, is_array, nullable, direction: None, comment: None };
        Ok((parameter, memory))
    }

    /// The type of the name in `declarator`.
    pub(super) fn build(
        &mut self,
        base: Qualified,
        declarator: &Declarator,
        attributes: &Attributes,
    ) -> Qualified {
        let mut of = base;
        if let Some(mode) = &attributes.mode {
            of.id = self.with_mode(of.id, mode);
        }
        if let Some(size) = attributes.vector {
            let spelling = format!("vector of {size} bytes of {}", self.table.types.spelling(of.id));
            of.id = self.table.other(&spelling, Some(size));
        }
        let first = declarator.parts.iter().position(|part| matches!(part, Part::Function(_)));
        for (index, part) in declarator.parts.iter().enumerate().rev() {
            of = match part {
                Part::Pointer { constant } => Qualified { id: self.table.pointer(of), constant: *constant },
                Part::Array(Length::Open) => Qualified { id: self.table.array(of.id, None), ..of },
                Part::Array(Length::Known(length)) => {
                    Qualified { id: self.table.array(of.id, Some(*length)), ..of }
                }
                Part::Array(Length::Unknown) => {
                    let spelling = format!("{}[…]", self.table.types.spelling(of.id));
                    plain(self.table.other(&spelling, None))
                }
                Part::Function(parameters) if parameters.unknown => {
                    let spelling = format!("{} ()", self.table.types.spelling(of.id));
                    plain(self.table.other(&spelling, None))
                }
                Part::Function(parameters) => {
                    let outer = if Some(index) == first { attributes.convention } else { None };
                    let signature = Signature {
                        parameters: parameters.list.clone(),
                        returns: of.id,
                        variadic: parameters.variadic,
                        convention: parameters.convention.or(outer).unwrap_or_default(),
                    };
                    plain(self.table.types.add(Type::Function(Box::new(signature))))
                }
            };
        }
        of
    }

    /// What is written beside the parameters of the function that `declarator` declares, with their positions.
    pub(super) fn beside_parameters(declarator: &Declarator) -> &[(usize, Statement)] {
        match declarator.parts.first() {
            Some(Part::Function(parameters)) => &parameters.memory,
            _ => &[],
        }
    }

    /// Whether `declarator` declares a function without a prototype.
    pub(super) fn without_prototype(declarator: &Declarator) -> bool {
        matches!(declarator.parts.first(), Some(Part::Function(parameters)) if parameters.unknown)
    }
}
