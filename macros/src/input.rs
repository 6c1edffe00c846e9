//! The input of the macro: the path of the document, then options.

use opendyn_codegen::{Options, Strings, Unchecked};

use crate::compiler::{Delimiter, Span, TokenStream};
use crate::cursor::{Cursor, Text};
use crate::errors::Errors;
use crate::locate;

#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) path: Text,
    pub(crate) options: Options,
    pub(crate) debug: bool,
    pub(crate) show_warnings: bool,
}

const OPTIONS: &str = "name, rename, optional, strip_prefix, strings, unchecked, check, warnings, debug";

impl Input {
    pub(crate) fn parse(tokens: TokenStream) -> Result<Self, Errors> {
        let mut cursor = Cursor::new(tokens, Span::call_site());
        let path = cursor
            .text()
            .ok_or_else(|| cursor.error("expected the path of an OpenDyn document, such as \"calc.json\""))?;
        let mut input = Self { path, options: Options::default(), debug: false, show_warnings: false };
        let mut seen: Vec<String> = Vec::new();
        let mut errors = Errors::default();
        if !cursor.is_empty()
            && let Err(error) = cursor.punct(',')
        {
            errors.extend(error);
            cursor.skip_entry();
        }
        if let Err(found) = cursor.entries(|cursor| input.option(cursor, &mut seen)) {
            errors.extend(found);
        }
        if errors.is_empty() { Ok(input) } else { Err(errors) }
    }

    /// Reads `name = value`.
    fn option(&mut self, cursor: &mut Cursor, seen: &mut Vec<String>) -> Result<(), Errors> {
        let Some(ident) = cursor.ident() else {
            return Err(cursor.error(&format!("expected the name of an option; the options are {OPTIONS}")));
        };
        let option = ident.to_string();
        if seen.contains(&option) {
            return Err(Errors::new(ident.span(), format_args!("`{option}` is given twice")));
        }
        cursor.punct('=')?;
        match option.as_str() {
            "name" => self.options.name = Some(name(cursor)?),
            "rename" => {
                let mut entries = group(cursor, Delimiter::Brace, "expected curly braces")?;
                entries.entries(|entry| {
                    let function = name(entry)?;
                    entry.punct('=')?;
                    self.options.rename.insert(function, name(entry)?);
                    Ok(())
                })?;
            }
            "optional" => {
                let mut names = group(cursor, Delimiter::Bracket, "expected square brackets")?;
                names.entries(|entry| {
                    self.options.optional.insert(name(entry)?);
                    Ok(())
                })?;
            }
            "strip_prefix" => self.options.strip_prefix = Some(text(cursor)?),
            "strings" => {
                let choices = [("cstr", Strings::CStr), ("str", Strings::Str)];
                self.options.strings = choice(cursor, &choices, "expected `str` or `cstr`")?;
            }
            "unchecked" => {
                let choices = [("refuse", Unchecked::Refuse), ("allow", Unchecked::Allow)];
                self.options.unchecked = choice(cursor, &choices, "expected `refuse` or `allow`")?;
            }
            "check" => self.options.check_library = Some(locate::library(text(cursor)?)),
            "warnings" => {
                let choices = [("hide", false), ("show", true)];
                self.show_warnings = choice(cursor, &choices, "expected `hide` or `show`")?;
            }
            "debug" => {
                let choices = [("false", false), ("true", true)];
                self.debug = choice(cursor, &choices, "expected boolean literal")?;
            }
            other => {
                let message = format_args!("unknown option `{other}`; the options are {OPTIONS}");
                return Err(Errors::new(ident.span(), message));
            }
        }
        seen.push(option);
        Ok(())
    }
}

/// A name as an identifier or, if it is not an identifier, as a string.
fn name(cursor: &mut Cursor) -> Result<String, Errors> {
    if let Some(text) = cursor.text() {
        return Ok(text.value);
    }
    let ident = cursor.ident().ok_or_else(|| cursor.error("expected a name, such as `Calc`"))?.to_string();
    Ok(ident.strip_prefix("r#").unwrap_or(&ident).to_owned())
}

fn text(cursor: &mut Cursor) -> Result<String, Errors> {
    let text = cursor.text().ok_or_else(|| cursor.error("expected string literal"))?;
    Ok(text.value)
}

fn group(cursor: &mut Cursor, delimiter: Delimiter, expected: &str) -> Result<Cursor, Errors> {
    cursor.group(delimiter).ok_or_else(|| cursor.error(expected))
}

fn choice<T: Copy>(cursor: &mut Cursor, choices: &[(&str, T)], expected: &str) -> Result<T, Errors> {
    let error = cursor.error(expected);
    let word = cursor.ident().map(|word| word.to_string());
    let chosen = choices.iter().find(|(name, _)| word.as_deref() == Some(*name));
    chosen.map(|(_, value)| *value).ok_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(input: &str) -> Result<Input, Errors> {
        Input::parse(input.parse().expect("tokens"))
    }

    #[test]
    fn every_option_is_read() {
        let input = parse(
            r#""a.json", name = r#Calc, rename = { "get-x" = get_x, add = "sum" }, optional = [fancy, "x-y",],
            strip_prefix = "calc_", unchecked = allow, warnings = show, debug = true, check = "libz.so.1","#,
        )
        .expect("an input");
        assert_eq!(input.path.value, "a.json");
        assert_eq!(input.options.name.as_deref(), Some("Calc"));
        let renamed = [("add", "sum"), ("get-x", "get_x")].map(|(from, to)| (from.to_owned(), to.to_owned()));
        assert!(input.options.rename.into_iter().eq(renamed));
        assert!(input.options.optional.into_iter().eq(["fancy".to_owned(), "x-y".to_owned()]));
        assert_eq!(input.options.strip_prefix.as_deref(), Some("calc_"));
        assert_eq!(input.options.unchecked, Unchecked::Allow);
        assert_eq!(input.options.check_library.as_deref(), Some("libz.so.1"));
        assert!(input.show_warnings && input.debug);
    }

    #[test]
    fn every_wrong_option_is_reported() {
        let errors =
            parse(r#""a.json", nmae = X, name = 7 8, debug, name = A, optional = [3, f g], name = B, = 4"#);
        let expected = [
            "unknown option `nmae`; the options are name, rename, optional, strip_prefix, strings, unchecked, check, warnings, debug",
            "expected a name, such as `Calc`",
            "expected `=`",
            "expected a name, such as `Calc`",
            "expected `,`",
            "`name` is given twice",
            "expected the name of an option; the options are name, rename, optional, strip_prefix, strings, unchecked, check, warnings, debug",
        ];
        assert_eq!(errors.expect_err("errors").messages(), expected);
    }

    #[test]
    fn the_end_of_the_input_is_named() {
        for (input, expected) in [
            ("", "unexpected end of input, expected the path of an OpenDyn document, such as \"calc.json\""),
            ("\"a\", name =", "unexpected end of input, expected a name, such as `Calc`"),
            ("\"a\", check =", "unexpected end of input, expected string literal"),
            ("\"a\", rename = { a = }", "unexpected end of input, expected a name, such as `Calc`"),
            ("\"a\", name", "expected `=`"),
            ("\"a\"; name", "expected `,`"),
        ] {
            assert_eq!(parse(input).expect_err("an error").messages(), [expected], "{input}");
        }
    }
}
