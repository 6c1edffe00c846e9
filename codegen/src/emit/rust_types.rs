//! What methods take and return.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{
    Access, Argument, CValue, Content, Element, Encoding, Got, Outcome, Scalar, Shape, Text, View,
};

use super::{Emitter, ident};
use crate::tokens::{Literal, TokenStream, quote};

impl Emitter<'_> {
    /// What the method takes for the parameter at `index`, whose type in C is `c`. `lent` is the lifetime
    /// that a handle is lent for, or that of a handle that a failed call gives back.
    pub(super) fn taken(
        &self,
        index: usize,
        c: &CValue,
        argument: &Argument,
        lent: Option<&TokenStream>,
    ) -> TokenStream {
        let taken = match &argument.shape {
            Shape::Scalar(scalar) => self.seen(*scalar),
            Shape::Text(text) => {
                let of = self.text_type(*text, false);
                quote!(&#of)
            }
            Shape::Str(_) => quote!(&str),
            Shape::Cell(Scalar { view: View::Truth, .. }) => quote!(&mut bool),
            Shape::Cell(scalar) => {
                let of = self.c_type(scalar.c_type);
                quote!(&mut #of)
            }
            Shape::List { element, fixed, access } => {
                let of = sized(&self.list_element(*element, *access), *fixed);
                reference(*access, &of, None)
            }
            Shape::Units {
                encoding: Encoding::Utf8 | Encoding::Utf8Lossy, access: Access::Shared, ..
            } => {
                quote!(&str)
            }
            Shape::Units { encoding: Encoding::Utf16, access: Access::Shared, .. } => quote!(&[u16]),
            Shape::Units { fixed, access, .. } => reference(*access, &sized(&quote!(u8), *fixed), None),
            Shape::Strings { nullable, as_str } => {
                let of = if *as_str {
                    quote!(&str)
                } else {
                    let of = self.ffi("CStr");
                    quote!(&#of)
                };
                if *nullable { quote!(&[Option<#of>]) } else { quote!(&[#of]) }
            }
            Shape::Handles { handle, nullable, access: Access::Owned } => {
                let (of, given) = (ident(&self.types.handles[*handle].ident), given_up(lent));
                if *nullable { quote!(Vec<Option<#of<#given>>>) } else { quote!(Vec<#of<#given>>) }
            }
            Shape::Handles { handle, nullable, .. } => {
                let of = ident(&self.types.handles[*handle].ident);
                let of = quote!(& #lent #of<'_>);
                if *nullable { quote!(& #lent [Option<#of>]) } else { quote!(& #lent [#of]) }
            }
            Shape::Room(content) => {
                let of = match content {
                    Content::Elements(element @ Element::Record(_)) => self.element_memory(*element),
                    Content::Elements(element) => self.list_element(*element, Access::Unchecked),
                    Content::Text { .. } | Content::Handles(_) => self.content_memory(*content),
                };
                quote!(&mut [#of])
            }
            Shape::Record { record, access } => {
                let of = ident(&self.types.records[*record].ident);
                reference(*access, &quote!(#of), None)
            }
            Shape::State { record, access: Access::Owned } => {
                let (of, given) = (ident(&self.types.records[*record].ident), given_up(lent));
                quote!(#of<#given>)
            }
            Shape::State { record, access } => {
                let of = ident(&self.types.records[*record].ident);
                reference(*access, &quote!(#of<'_>), lent)
            }
            Shape::Handle { handle, access: Access::Owned } => {
                let (of, given) = (ident(&self.types.handles[*handle].ident), given_up(lent));
                quote!(#of<#given>)
            }
            Shape::Handle { handle, access } => {
                let of = ident(&self.types.handles[*handle].ident);
                reference(*access, &quote!(#of<'_>), lent)
            }
            // These are optional in ways of their own: a closure has a type for it, a pointer can be NULL.
            Shape::Closure(callback) => return self.closure(index, c, argument, callback),
            Shape::Capacity(c_type) => {
                let of = self.c_type(*c_type);
                return quote!(#of);
            }
            Shape::Raw => {
                let of = self.c_type(CType::Void);
                return quote!(*mut #of);
            }
        };
        if argument.is_optional() { quote!(Option<#taken>) } else { taken }
    }

    /// What the method takes for memory that C keeps: a value that owns it, or `'static` memory.
    pub(super) fn kept(&self, argument: &Argument, for_good: bool) -> TokenStream {
        let (owned, lent) = match &argument.shape {
            Shape::Text(text) | Shape::Str(text) => {
                let (owned, lent) = (self.text_type(*text, true), self.text_type(*text, false));
                (quote!(#owned), quote!(#lent))
            }
            Shape::List { element, fixed, access } => {
                let of = self.list_element(*element, *access);
                let lent = sized(&of, *fixed);
                (if fixed.is_some() { quote!(Box<#lent>) } else { quote!(Vec<#of>) }, lent)
            }
            Shape::Units { encoding: Encoding::Utf8 | Encoding::Utf8Lossy, .. } => {
                (quote!(String), quote!(str))
            }
            Shape::Units { encoding: Encoding::Utf16, .. } => (quote!(Vec<u16>), quote!([u16])),
            Shape::Units { fixed, .. } => {
                let lent = sized(&quote!(u8), *fixed);
                (if fixed.is_some() { quote!(Box<#lent>) } else { quote!(Vec<u8>) }, lent)
            }
            Shape::Record { record, .. } => {
                let of = ident(&self.types.records[*record].ident);
                (quote!(Box<#of>), quote!(#of))
            }
            // C keeps nothing else.
            _ => (TokenStream::new(), TokenStream::new()),
        };
        let taken = if for_good { quote!(&'static #lent) } else { owned };
        if argument.is_optional() { quote!(Option<#taken>) } else { taken }
    }

    /// What a list holds: Rust's own `bool` where C only reads, and one that can hold whatever C leaves where C
    /// writes.
    pub(super) fn list_element(&self, element: Element, access: Access) -> TokenStream {
        match (element, access) {
            (Element::Scalar(Scalar { c_type: CType::Bool, .. }), Access::Exclusive) => {
                quote!(opendyn::CBool)
            }
            (Element::Scalar(Scalar { c_type: CType::Bool, .. }), _) => quote!(bool),
            (Element::Record(record), _) => {
                let of = ident(&self.types.records[record].ident);
                quote!(#of)
            }
            _ => self.element_memory(element),
        }
    }

    /// A string that is borrowed or owned.
    fn text_type(&self, text: Text, owned: bool) -> TokenStream {
        match (text.one_of, text.encoding, owned) {
            (Some(one_of), _, _) => {
                let name = ident(&self.types.enums[one_of].ident);
                quote!(#name)
            }
            (None, Encoding::Utf16, false) => quote!(opendyn::Utf16CStr),
            (None, Encoding::Utf16, true) => quote!(opendyn::Utf16CString),
            (None, _, false) => {
                let name = self.ffi("CStr");
                quote!(#name)
            }
            (None, _, true) => {
                let name = self.ffi("CString");
                quote!(#name)
            }
        }
    }

    /// What an outcome is in Rust. `lifetime` is that of the handles in it, `raw` the type of a pointer that is not
    /// followed.
    pub(super) fn outcome_type(
        &self,
        outcome: &Outcome,
        lifetime: &TokenStream,
        raw: &TokenStream,
    ) -> TokenStream {
        let whole = |of: TokenStream| if outcome.whole { quote!(opendyn::Copied<#of>) } else { of };
        let record = |index: usize| {
            let name = ident(&self.types.records[index].ident);
            whole(quote!(#name))
        };
        let of = match &outcome.got {
            Got::Code(_) if !self.binding.codes.is_empty() => {
                let name = ident(&self.binding.code_ident);
                quote!(#name)
            }
            Got::Code(scalar) | Got::Scalar(scalar) | Got::Pointed(scalar) => self.seen(*scalar),
            Got::Count(c_type) => {
                let of = self.c_type(*c_type);
                quote!(#of)
            }
            Got::Record(index) | Got::PointedRecord(index) => record(*index),
            Got::State { record, .. } => {
                let name = ident(&self.types.records[*record].ident);
                quote!(#name<#lifetime>)
            }
            Got::Buffer { .. } | Got::Elements { .. } if outcome.as_str => quote!(String),
            Got::Buffer { content, .. } | Got::Elements { content, .. } => whole(self.content_type(*content)),
            Got::Text(_) if outcome.as_str => quote!(String),
            Got::Text(text) => self.text_type(*text, true),
            Got::Strings { nullable, .. } => {
                let of = if outcome.as_str {
                    quote!(String)
                } else {
                    let of = self.ffi("CString");
                    quote!(#of)
                };
                if *nullable { quote!(Vec<Option<#of>>) } else { quote!(Vec<#of>) }
            }
            Got::Handles { handle, free, nullable, .. } => {
                let name = ident(&self.types.handles[*handle].ident);
                let of = match free {
                    Some(_) => quote!(#name<#lifetime>),
                    None => quote!(opendyn::Borrowed<#name<#lifetime>>),
                };
                if *nullable { quote!(Vec<Option<#of>>) } else { quote!(Vec<#of>) }
            }
            Got::Handle { handle, free, .. } => {
                let name = ident(&self.types.handles[*handle].ident);
                match free {
                    Some(_) => quote!(#name<#lifetime>),
                    None => quote!(opendyn::Borrowed<#name<#lifetime>>),
                }
            }
            Got::Taken { handle, .. } => {
                let name = ident(&self.types.handles[*handle].ident);
                quote!(opendyn::Borrowed<#name<#lifetime>>)
            }
            Got::TakenAll { handle, nullable, .. } => {
                let name = ident(&self.types.handles[*handle].ident);
                let of = quote!(opendyn::Borrowed<#name<#lifetime>>);
                if *nullable { quote!(Vec<Option<#of>>) } else { quote!(Vec<#of>) }
            }
            Got::Raw => raw.clone(),
            // A typed caller has it already.
            Got::Back(_) | Got::Events { .. } => TokenStream::new(),
        };
        if outcome.nullable { quote!(Option<#of>) } else { of }
    }

    fn content_type(&self, content: Content) -> TokenStream {
        match content {
            Content::Elements(Element::Scalar(Scalar { c_type: CType::Bool, .. })) => quote!(Vec<bool>),
            Content::Elements(Element::Record(record)) => {
                let of = ident(&self.types.records[record].ident);
                quote!(Vec<#of>)
            }
            Content::Handles(_) => {
                let of = self.content_memory(content);
                quote!(Vec<#of>)
            }
            Content::Elements(element) => {
                let of = self.element_memory(element);
                quote!(Vec<#of>)
            }
            Content::Text { encoding: Encoding::Utf16, .. } => quote!(Vec<u16>),
            Content::Text { encoding, .. } if encoding.is_binary() => quote!(Vec<u8>),
            Content::Text { .. } => {
                let of = self.ffi("CString");
                quote!(#of)
            }
        }
    }

    /// A scalar as a caller sees it.
    pub(super) fn seen(&self, scalar: Scalar) -> TokenStream {
        match scalar.view {
            View::Truth => quote!(bool),
            View::Enum(index) if self.types.enums[index].is_named() => {
                let name = ident(&self.types.enums[index].ident);
                quote!(#name)
            }
            View::Plain | View::Character | View::Enum(_) => {
                let of = self.c_type(scalar.c_type);
                quote!(#of)
            }
        }
    }

    /// Whether a caller sees another type than C's.
    pub(super) fn is_converted(&self, view: View) -> bool {
        match view {
            View::Truth => true,
            View::Enum(index) => self.types.enums[index].is_named(),
            View::Plain | View::Character => false,
        }
    }
}

/// The lifetime of a handle that the caller gives up: that of what it borrows.
fn given_up(lifetime: Option<&TokenStream>) -> TokenStream {
    lifetime.cloned().unwrap_or_else(|| quote!('_))
}

/// `[T]`, or `[T; N]`.
fn sized(of: &TokenStream, length: Option<u64>) -> TokenStream {
    match length {
        Some(length) => {
            let length = Literal::u64_unsuffixed(length);
            quote!([#of; #length])
        }
        None => quote!([#of]),
    }
}

/// `&T`, `&mut T` or `T`.
fn reference(access: Access, of: &TokenStream, lifetime: Option<&TokenStream>) -> TokenStream {
    match access {
        Access::Shared => quote!(& #lifetime #of),
        Access::Exclusive | Access::Unchecked => quote!(& #lifetime mut #of),
        Access::Owned => of.clone(),
    }
}
