//! Constant expressions: array lengths, enumerator values, bit-field widths, macros.

use super::super::token::TokenKind;
use super::super::value::Value;
use super::{Parser, Reason};
use crate::Type;

/// The operators, from lowest to highest precedence.
const BINARY: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl<'s> Parser<'s> {
    /// A constant expression, without a comma.
    pub(super) fn constant(&mut self) -> Result<Value, Reason> {
        self.deeper(|this| {
            let condition = this.binary(0)?;
            if !this.eat("?") {
                return Ok(condition);
            }
            // The branch that is not taken need not be computable.
            let yes = this.constant_or_skip(":")?;
            this.expect(":")?;
            let no = this.constant_or_skip(")")?;
            let chosen = if condition.value == 0 { no } else { yes };
            chosen.ok_or_else(|| "it is not a constant expression".to_owned())
        })
    }

    fn constant_or_skip(&mut self, end: &str) -> Result<Option<Value>, Reason> {
        let start = self.at;
        if let Ok(value) = self.constant() {
            return Ok(Some(value));
        }
        self.at = start;
        while !matches!(self.peek(), "" | "," | ";" | "}" | "]") && self.peek() != end {
            if self.peek() == "(" {
                self.skip_group()?;
            } else {
                self.at += 1;
            }
        }
        Ok(None)
    }

    fn binary(&mut self, level: usize) -> Result<Value, Reason> {
        let Some(operators) = BINARY.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while operators.contains(&self.peek()) {
            let operator = self.peek();
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = left
                .binary(operator, right)
                .ok_or_else(|| format!("C does not define the result of `{operator}` here"))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Value, Reason> {
        self.deeper(|this| {
            let operator = this.peek();
            match operator {
                "+" | "-" | "~" => {
                    this.at += 1;
                    let value = this.unary()?.promoted();
                    let result = match operator {
                        "-" => value.value.wrapping_neg(),
                        "~" => !value.value,
                        _ => value.value,
                    };
                    Ok(Value { value: result, ..value }.cast(value.size, value.signed))
                }
                "!" => {
                    this.at += 1;
                    let value = this.unary()?;
                    Ok(Value::int(i128::from(value.value == 0)))
                }
                "__extension__" => {
                    this.at += 1;
                    this.unary()
                }
                "sizeof" => this.size_of(),
                "_Alignof" | "__alignof__" | "__alignof" | "alignof" => {
                    this.at += 1;
                    this.expect("(")?;
                    let id = this.type_name()?.id;
                    this.expect(")")?;
                    this.size(this.table.layout(id).map(|(_, align)| align))
                }
                "__builtin_offsetof" => this.offset_of(),
                _ => this.primary(),
            }
        })
    }

    fn size(&self, size: Option<u64>) -> Result<Value, Reason> {
        let value = size.ok_or_else(|| "the size of a type is unknown".to_owned())?;
        Ok(Value { value: value.into(), size: self.table.target.pointer, signed: false })
    }

    fn size_of(&mut self) -> Result<Value, Reason> {
        self.at += 1;
        if self.peek() == "(" {
            self.at += 1;
            if self.begins_type() {
                let id = self.type_name()?.id;
                self.expect(")")?;
                return self.size(self.table.layout(id).map(|(size, _)| size));
            }
            self.at -= 1;
        }
        if let Some(token) = self.token()
            && token.kind == TokenKind::String
            && !token.text.contains('\\')
        {
            self.at += 1;
            let length = token.text.trim_matches('"').len() as u64 + 1;
            return self.size(Some(length));
        }
        let value = self.unary()?;
        self.size(Some(value.size))
    }

    fn offset_of(&mut self) -> Result<Value, Reason> {
        self.at += 1;
        self.expect("(")?;
        let id = self.type_name()?.id;
        self.expect(",")?;
        let name = self.peek();
        self.at += 1;
        self.expect(")")?;
        let Type::Record(record) = self.table.types.resolve(id) else {
            return Err("offsetof needs a struct".to_owned());
        };
        let member = record.members.iter().find(|member| member.name.as_deref() == Some(name));
        let offset = member.and_then(|member| member.offset);
        self.size(offset)
    }

    fn primary(&mut self) -> Result<Value, Reason> {
        let Some(token) = self.token() else { return Err("an expression is cut off".to_owned()) };
        let no_constant = || format!("`{}` is not a constant", token.text);
        match token.kind {
            TokenKind::Number => {
                self.at += 1;
                Value::literal(token.text, &self.table.target).ok_or_else(no_constant)
            }
            TokenKind::Character => {
                self.at += 1;
                Value::character(token.text, &self.table.target).ok_or_else(no_constant)
            }
            TokenKind::Identifier => {
                let value = self.enumerators.get(token.text).copied().ok_or_else(no_constant)?;
                self.at += 1;
                Ok(value)
            }
            TokenKind::Punctuation if token.text == "(" => {
                self.at += 1;
                if self.begins_type() {
                    let id = self.type_name()?.id;
                    self.expect(")")?;
                    let value = self.unary()?;
                    return match self.table.types.resolve(id) {
                        Type::Integer(to) | Type::Enum { integer: to, .. } => {
                            Ok(value.cast(to.size, to.signed))
                        }
                        Type::Bool => {
                            Ok(Value { value: i128::from(value.value != 0), size: 1, signed: false })
                        }
                        _ => Err("a cast to a type that is not an integer".to_owned()),
                    };
                }
                let value = self.constant()?;
                self.expect(")")?;
                Ok(value)
            }
            _ => Err(no_constant()),
        }
    }
}
