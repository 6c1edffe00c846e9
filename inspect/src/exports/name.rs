//! Names of symbols: the decorations of 32-bit Windows.

use crate::interface::Convention;

/// The name of a symbol, and what its decoration says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decorated<'a> {
    pub name: &'a str,
    pub convention: Option<Convention>,
    pub argument_bytes: Option<u32>,
}

impl<'a> Decorated<'a> {
    /// A name without decoration.
    pub fn plain(name: &'a str) -> Self {
        Self { name, convention: None, argument_bytes: None }
    }

    /// A name of a 32-bit DLL: `name@12` and `_name@12` are stdcall, `@name@8` is fastcall.
    pub fn parse(symbol: &'a str) -> Self {
        let Some((name, bytes)) = symbol.rsplit_once('@') else { return Self::plain(symbol) };
        let is_number = !bytes.is_empty() && bytes.bytes().all(|byte| byte.is_ascii_digit());
        let Some(argument_bytes) = bytes.parse().ok().filter(|_| is_number) else {
            return Self::plain(symbol);
        };
        let (name, convention) = match name.strip_prefix('@') {
            Some(name) => (name, Convention::Other),
            None => (name.strip_prefix('_').unwrap_or(name), Convention::Stdcall),
        };
        if name.is_empty() {
            return Self::plain(symbol);
        }
        Self { name, convention: Some(convention), argument_bytes: Some(argument_bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decoration_of_stdcall_tells_the_argument_bytes() {
        for (symbol, name, convention, bytes) in [
            ("sub@16", "sub", Some(Convention::Stdcall), Some(16)),
            ("_sub@16", "sub", Some(Convention::Stdcall), Some(16)),
            ("@sub@8", "sub", Some(Convention::Other), Some(8)),
            ("sub", "sub", None, None),
            ("_sub", "_sub", None, None),
            ("?sub@@YAHH@Z", "?sub@@YAHH@Z", None, None),
            ("sub@", "sub@", None, None),
            ("@12", "@12", None, None),
            ("sub@99999999999", "sub@99999999999", None, None),
        ] {
            let expected = Decorated { name, convention, argument_bytes: bytes };
            assert_eq!(Decorated::parse(symbol), expected, "{symbol}");
        }
    }
}
