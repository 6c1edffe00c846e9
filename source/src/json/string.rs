//! Strings, without their quotes and escapes.

use super::Failure;
use super::read::Reader;

impl<'s> Reader<'s> {
    /// Reads a string, whose opening quote is the next byte.
    pub(super) fn string(&mut self) -> Result<String, Failure> {
        self.at += 1;
        let text = self.plain();
        if self.take(b'"') {
            return Ok(text.to_owned());
        }
        let mut string = text.to_owned();
        loop {
            match self.peek() {
                None => return Err(self.ends_inside("a string")),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                Some(control) => {
                    let message = match control {
                        b'\n' | b'\r' => "a string contains a line break: write `\\n`".to_owned(),
                        b'\t' => "a string contains a tab: write `\\t`".to_owned(),
                        other => format!(
                            "a string contains the control character U+{other:04X}: write `\\u{other:04x}`"
                        ),
                    };
                    return Err(Failure::Syntax { at: self.at, message });
                }
            }
            string.push_str(self.plain());
        }
    }

    /// Reads up to a quote, an escape, a control character or the end.
    fn plain(&mut self) -> &'s str {
        let start = self.at;
        let rest = &self.source.as_bytes()[start..];
        let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
        self.at += rest.iter().position(is_special).unwrap_or(rest.len());
        &self.source[start..self.at]
    }

    /// Reads an escape, whose backslash is the next byte.
    fn escape(&mut self) -> Result<char, Failure> {
        let start = self.at;
        self.at += 1;
        let escape = self.peek().ok_or_else(|| self.ends_inside("a string"))?;
        self.at += 1;
        Ok(match escape {
            b'"' | b'\\' | b'/' => char::from(escape),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(start),
            _ => {
                let escape = self.source[start + 1..].chars().next().unwrap_or_default();
                let message = format!("`\\{escape}` is not an escape; a backslash itself is written `\\\\`");
                return Err(Failure::Syntax { at: start, message });
            }
        })
    }

    /// Reads the digits behind `\u`, and the second half where they are the first half of a pair.
    fn unicode(&mut self, start: usize) -> Result<char, Failure> {
        let first = self.hex(start)?;
        let code = match first {
            0xd800..=0xdbff => {
                let second = self.at;
                let is_pair = self.source[second..].starts_with("\\u");
                self.at += if is_pair { 2 } else { 0 };
                match if is_pair { self.hex(second)? } else { 0 } {
                    low @ 0xdc00..=0xdfff => 0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00),
                    _ => first,
                }
            }
            other => other,
        };
        // Halves alone are the only codes of four digits that are not characters.
        char::from_u32(code).ok_or_else(|| Failure::Syntax {
            at: start,
            message: format!("`\\u{first:04x}` is half of a surrogate pair; the other half is missing"),
        })
    }

    /// Reads four hexadecimal digits.
    fn hex(&mut self, start: usize) -> Result<u32, Failure> {
        let digits = self.source.as_bytes().get(self.at..self.at + 4).unwrap_or_default();
        let value =
            digits.iter().try_fold(0, |value, digit| Some(value << 4 | char::from(*digit).to_digit(16)?));
        match value {
            Some(value) if digits.len() == 4 => {
                self.at += 4;
                Ok(value)
            }
            _ if self.source[self.at..].bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                Err(self.ends_inside("a string"))
            }
            _ => Err(Failure::Syntax {
                at: start,
                message: "`\\u` needs four hexadecimal digits; a backslash itself is written `\\\\`"
                    .to_owned(),
            }),
        }
    }
}
