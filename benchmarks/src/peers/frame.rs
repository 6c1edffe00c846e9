//! Values that are passed through libffi.
//!
//! A [`Word`] is one C scalar; a [`Frame`] is the words of one call. The [`Kind`] of a word comes from
//! the document.

use std::ffi::{CStr, CString, c_char, c_int, c_longlong, c_uint};

use libffi::middle::Type;

use crate::Error;

/// The C types that the benchmarks use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Int,
    UnsignedInt,
    LongLong,
    Double,
    Str,
}

/// A scalar in C.
#[derive(Clone, Copy)]
pub(super) union Word {
    flag: u8,
    int: c_int,
    unsigned: c_uint,
    wide: c_longlong,
    double: f64,
    pointer: *const c_char,
}

/// A scalar in JSON.
pub(super) enum Datum<'d> {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Double(f64),
    Text(&'d str),
}

/// The maximum number of parameters.
pub(super) const MOST: usize = 8;

/// The words of one call.
pub(super) struct Frame {
    pub(super) words: [Word; MOST],
    pub(super) returned: Word,
    strings: Vec<CString>,
}

impl Frame {
    pub(super) fn new() -> Self {
        Self { words: [Word::ZERO; MOST], returned: Word::ZERO, strings: Vec::new() }
    }

    pub(super) fn set_text(&mut self, index: usize, text: &str) -> Result<(), Error> {
        let text = CString::new(text)?;
        self.words[index] = Word { pointer: text.as_ptr() };
        self.strings.push(text);
        Ok(())
    }

    pub(super) fn set_borrowed(&mut self, index: usize, text: &CStr) {
        self.words[index] = Word { pointer: text.as_ptr() };
    }
}

impl Word {
    pub(super) const ZERO: Self = Self { wide: 0 };

    /// The value of an output parameter.
    ///
    /// # Safety
    ///
    /// The word holds a `kind`; a string is NULL or a valid C string.
    pub(super) unsafe fn datum(&self, kind: Kind) -> Result<Datum<'_>, Error> {
        // SAFETY: the caller guarantees the kind and the string.
        unsafe {
            Ok(match kind {
                Kind::Bool => Datum::Bool(self.flag != 0),
                Kind::Int => Datum::Signed(self.int.into()),
                Kind::UnsignedInt => Datum::Unsigned(self.unsigned.into()),
                Kind::LongLong => Datum::Signed(self.wide),
                Kind::Double => Datum::Double(self.double),
                Kind::Str if self.pointer.is_null() => return Err("C returned NULL".into()),
                Kind::Str => Datum::Text(CStr::from_ptr(self.pointer).to_str()?),
            })
        }
    }

    /// The value that libffi returned. It widens narrow integers to a register.
    ///
    /// # Safety
    ///
    /// libffi wrote the word as the result of a function that returns a `kind`.
    pub(super) unsafe fn returned(&self, kind: Kind) -> Result<Datum<'_>, Error> {
        // SAFETY: libffi wrote a whole register for an integer; other kinds are as in `datum`.
        unsafe {
            Ok(match kind {
                Kind::Bool => Datum::Bool(self.wide as u8 != 0),
                Kind::Int => Datum::Signed((self.wide as c_int).into()),
                Kind::UnsignedInt => Datum::Unsigned((self.wide as c_uint).into()),
                _ => return self.datum(kind),
            })
        }
    }
}

impl Kind {
    /// The kind of a document's schema, and whether it is passed by address.
    pub(super) fn of(schema: &serde_json::Value) -> Result<(Self, bool), Error> {
        let c_type = &schema["cType"];
        let pointer = c_type["isPointer"] == true;
        Ok(match c_type["type"].as_str().unwrap_or_default() {
            "bool" => (Self::Bool, pointer),
            "int" => (Self::Int, pointer),
            "unsigned int" => (Self::UnsignedInt, pointer),
            "long long" => (Self::LongLong, pointer),
            "double" => (Self::Double, pointer),
            // Not by address: the word itself is the pointer.
            "char" if pointer => (Self::Str, false),
            other => return Err(format!("no benchmark uses {other}").into()),
        })
    }

    pub(super) fn ffi(self) -> Type {
        match self {
            Self::Bool => Type::u8(),
            Self::Int => Type::c_int(),
            Self::UnsignedInt => Type::c_uint(),
            Self::LongLong => Type::c_longlong(),
            Self::Double => Type::f64(),
            Self::Str => Type::pointer(),
        }
    }

    pub(super) fn boolean(self, value: bool) -> Result<Word, Error> {
        match self {
            Self::Bool => Ok(Word { flag: value.into() }),
            _ => Err("unexpected boolean".into()),
        }
    }

    pub(super) fn integer(self, value: i64) -> Result<Word, Error> {
        Ok(match self {
            Self::Int => Word { int: value.try_into()? },
            Self::UnsignedInt => Word { unsigned: value.try_into()? },
            Self::LongLong => Word { wide: value },
            Self::Double => Word { double: value as f64 },
            Self::Bool | Self::Str => return Err("unexpected number".into()),
        })
    }

    pub(super) fn double(self, value: f64) -> Result<Word, Error> {
        match self {
            Self::Double => Ok(Word { double: value }),
            _ => Err("unexpected fraction".into()),
        }
    }
}
