//! Results for the two sinks, JSON text and serde: scalars, text, and views of memory with the
//! layout of a [`Kind`].

use std::borrow::Cow;
use std::ffi::CStr;
use std::fmt;
use std::marker::PhantomData;

use super::kind::Kind;
use super::many::pointer_at;
use super::record::Member;
use crate::Utf16CStr;
use crate::encoding::{Encoding, units_text};

/// One result, or a part of one.
#[derive(Clone, Copy)]
pub(crate) enum Datum<'d> {
    Boolean(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f32),
    Double(f64),
    Text(&'d str),
    Null,
    /// Text in an encoding.
    Bytes(&'d [u8], Encoding),
    /// UTF-16 units.
    Units(&'d [u16]),
    List(ListView<'d>),
    Record(RecordView<'d>),
}

/// Adjacent elements of one kind.
#[derive(Clone, Copy)]
pub(crate) struct ListView<'d> {
    kind: &'static Kind,
    at: *const u8,
    count: usize,
    lent: PhantomData<&'d u8>,
}

impl<'d> ListView<'d> {
    /// A view of `count` elements at `at`.
    ///
    /// # Safety
    ///
    /// For `'d`, `at` points to `count` initialised elements with the layout and alignment of `kind`,
    /// and the pointers to strings in them are NULL or point to aligned NUL-terminated strings.
    pub(crate) unsafe fn new(kind: &'static Kind, at: *const u8, count: usize) -> Self {
        Self { kind, at, count, lent: PhantomData }
    }

    pub(crate) fn len(self) -> usize {
        self.count
    }

    /// The kind of the elements.
    pub(crate) fn kind(self) -> Kind {
        *self.kind
    }

    /// The elements, of which none needs a look at its kind: each is `read` where it lies.
    ///
    /// # Safety
    ///
    /// `read` reads at most the bytes of an element, and needs no alignment.
    pub(super) unsafe fn each<T>(
        self,
        size: usize,
        read: impl Fn(*const u8) -> T,
    ) -> impl Iterator<Item = T> {
        // SAFETY: `index` is below `count`, and the view was made of `count` elements.
        (0..self.count).map(move |index| read(unsafe { self.at.add(index * size) }))
    }

    /// The elements. Pointers that the document does not describe are null.
    pub(crate) fn elements(self) -> impl Iterator<Item = Datum<'d>> {
        let size = self.kind.size();
        (0..self.count).map(move |index| {
            // SAFETY: `index` is below `count`, and the view was made of `count` elements of this kind.
            unsafe { datum_at(*self.kind, self.at.add(index * size)) }.unwrap_or(Datum::Null)
        })
    }
}

/// A C struct, or the member of a union that is used.
#[derive(Clone, Copy)]
pub(crate) struct RecordView<'d> {
    members: &'static [Member],
    at: *const u8,
    lent: PhantomData<&'d u8>,
}

impl<'d> RecordView<'d> {
    /// A view of members at `at`, as for [`ListView::new`].
    fn new(members: &'static [Member], at: *const u8) -> Self {
        Self { members, at, lent: PhantomData }
    }

    /// The members, except pointers that the document does not describe.
    pub(crate) fn members(self) -> impl Iterator<Item = (&'static str, Datum<'d>)> {
        self.members.iter().filter_map(move |member| {
            // SAFETY: the view was made of memory with the layout of this record, and the member is at
            // its offset.
            let datum = unsafe { datum_at(member.kind, self.at.add(member.offset)) };
            datum.map(|datum| (member.key.name, datum))
        })
    }
}

/// The value at `at`; `None` for a pointer that the document does not describe.
///
/// # Safety
///
/// As for [`ListView::new`], with one element.
pub(crate) unsafe fn datum_at<'d>(kind: Kind, at: *const u8) -> Option<Datum<'d>> {
    // SAFETY: the caller guarantees a value with the layout of `kind`, and each arm reads that layout.
    unsafe {
        Some(match kind.resolved() {
            Kind::Boolean => Datum::Boolean(at.read() != 0),
            Kind::Truth(integer) => Datum::Boolean(low_bytes(at, integer.size()) != 0),
            Kind::Integer(integer) if !integer.is_signed() => Datum::Unsigned(low_bytes(at, integer.size())),
            Kind::Integer(integer) => {
                let unused = 64 - 8 * integer.size() as u32;
                Datum::Signed((low_bytes(at, integer.size()) << unused).cast_signed() >> unused)
            }
            Kind::Choice(choice) => return datum_at(choice.integer, at),
            Kind::Within(within) => return datum_at(within.of, at),
            Kind::Nullable(of) => return datum_at(*of, at),
            Kind::Bits(bits) => {
                let bytes = std::slice::from_raw_parts(at, bits.size());
                match bits.signed(bytes) {
                    Some(value) => Datum::Signed(value),
                    None if bits.is_truth() => Datum::Boolean(bits.unsigned(bytes) != 0),
                    None => Datum::Unsigned(bits.unsigned(bytes)),
                }
            }
            Kind::Float => Datum::Float(at.cast::<f32>().read_unaligned()),
            Kind::Double => Datum::Double(at.cast::<f64>().read_unaligned()),
            Kind::Character => Datum::Bytes(std::slice::from_raw_parts(at, 1), Encoding::Utf8),
            Kind::Str => string_at(at, Encoding::Utf8),
            Kind::Text(text) => match text.exactly {
                Some(count) => text_at(at, count, text.encoding),
                None => string_at(at, text.encoding),
            },
            Kind::Fixed((element, count)) => Datum::List(ListView::new(element, at, *count)),
            Kind::Record(record) => Datum::Record(RecordView::new(record.members, at)),
            Kind::Union(union) => match union.alive(at) {
                Some((member, at)) => Datum::Record(RecordView::new(std::slice::from_ref(member), at)),
                None => Datum::Null,
            },
            Kind::Many(many) => {
                let (start, count) = many.elements(at);
                match (many.text, start.is_null()) {
                    (_, true) if many.nullable => Datum::Null,
                    (Some(encoding), true) => Datum::Bytes(&[], encoding),
                    (Some(encoding), false) => text_at(start, count, encoding),
                    (None, _) => Datum::List(ListView::new(&many.of, start, count)),
                }
            }
            Kind::Pointed(target) => {
                let (record, to) = (target.get(), pointer_at(at));
                if to.is_null() { Datum::Null } else { Datum::Record(RecordView::new(record.members, to)) }
            }
            Kind::Opaque | Kind::Callback | Kind::Handle(_) | Kind::List(_) | Kind::Nested(_) => return None,
        })
    }
}

/// The integer of `size` bytes at `at`, zero-extended.
///
/// # Safety
///
/// `at` points to `size` initialised bytes; `size` is 1, 2, 4 or 8.
pub(super) unsafe fn low_bytes(at: *const u8, size: usize) -> u64 {
    // SAFETY: the caller guarantees `size` bytes.
    unsafe {
        match size {
            1 => at.read().into(),
            2 => at.cast::<u16>().read_unaligned().into(),
            4 => at.cast::<u32>().read_unaligned().into(),
            _ => at.cast::<u64>().read_unaligned(),
        }
    }
}

/// The text in the `count` units at `at`: up to the first NUL, unless the encoding is binary.
///
/// # Safety
///
/// For `'d`, `at` points to `count` initialised, aligned units.
unsafe fn text_at<'d>(at: *const u8, count: usize, encoding: Encoding) -> Datum<'d> {
    if encoding == Encoding::Utf16 {
        // SAFETY: the caller guarantees `count` aligned units.
        let units = unsafe { std::slice::from_raw_parts(at.cast::<u16>(), count) };
        return Datum::Units(units.split(|&unit| unit == 0).next().unwrap_or_default());
    }
    // SAFETY: the caller guarantees `count` units, which are bytes here.
    let bytes = unsafe { std::slice::from_raw_parts(at, count) };
    if encoding.is_binary() {
        return Datum::Bytes(bytes, encoding);
    }
    Datum::Bytes(bytes.split(|&byte| byte == 0).next().unwrap_or_default(), encoding)
}

/// The string that the pointer at `at` points to, or null.
///
/// # Safety
///
/// `at` points to a pointer, which is NULL or points to aligned units up to a NUL that live for `'d`.
unsafe fn string_at<'d>(at: *const u8, encoding: Encoding) -> Datum<'d> {
    // SAFETY: the caller guarantees a pointer at `at`.
    let pointer = unsafe { at.cast::<*const u8>().read_unaligned() };
    if pointer.is_null() {
        return Datum::Null;
    }
    // SAFETY: it is not NULL, and the caller guarantees aligned units up to a NUL.
    unsafe {
        match encoding {
            Encoding::Utf16 => Datum::Units(Utf16CStr::from_ptr(pointer.cast()).as_slice()),
            _ => Datum::Bytes(CStr::from_ptr(pointer.cast()).to_bytes(), encoding),
        }
    }
}

/// Why a result cannot be written, and where in it.
#[derive(Debug)]
pub(crate) struct Flaw(Box<Parts>);

#[derive(Debug)]
struct Parts {
    path: String,
    message: String,
}

impl Flaw {
    #[cold]
    pub(crate) fn new(message: String) -> Self {
        Self(Box::new(Parts { path: String::new(), message }))
    }

    /// Adds the member or element `step` to the front of the path.
    #[cold]
    pub(crate) fn inside(mut self, step: impl fmt::Display) -> Self {
        self.0.path = format!("/{step}{}", self.0.path);
        self
    }

    /// The flaw of the result `name`, as a sentence.
    #[cold]
    pub(crate) fn of(&self, name: &str) -> String {
        format!("`{name}`{} {}", self.0.path, self.0.message)
    }
}

/// The text of bytes from C.
pub(crate) fn text_of(bytes: &[u8], encoding: Encoding) -> Result<Cow<'_, str>, Flaw> {
    encoding.text(bytes).map_err(Flaw::new)
}

/// The text of units from C.
pub(crate) fn text_of_units(units: &[u16]) -> Result<String, Flaw> {
    units_text(units.iter().copied()).map_err(Flaw::new)
}

/// Refuses floats that are not numbers in JSON.
#[inline]
pub(crate) fn finite(value: f64) -> Result<(), Flaw> {
    if value.is_finite() { Ok(()) } else { Err(not_finite(value)) }
}

#[cold]
fn not_finite(value: f64) -> Flaw {
    let what = if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "infinity"
    } else {
        "-infinity"
    };
    Flaw::new(format!("is {what}, which JSON cannot hold"))
}
