//! The declarations of a unit, one after the other.

use super::super::token::TokenKind;
use super::attributes::Attributes;
use super::declarator::Declarator;
use super::memory::Statement;
use super::specifiers::Specifiers;
use super::{Declared, Item, Parser, Reason};
use crate::{Attribute, AttributeKind, AttributeSource, Signature, Skipped, Type};

/// How much of an unreadable declaration is shown.
const SHOWN: usize = 100;

impl<'s> Parser<'s> {
    /// Reads all declarations.
    pub(in super::super) fn run(&mut self) {
        while let Some(token) = self.token() {
            let first = self.at;
            let functions = self.functions.len();
            // `extern "C" {` closes here too.
            if matches!(token.text, ";" | "}") {
                self.at += 1;
                continue;
            }
            self.depth = 0;
            if let Err(reason) = self.external() {
                self.functions.truncate(functions);
                self.at = first;
                self.skip_declaration();
                if self.own.has(token.file) {
                    let skipped = Skipped { place: self.place(first), text: self.shown(first), reason };
                    self.skipped.push(skipped);
                }
            }
            let last = self.at.saturating_sub(1).max(first);
            self.items.push(Item { tokens: (first, last), functions: functions..self.functions.len() });
        }
    }

    fn shown(&self, first: usize) -> String {
        let mut text = String::new();
        for token in self.unit.tokens.get(first..self.at).unwrap_or_default() {
            let glued = matches!(token.text, ")" | "," | ";" | "]")
                || text.ends_with(['(', '[', '*'])
                || text.is_empty();
            if text.len() + token.text.len() > SHOWN {
                text.push_str(" …");
                break;
            }
            if !glued {
                text.push(' ');
            }
            text.push_str(token.text);
        }
        text
    }

    /// Skips to the end of a declaration: its semicolon, or the brace that ends its body. Other brackets are
    /// ignored, because one may be missing.
    fn skip_declaration(&mut self) {
        let mut braces = 0_u32;
        let mut body_of_function = false;
        let start = self.at;
        while let Some(token) = self.token() {
            self.at += 1;
            match token.text {
                ";" if braces == 0 => return,
                "{" => {
                    if braces == 0 {
                        body_of_function = self.at > start + 1 && self.text(self.at - 2) == ")";
                    }
                    braces += 1;
                }
                "}" => {
                    braces = braces.saturating_sub(1);
                    if braces == 0 && body_of_function {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    fn external(&mut self) -> Result<(), Reason> {
        match self.peek() {
            "_Static_assert" | "static_assert" => {
                self.at += 1;
                self.skip_group()?;
                self.eat(";");
                return Ok(());
            }
            "asm" | "__asm__" | "__asm" => {
                self.skip_declaration();
                return Ok(());
            }
            "extern" if self.ahead(1).starts_with('"') && self.ahead(2) == "{" => {
                self.at += 3;
                return Ok(());
            }
            _ => {}
        }
        let first = self.at;
        let mut specifiers = self.specifiers()?;
        if self.eat(";") {
            return Ok(());
        }
        loop {
            let declarator = self.declarator()?;
            let mut attributes = specifiers.attributes.clone();
            let mut symbol = None;
            loop {
                self.attributes(&mut attributes)?;
                match self.peek() {
                    "asm" | "__asm__" | "__asm" => symbol = Some(self.label()?),
                    _ => break,
                }
            }
            let body = self.declare(&specifiers, &declarator, &attributes, symbol)?;
            if body {
                return Ok(());
            }
            self.call_nameless(&mut specifiers, &declarator);
            if self.eat("=") {
                while !matches!(self.peek(), "," | ";" | "") {
                    if matches!(self.peek(), "(" | "{" | "[") {
                        self.skip_group()?;
                    } else {
                        self.at += 1;
                    }
                }
            }
            if specifiers.typedef
                && let Some(name) = declarator.name
                && let Some(text) = self.beside(first, self.at)
            {
                let said = (text, self.place(name));
                self.type_comments.entry(self.text(name).to_owned()).or_insert(said);
            }
            if self.eat(";") {
                return Ok(());
            }
            self.expect(",")?;
        }
    }

    /// `typedef struct { … } thing, *thing_pointer;`: the first name is the only name of the type, so the
    /// other declarators refer to it.
    fn call_nameless(&self, specifiers: &mut Specifiers, declarator: &Declarator) {
        let nameless = match self.table.types.get(specifiers.of.id) {
            Type::Record(record) => record.name.is_none(),
            Type::Enum { name, .. } => name.is_none(),
            _ => false,
        };
        let alias = declarator.name.and_then(|name| self.typedefs.get(self.text(name)));
        if let Some(alias) = alias.filter(|_| specifiers.typedef && nameless && declarator.parts.is_empty()) {
            specifiers.of.id = alias.id;
        }
    }

    /// `__asm__("name")`: the symbol, without the prefix that the compiler adds to every symbol.
    fn label(&mut self) -> Result<String, Reason> {
        self.at += 1;
        self.expect("(")?;
        let mut name = String::new();
        while let Some(token) = self.token().filter(|token| token.kind == TokenKind::String) {
            name.push_str(token.text.trim_matches('"'));
            self.at += 1;
        }
        self.expect(")")?;
        Ok(name.strip_prefix(self.prefix).map(str::to_owned).unwrap_or(name))
    }

    /// Records a declaration. Returns whether it was a function definition, which ends without a semicolon.
    fn declare(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        attributes: &Attributes,
        symbol: Option<String>,
    ) -> Result<bool, Reason> {
        let Some(token) = declarator.name else {
            return Err(format!("a name is expected before `{}`", self.peek()));
        };
        let name = self.text(token);
        let of = self.build(specifiers.of, declarator, attributes);
        if specifiers.typedef {
            if !self.typedefs.contains_key(name) {
                let id = self.table.types.add(Type::Alias { name: name.to_owned(), of: of.id });
                if let Some(aligned) = attributes.aligned {
                    self.table.align(id, of.id, aligned);
                }
                if attributes.transparent {
                    self.table.make_transparent(id);
                }
                self.typedefs.insert(name, super::Qualified { id, ..of });
            }
            return Ok(false);
        }
        let signature = match self.table.types.resolve(of.id) {
            Type::Function(signature) => Ok((**signature).clone()),
            _ if Self::without_prototype(declarator) => Err(format!(
                "it is declared without a prototype: `{name}()` leaves its parameters unspecified"
            )),
            _ => return Ok(false),
        };
        let attributes = self.statements(&signature, declarator, attributes);
        self.functions.push(Declared {
            name,
            attributes,
            symbol: symbol.filter(|symbol| symbol != name),
            signature,
            token,
            private: specifiers.is_static || specifiers.inline,
        });
        if self.peek() == "{" {
            self.skip_group()?;
            return Ok(true);
        }
        // The parameters of a K&R definition are declared before its body.
        if self.functions.last().is_some_and(|function| function.signature.is_err()) && self.begins_type() {
            self.skip_declaration();
            return Ok(true);
        }
        Ok(false)
    }

    /// What the attributes of a function, of its pointers and of its parameters say about memory.
    fn statements(
        &self,
        signature: &Result<Signature, String>,
        declarator: &Declarator,
        attributes: &Attributes,
    ) -> Vec<Attribute> {
        let parameters = signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        let names: Vec<Option<&str>> = parameters.iter().map(|parameter| parameter.name.as_deref()).collect();
        let mut found = Vec::new();
        let mut add = |statement: &Statement, kinds: Vec<AttributeKind>| {
            let (text, place) = (statement.text(), self.place(statement.token));
            found.extend(kinds.into_iter().map(|of| Attribute {
                of,
                text: text.clone(),
                place: place.clone(),
                source: AttributeSource::Declaration,
            }));
        };
        for statement in attributes.memory.iter().chain(&declarator.memory) {
            add(statement, statement.of_function(&names));
        }
        for (position, statement) in Self::beside_parameters(declarator) {
            add(statement, statement.of_value(*position, &names));
        }
        found
    }
}
