//! The encoding of a C string: `x-encoding`.
//!
//! Only the JSON adapter calls this: typed methods take and return the bytes unchanged.

use std::borrow::Cow;

use data_encoding::{BASE64, DecodeError, DecodeKind, DecodePartial, HEXLOWER_PERMISSIVE};

/// An encoding of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-8; invalid bytes from C become U+FFFD.
    Utf8Lossy,
    /// One byte per character, up to U+00FF.
    Latin1,
    /// 16-bit units in the byte order of the target.
    Utf16,
    /// Base64 with the standard alphabet and padding.
    Base64,
    /// Two hex digits per byte.
    Hex,
}

impl Encoding {
    /// Whether every sequence of bytes can be encoded and decoded, so that NUL does not end the text.
    pub(crate) fn is_binary(self) -> bool {
        matches!(self, Self::Base64 | Self::Hex)
    }

    /// The size of a unit in C, in bytes.
    pub(crate) fn unit(self) -> usize {
        if self == Self::Utf16 { 2 } else { 1 }
    }

    /// The bytes that C gets for `text`, or the error as a sentence.
    pub(crate) fn bytes(self, text: &str) -> Result<Cow<'_, [u8]>, String> {
        match self {
            Self::Utf8 | Self::Utf8Lossy => Ok(Cow::Borrowed(text.as_bytes())),
            Self::Latin1 if text.is_ascii() => Ok(Cow::Borrowed(text.as_bytes())),
            Self::Latin1 => text.chars().enumerate().map(latin1).collect::<Result<_, _>>().map(Cow::Owned),
            Self::Utf16 => Ok(Cow::Owned(text.encode_utf16().flat_map(u16::to_ne_bytes).collect())),
            Self::Base64 => match BASE64.decode(text.as_bytes()) {
                Ok(bytes) => Ok(Cow::Owned(bytes)),
                Err(error) => Err(undecodable("base64", text, error)),
            },
            Self::Hex => match HEXLOWER_PERMISSIVE.decode(text.as_bytes()) {
                Ok(bytes) => Ok(Cow::Owned(bytes)),
                Err(error) => Err(undecodable("hex", text, error)),
            },
        }
    }

    /// The text for bytes that a caller spells in another way: `{"text": "…"}`, `{"hex": "…"}`, `{"base64": "…"}`. `None` if
    /// that is none of these keys.
    pub(crate) fn respelled(self, key: &str, value: &str) -> Option<Result<String, String>> {
        let spelling = match key {
            "text" => Self::Utf8,
            "hex" => Self::Hex,
            "base64" => Self::Base64,
            _ => return None,
        };
        Some(spelling.bytes(value).and_then(|bytes| self.text(&bytes).map(Cow::into_owned)))
    }

    /// For an encoding of bytes: the room that [`Encoding::decode`] needs for `text`, or the error as a sentence.
    pub(crate) fn decoded_length(self, text: &str) -> Option<Result<usize, String>> {
        let (name, codec) = self.codec()?;
        Some(codec.decode_len(text.len()).map_err(|error| undecodable(name, text, error)))
    }

    /// For an encoding of bytes: decodes `text` into `to`, which is as long as [`Encoding::decoded_length`] says, and
    /// returns the number of bytes. Errors are those of [`Encoding::bytes`].
    pub(crate) fn decode(self, text: &str, to: &mut [u8]) -> Result<usize, String> {
        let Some((name, codec)) = self.codec() else { return Ok(0) };
        codec
            .decode_mut(text.as_bytes(), to)
            .map_err(|DecodePartial { error, .. }| undecodable(name, text, error))
    }

    /// For an encoding of bytes: appends the text of bytes from C.
    pub(crate) fn append(self, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        let Some((_, codec)) = self.codec() else { return false };
        let start = out.len();
        out.resize(start + codec.encode_len(bytes.len()), 0);
        codec.encode_mut(bytes, &mut out[start..]);
        true
    }

    fn codec(self) -> Option<(&'static str, &'static data_encoding::Encoding)> {
        match self {
            Self::Base64 => Some(("base64", const { &BASE64 })),
            Self::Hex => Some(("hex", const { &HEXLOWER_PERMISSIVE })),
            Self::Utf8 | Self::Utf8Lossy | Self::Latin1 | Self::Utf16 => None,
        }
    }

    /// The text of bytes from C, or the error as the end of a sentence.
    pub(crate) fn text(self, bytes: &[u8]) -> Result<Cow<'_, str>, String> {
        match self {
            Self::Utf8 => str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| {
                let place = error.valid_up_to();
                format!("is not UTF-8: byte 0x{:02x} at index {place}", bytes[place])
            }),
            Self::Utf8Lossy => Ok(String::from_utf8_lossy(bytes)),
            Self::Latin1 => Ok(Cow::Owned(bytes.iter().copied().map(char::from).collect())),
            Self::Utf16 => {
                let (pairs, rest) = bytes.as_chunks();
                if !rest.is_empty() {
                    return Err(format!("is not UTF-16: it has {} bytes, an odd number", bytes.len()));
                }
                units_text(pairs.iter().copied().map(u16::from_ne_bytes)).map(Cow::Owned)
            }
            Self::Base64 => Ok(Cow::Owned(BASE64.encode(bytes))),
            Self::Hex => Ok(Cow::Owned(HEXLOWER_PERMISSIVE.encode(bytes))),
        }
    }
}

/// The text of UTF-16 units, or the error as the end of a sentence.
pub(crate) fn units_text(units: impl IntoIterator<Item = u16>) -> Result<String, String> {
    let mut text = String::new();
    let mut place = 0;
    for character in char::decode_utf16(units) {
        match character {
            Ok(character) => {
                text.push(character);
                place += character.len_utf16();
            }
            Err(error) => {
                let unit = error.unpaired_surrogate();
                return Err(format!("is not UTF-16: unpaired surrogate 0x{unit:04x} at index {place}"));
            }
        }
    }
    Ok(text)
}

fn latin1((place, character): (usize, char)) -> Result<u8, String> {
    u8::try_from(u32::from(character))
        .map_err(|_| format!("character {place} {character:?} does not exist in latin-1"))
}

#[cold]
fn undecodable(name: &str, text: &str, error: DecodeError) -> String {
    // A wrong character is more helpful than the wrong length that it causes.
    let is_symbol = |character: char| match name {
        "hex" => character.is_ascii_hexdigit(),
        _ => character.is_ascii_alphanumeric() || matches!(character, '+' | '/' | '='),
    };
    if let Some((place, character)) = text.char_indices().find(|&(_, character)| !is_symbol(character)) {
        return format!("byte {place} is not {name}: {character:?}");
    }
    let DecodeError { position, kind } = error;
    match kind {
        DecodeKind::Length => format!("{} characters are not complete {name}: it ends early", text.len()),
        DecodeKind::Trailing => format!("byte {position} is not {name}: bits after the last byte"),
        DecodeKind::Symbol | DecodeKind::Padding => format!("byte {position} is not {name}: wrong padding"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Encoding; 6] = [
        Encoding::Utf8,
        Encoding::Utf8Lossy,
        Encoding::Latin1,
        Encoding::Utf16,
        Encoding::Base64,
        Encoding::Hex,
    ];

    #[test]
    fn text_survives_a_round_trip() {
        for encoding in ALL {
            for text in ["", "00ffaa", "AAECAw==", "abcdef12", "é ÿ", "🦀Ω"] {
                let Ok(bytes) = encoding.bytes(text) else { continue };
                assert_eq!(encoding.text(&bytes).as_deref(), Ok(text), "{encoding:?}");
            }
        }
        assert_eq!(Encoding::Latin1.bytes("é").as_deref(), Ok(&b"\xe9"[..]));
        assert_eq!(Encoding::Base64.bytes("aGVsbG8=").as_deref(), Ok(&b"hello"[..]));
        assert_eq!(Encoding::Utf16.bytes("🦀").map(|bytes| bytes.len()), Ok(4));
    }

    #[test]
    fn hex_accepts_both_cases_and_writes_lower_case() {
        assert_eq!(Encoding::Hex.bytes("00FFaB").as_deref(), Ok(&b"\x00\xff\xab"[..]));
        assert_eq!(Encoding::Hex.text(b"\x00\xff\xab").as_deref(), Ok("00ffab"));
    }

    #[test]
    fn an_error_in_a_text_names_its_position() {
        for (encoding, text, expected) in [
            (Encoding::Base64, "aGVsb!8=", "byte 5 is not base64: '!'"),
            (Encoding::Base64, "aGVsbé==", "byte 5 is not base64: 'é'"),
            (Encoding::Base64, "aGVsbG8", "7 characters are not complete base64: it ends early"),
            (Encoding::Base64, "aGVsbG9=", "byte 6 is not base64: bits after the last byte"),
            (Encoding::Base64, "a===", "byte 1 is not base64: wrong padding"),
            (Encoding::Base64, "aG-_", "byte 2 is not base64: '-'"),
            (Encoding::Hex, "0g", "byte 1 is not hex: 'g'"),
            (Encoding::Hex, "012", "3 characters are not complete hex: it ends early"),
            (Encoding::Latin1, "éÿ\u{80}Ω", "character 3 'Ω' does not exist in latin-1"),
        ] {
            assert_eq!(encoding.bytes(text), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn an_error_in_bytes_names_its_position() {
        assert_eq!(Encoding::Utf8.text(b"ab\xff"), Err("is not UTF-8: byte 0xff at index 2".to_owned()));
        assert_eq!(Encoding::Utf8Lossy.text(b"ab\xff").as_deref(), Ok("ab\u{fffd}"));
        assert_eq!(
            units_text([0x61, 0xd83e, 0xdd80, 0xd800]),
            Err("is not UTF-16: unpaired surrogate 0xd800 at index 3".to_owned())
        );
        assert!(Encoding::Utf16.text(b"abc").is_err_and(|error| error.contains("3 bytes")));
    }
}
