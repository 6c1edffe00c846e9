//! The tokens of C.

use super::files::FileId;

/// One token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'s> {
    pub(super) kind: TokenKind,
    pub(super) text: &'s str,
    pub(super) file: FileId,
    pub(super) line: u32,
    /// The limit that `#pragma pack` sets for the alignment of members; 0 for none.
    pub(super) pack: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Identifier,
    Number,
    String,
    Character,
    Punctuation,
}

/// The kind and length of the first token of `rest`.
pub(super) fn next(rest: &str) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let run = |from: usize, of: fn(u8) -> bool| {
        bytes.iter().skip(from).position(|&byte| !of(byte)).map_or(bytes.len(), |length| from + length)
    };
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
    match bytes {
        [b'L' | b'u' | b'U', quote @ (b'"' | b'\''), ..] => quoted(bytes, 1, *quote),
        [b'u', b'8', quote @ (b'"' | b'\''), ..] => quoted(bytes, 2, *quote),
        [quote @ (b'"' | b'\''), ..] => quoted(bytes, 0, *quote),
        [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => (TokenKind::Number, number_length(bytes)),
        [first, ..] if word(*first) => (TokenKind::Identifier, run(1, word)),
        [b'.', b'.', b'.', ..] => (TokenKind::Punctuation, 3),
        [b'-', b'>', ..]
        | [b'<', b'<' | b'=', ..]
        | [b'>', b'>' | b'=', ..]
        | [b'=' | b'!', b'=', ..]
        | [b'&', b'&', ..]
        | [b'|', b'|', ..]
        | [b'#', b'#', ..] => (TokenKind::Punctuation, 2),
        _ => (TokenKind::Punctuation, rest.chars().next().map_or(1, char::len_utf8)),
    }
}

fn number_length(bytes: &[u8]) -> usize {
    let mut length = 1;
    while let Some(&byte) = bytes.get(length) {
        let sign = matches!(byte, b'+' | b'-')
            && matches!(bytes.get(length - 1), Some(b'e' | b'E' | b'p' | b'P'))
            && !bytes.starts_with(b"0x");
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'\'') || sign) {
            break;
        }
        length += 1;
    }
    length
}

fn quoted(bytes: &[u8], prefix: usize, quote: u8) -> (TokenKind, usize) {
    let kind = if quote == b'"' { TokenKind::String } else { TokenKind::Character };
    let mut at = prefix + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            // A lone apostrophe, in assembly or `#error`, ends with its line.
            b'\n' => return (kind, at),
            _ if byte == quote => return (kind, at + 1),
            _ => at += 1,
        }
    }
    (kind, bytes.len())
}
