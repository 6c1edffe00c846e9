//! What C is passed.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{
    Content, Default, Element, Encoding, Function, Operand, Role, Scalar, Shape, Text, View,
};

use super::{Emitter, ident, ident_after, zero};
use crate::tokens::{Literal, TokenStream, quote};

impl Emitter<'_> {
    /// What C is passed for the parameter at `index`.
    pub(super) fn operand(&self, function: &Function, index: usize) -> TokenStream {
        let param = &function.params[index];
        let name = ident(&param.ident);
        let optional = param.argument.as_ref().is_some_and(|argument| argument.is_optional());
        let constant = match function.signature.params.get(index) {
            Some(c) => c.constant,
            // It is in a member of a state.
            None => param.argument.as_ref().is_some_and(|argument| argument.shape.is_shared()),
        };
        let null = if constant { quote!(ptr::null()) } else { quote!(ptr::null_mut()) };
        // What C keeps is moved to its keeper after the call.
        let is_moved = param.moves();
        let borrowed = (is_moved && optional).then(|| quote!(.as_ref()));
        // The pointer of what was given, or NULL where nothing was.
        let lent = |pointer: &dyn Fn(&TokenStream) -> TokenStream| {
            if optional {
                let pointer = pointer(&quote!(given));
                quote!(#name #borrowed .map_or(#null, |given| #pointer))
            } else {
                pointer(&quote!(#name))
            }
        };
        // A reference becomes a pointer by itself, but not in an `Option`.
        let reference = || match (optional, constant) {
            (false, _) if is_moved => quote!(&*#name),
            (true, _) if is_moved => quote!(#name.as_deref().map_or(#null, ptr::from_ref)),
            (false, _) => quote!(#name),
            (true, true) => quote!(#name.map_or(#null, ptr::from_ref)),
            (true, false) => quote!(#name.map_or(#null, ptr::from_mut)),
        };
        let first = |given: &TokenStream| {
            if constant { quote!(#given.as_ptr()) } else { quote!(#given.as_mut_ptr()) }
        };
        let passed = match &param.operand {
            Operand::Scalar(scalar) => {
                let default = param.argument.as_ref().and_then(|argument| argument.default());
                self.scalar_operand(&quote!(#name), *scalar, optional, default)
            }
            Operand::Constant(scalar, value) => self.literal(value, *scalar),
            Operand::ConstantText(text, value) => {
                let value = text_pointer(value, *text);
                self.cast_text(*text, value)
            }
            Operand::Text(text) => {
                let default = param.argument.as_ref().and_then(|argument| argument.default());
                let pointer = match default {
                    Some(Default::Text(value)) => {
                        let (default, pointer) =
                            (text_pointer(value, *text), string_pointer(*text, &quote!(given)));
                        quote!(#name #borrowed .map_or(#default, |given| #pointer))
                    }
                    _ => lent(&|given| string_pointer(*text, given)),
                };
                self.cast_text(*text, pointer)
            }
            Operand::Cell(Scalar { c_type, view: View::Truth }) => {
                let of = self.c_type(*c_type);
                quote!(runtime::Flag::<#of>::new(#name).as_mut_ptr())
            }
            Operand::Cell(_) | Operand::Record(_) => reference(),
            Operand::Elements(element) => {
                let pointer = lent(&first);
                cast_truth(Content::Elements(*element), pointer)
            }
            Operand::Units(c_type) => {
                let (pointer, of) = (lent(&first), self.c_type(*c_type));
                quote!(#pointer.cast::<#of>())
            }
            Operand::Pointers => {
                let pointers = ident_after(&param.ident, "_pointers");
                if optional {
                    quote!(#name.map_or(ptr::null(), |_| #pointers.as_ptr()))
                } else {
                    quote!(#pointers.as_ptr())
                }
            }
            Operand::Handles => {
                let pointers = ident_after(&param.ident, "_pointers");
                if optional {
                    let is_taken = matches!(param.role, Role::Taken(_));
                    let borrowed = is_taken.then(|| quote!(.as_ref()));
                    quote!(#name #borrowed .map_or(ptr::null_mut(), |_| #pointers.as_mut_ptr()))
                } else {
                    quote!(#pointers.as_mut_ptr())
                }
            }
            Operand::Terminated(scalar) => {
                let elements = ident_after(&param.ident, "_terminated");
                let pointer = if optional {
                    quote!(#elements.as_ref().map_or(ptr::null(), |given| given.as_ptr()))
                } else {
                    quote!(#elements.as_ptr())
                };
                cast_truth(Content::Elements(Element::Scalar(*scalar)), pointer)
            }
            Operand::Taken(_) => {
                let copy = ident_after(&param.ident, "_memory");
                // Nothing says the type of what is passed through `...`.
                let is_fixed = function.signature.variadic.as_ref().is_none_or(|fixed| index < fixed.value);
                let cast = is_fixed.then(|| quote!(.cast()));
                if optional {
                    quote!(#copy.as_ref().map_or(ptr::null_mut(), |given| given.as_ptr() #cast))
                } else {
                    quote!(#copy.as_ptr() #cast)
                }
            }
            Operand::Loan(_) => {
                let loan = ident_after(&param.ident, "_loan");
                quote!(#loan.as_mut_ptr())
            }
            Operand::LoanValue(_) => {
                let loan = ident_after(&param.ident, "_loan");
                quote!(#loan.value())
            }
            Operand::RecordValue(_) if optional => quote!(#name.unwrap_or_else(runtime::zeroed)),
            Operand::RecordValue(_) | Operand::Local | Operand::Raw => quote!(#name),
            Operand::NewState(_) => quote!(#name.as_mut_ptr()),
            Operand::State(_) | Operand::Handle if function.receiver.param() == Some(index) => {
                quote!(self.0.as_ptr())
            }
            Operand::State(_) | Operand::Handle => {
                let binding = self.binding_of(function);
                lent(&|given| quote!(#given.0.as_ptr_for(#binding)))
            }
            Operand::Released => self.released(function, index),
            Operand::ReleasedThrough => {
                let pointer = ident_after(&param.ident, "_pointer");
                quote!(&mut #pointer)
            }
            Operand::Address => quote!(&mut #name),
            Operand::Buffer => match param.argument.as_ref().map(|argument| &argument.shape) {
                Some(Shape::Room(content)) => cast_truth(*content, quote!(#name.as_mut_ptr())),
                _ => quote!(#name.as_mut_ptr()),
            },
            Operand::Fetch => quote!(#name.as_mut_ptr()),
            Operand::Function => self.callback_pointer(function, index),
            Operand::UserData(callback) => {
                let data = ident_after(&function.params[*callback].ident, "_data");
                quote!(#data)
            }
        };
        // What C promotes on the way through `...`, Rust makes us promote.
        match function.signature.promoted(index) {
            Some(promoted) => {
                let promoted = self.c_type(promoted);
                quote!(#promoted::from(#passed))
            }
            None => passed,
        }
    }

    /// The pointer of a handle that was given away.
    pub(super) fn released(&self, function: &Function, index: usize) -> TokenStream {
        let param = &function.params[index];
        let name = ident(&param.ident);
        if param.argument.as_ref().is_some_and(|argument| argument.is_optional()) {
            quote!(#name.as_ref().map_or(ptr::null_mut(), |given| given.as_ptr()))
        } else {
            quote!(#name.as_ptr())
        }
    }

    /// A scalar by value.
    fn scalar_operand(
        &self,
        name: &TokenStream,
        scalar: Scalar,
        optional: bool,
        default: Option<&Default>,
    ) -> TokenStream {
        let Scalar { c_type, view } = scalar;
        let converts = self.is_converted(view) && (view != View::Truth || c_type != CType::Bool);
        let of = self.c_type(c_type);
        match (default, optional) {
            (default, true) if matches!(view, View::Enum(_)) && converts => {
                let default = default.map_or_else(|| zero(c_type), |default| self.literal(default, scalar));
                quote!(#name.map_or(#default, #of::from))
            }
            (Some(Default::Bool(default)), true) if converts => {
                quote!(#of::from(#name.unwrap_or(#default)))
            }
            (Some(Default::Bool(default)), true) => quote!(#name.unwrap_or(#default)),
            (Some(default), true) => {
                let default = self.literal(default, scalar);
                quote!(#name.unwrap_or(#default))
            }
            (None, true) if converts => quote!(#of::from(#name.unwrap_or_default())),
            (None, true) => quote!(#name.unwrap_or_default()),
            (_, false) if converts => quote!(#of::from(#name)),
            (_, false) => quote!(#name),
        }
    }

    /// A pointer to text as a pointer to the units that C has.
    fn cast_text(&self, text: Text, pointer: TokenStream) -> TokenStream {
        if text.c_type == CType::Char || text.encoding == Encoding::Utf16 {
            return pointer;
        }
        let of = self.c_type(text.c_type);
        quote!(#pointer.cast::<#of>())
    }
}

/// A pointer to Rust's `bool` as one to the byte that C has.
fn cast_truth(content: Content, pointer: TokenStream) -> TokenStream {
    match content {
        Content::Elements(Element::Scalar(Scalar { c_type: CType::Bool, .. })) => {
            quote!(#pointer.cast::<u8>())
        }
        _ => pointer,
    }
}

/// The pointer of a string that a caller gave.
fn string_pointer(text: Text, given: &TokenStream) -> TokenStream {
    if text.one_of.is_some() { quote!(#given.as_c_str().as_ptr()) } else { quote!(#given.as_ptr()) }
}

/// The pointer of a string of the document, in the units of its encoding. It has no NUL, and no character that the
/// encoding lacks.
fn text_pointer(value: &str, text: Text) -> TokenStream {
    if text.encoding == Encoding::Utf16 && text.one_of.is_none() {
        let units = value.encode_utf16().chain([0]).map(Literal::u16_unsuffixed);
        return quote!([#(#units),*].as_ptr());
    }
    let bytes = match text.encoding {
        Encoding::Latin1 => value.chars().filter_map(|c| u8::try_from(c).ok()).collect(),
        _ => value.as_bytes().to_vec(),
    };
    let value = Literal::c_string(&std::ffi::CString::new(bytes).unwrap_or_default());
    quote!(#value.as_ptr())
}
