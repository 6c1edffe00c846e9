//! Closures that C calls.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{
    Argument, CBase, CCallback, CValue, Callback, CallbackLength, CallbackValue, Default, Function, Param,
    Scalar, Shape, View,
};

use super::safety::Reason;
use super::{Emitter, ident, ident_after, zero};
use crate::tokens::{Ident, Literal, TokenStream, format_ident, quote};

impl Emitter<'_> {
    /// The closure as the method takes it; `c` is its type in C.
    pub(super) fn closure(
        &self,
        index: usize,
        c: &CValue,
        argument: &Argument,
        callback: &Callback,
    ) -> TokenStream {
        if let (CBase::Function(c), None) = (&c.base, callback.user_data) {
            let function = self.function_pointer(c);
            return if argument.is_optional() { quote!(Option<#function>) } else { function };
        }
        if argument.is_optional() {
            let closure = self.optional_closure(callback);
            return quote!(Option<#closure>);
        }
        let generic = generic(index);
        quote!(#generic)
    }

    /// The type parameter of the method for a closure that every call gives.
    pub(super) fn closure_bound(
        &self,
        index: usize,
        param: &Param,
        callback: &Callback,
    ) -> Option<TokenStream> {
        let is_required = param.argument.as_ref().is_some_and(|argument| !argument.is_optional());
        (callback.user_data.is_some() && is_required).then(|| {
            let (name, bounds) = (generic(index), self.bounds(callback));
            quote!(#name: #bounds)
        })
    }

    /// `(c_int, &CStr) -> bool`
    fn closure_signature(&self, callback: &Callback) -> TokenStream {
        let params = callback.params.iter().filter_map(|param| self.closure_param(&param.value));
        let returns = callback.returns.map(|scalar| {
            let of = self.seen(scalar);
            quote!(-> #of)
        });
        quote!((#(#params),*) #returns)
    }

    /// What the closure gets for a parameter; nothing for what it does not see.
    pub(super) fn closure_param(&self, value: &CallbackValue) -> Option<TokenStream> {
        let optional = |nullable: bool, of: TokenStream| if nullable { quote!(Option<#of>) } else { of };
        Some(match value {
            CallbackValue::Scalar(scalar) => self.seen(*scalar),
            CallbackValue::Str { nullable, .. } => {
                let of = self.ffi("CStr");
                optional(*nullable, quote!(&#of))
            }
            CallbackValue::Slice { element, .. } => {
                let of = self.element_memory(*element);
                quote!(&[#of])
            }
            CallbackValue::Strings { .. } => quote!(opendyn::CStrings<'_>),
            CallbackValue::Record { record, nullable } => {
                let of = ident(&self.types.records[*record].ident);
                optional(*nullable, quote!(&#of))
            }
            CallbackValue::Opaque => {
                let void = self.c_type(CType::Void);
                quote!(*mut #void)
            }
            CallbackValue::Length { .. } | CallbackValue::UserData => return None,
        })
    }

    pub(super) fn optional_closure(&self, callback: &Callback) -> TokenStream {
        let signature = self.closure_signature(callback);
        if callback.until.is_some() {
            let shared = shared(callback);
            quote!(Box<dyn Fn #signature #shared>)
        } else {
            quote!(&mut dyn FnMut #signature)
        }
    }

    fn bounds(&self, callback: &Callback) -> TokenStream {
        let signature = self.closure_signature(callback);
        if callback.until.is_some() {
            let shared = shared(callback);
            quote!(Fn #signature #shared + 'static)
        } else {
            quote!(FnMut #signature)
        }
    }

    /// What C is given to call.
    pub(super) fn callback_pointer(&self, function: &Function, index: usize) -> TokenStream {
        let param = &function.params[index];
        let name = ident(&param.ident);
        let Some(Argument { shape: Shape::Closure(callback), presence, .. }) = &param.argument else {
            return TokenStream::new();
        };
        let CBase::Function(c) = &function.signature.params[index].base else { return TokenStream::new() };
        let is_required = *presence == opendyn_model::plan::Presence::Required;
        if callback.user_data.is_none() {
            return if is_required { quote!(Some(#name)) } else { quote!(#name) };
        }
        let closure = if is_required {
            let generic = generic(index);
            quote!(#generic)
        } else {
            self.optional_closure(callback)
        };
        let (trampoline, of) = (trampoline_ident(param), self.function_pointer(c));
        let pointer = quote!(#trampoline::<#closure> as #of);
        match (callback.until, is_required) {
            (_, true) => quote!(Some(#pointer)),
            (None, false) => quote!(#name.as_ref().map(|_| #pointer)),
            (Some(_), false) => {
                let data = ident_after(&param.ident, "_data");
                quote!((!#data.is_null()).then_some(#pointer))
            }
        }
    }

    /// Makes a closure callable for C; a function without user data is so already.
    pub(super) fn lend(&self, function: &Function, index: usize, callback: &Callback) -> Option<TokenStream> {
        callback.user_data?;
        let CBase::Function(c) = &function.signature.params[index].base else { return None };
        let param = &function.params[index];
        let (name, data) = (ident(&param.ident), ident_after(&param.ident, "_data"));
        let is_optional = param.argument.as_ref().is_some_and(|argument| argument.is_optional());
        let trampoline = self.trampoline(param, callback, c);
        let keeper = callback.until.map(|until| self.name_of(function, until));
        let slot = callback.by_handle.then(|| {
            let slot = slot_ident(param);
            quote!(static #slot: runtime::Slot = runtime::Slot::new();)
        });
        // What the handle keeps: the closure. An entry by which it is found is kept after the call, unless C refuses it.
        let entry = entry_ident(param);
        let slot_name = slot_ident(param);
        let keep = |closure: &Ident, keeper: &Ident| quote!(#keeper.0.keep(Box::new(#closure)););
        let register = |closure: &Ident, keeper: &Ident| quote!(runtime::Registered::new(&#slot_name, #keeper.0.as_ptr(), #closure));
        let statements = match (keeper, is_optional) {
            (None, false) => quote! {
                let mut #name = runtime::Callback::new(#name);
                let #data = #name.user_data();
            },
            (None, true) => quote! {
                let mut #name = #name.map(runtime::Callback::new);
                let #data = #name.as_mut().map_or(ptr::null_mut(), |closure| closure.user_data());
            },
            // C is passed no user data: the closure is found by the handle.
            (Some(keeper), false) if callback.by_handle => {
                let registered = register(&name, &keeper);
                quote! {
                    let #name = runtime::Kept::new(#name);
                    let #entry = #registered;
                }
            }
            (Some(keeper), true) if callback.by_handle => {
                let registered = register(&ident("closure"), &keeper);
                quote! {
                    let #name = #name.map(runtime::Kept::new);
                    let #data = #name.as_ref().map_or(ptr::null_mut(), |closure| closure.user_data());
                    let #entry = #name.map(|closure| #registered);
                }
            }
            (Some(keeper), false) => {
                let keep = keep(&name, &keeper);
                quote! {
                    let #name = runtime::Kept::new(#name);
                    let #data = #name.user_data();
                    #keep
                }
            }
            (Some(keeper), true) => {
                let keep = keep(&ident("closure"), &keeper);
                quote! {
                    let #name = #name.map(runtime::Kept::new);
                    let #data = #name.as_ref().map_or(ptr::null_mut(), |closure| closure.user_data());
                    if let Some(closure) = #name {
                        #keep
                    }
                }
            }
        };
        Some(quote!(#slot #trampoline #statements))
    }

    /// The function that C calls: it finds the closure behind the user data.
    fn trampoline(&self, param: &Param, callback: &Callback, c: &CCallback) -> TokenStream {
        let name = trampoline_ident(param);
        let names: Vec<Ident> = (0..callback.params.len()).map(|index| format_ident!("p{index}")).collect();
        let params = c.params.iter().zip(&names).map(|((_, value), name)| {
            let of = self.c_value(value);
            quote!(#name: #of)
        });
        let returns = self.callback_return(c);
        let bounds = self.bounds(callback);
        let on_panic = self.on_panic(callback);
        // Copies: what C passed may be gone when the closure has called C again.
        let copies = callback.params.iter().zip(&names).filter_map(|(param, name)| {
            Some(match param.value {
                CallbackValue::Record { nullable: false, record } if self.is_owned(record) => {
                    let (of, key) = (ident(&self.types.records[record].ident), name.to_string());
                    quote! {
                        let Some(#name) = #name.as_ref() else { return #on_panic };
                        let Ok(#name) = runtime::owned::<#of>(#key, #name) else { return #on_panic };
                    }
                }
                CallbackValue::Record { nullable: true, record } if self.is_owned(record) => {
                    let (of, key) = (ident(&self.types.records[record].ident), name.to_string());
                    quote! {
                        let #name = #name.as_ref().map(|given| runtime::owned::<#of>(#key, given));
                        let Ok(#name) = #name.transpose() else { return #on_panic };
                    }
                }
                CallbackValue::Record { nullable: false, .. } => {
                    let copy = given_copy(&param.value, name, &names)?;
                    quote!(let Some(#name) = #copy else { return #on_panic };)
                }
                _ => {
                    let copy = given_copy(&param.value, name, &names)?;
                    quote!(let #name = #copy;)
                }
            })
        });
        let arguments = callback
            .params
            .iter()
            .zip(&names)
            .filter_map(|(param, name)| closure_argument(&param.value, name));
        let user_data = &names[callback.user_data.unwrap_or_default()];
        let user_data = if callback.by_handle {
            let slot = slot_ident(param);
            quote!(&#slot, #user_data)
        } else {
            quote!(#user_data)
        };
        let (holder, reason) = if callback.by_handle {
            (quote!(Registered), self.because(Reason::KeptCallback))
        } else if callback.until.is_some() {
            (quote!(Kept), self.because(Reason::KeptCallback))
        } else {
            (quote!(Callback), self.because(Reason::Callback))
        };
        let called = quote!(closure(#(#arguments),*));
        let called = match callback.returns {
            Some(scalar) if self.is_converted(scalar.view) => {
                let of = self.c_type(scalar.c_type);
                quote!(#of::from(#called))
            }
            _ => called,
        };
        quote! {
            unsafe extern "C" fn #name<F: #bounds>(#(#params),*) #returns {
                #reason
                unsafe {
                    #(#copies)*
                    runtime::#holder::<F>::invoke(#user_data, #on_panic, |closure| #called)
                }
            }
        }
    }

    fn on_panic(&self, callback: &Callback) -> TokenStream {
        match (callback.returns, &callback.on_panic) {
            (None, _) => quote!(()),
            (Some(_), Some(Default::Bool(value))) => {
                let value = Literal::u8_unsuffixed(u8::from(*value));
                quote!(#value)
            }
            (Some(scalar), Some(value)) => self.literal(value, scalar),
            (Some(scalar), None) => zero(scalar.c_type),
        }
    }
}

/// What a closure must be that C keeps: the thread that calls C next runs it, and where several may, all of them.
fn shared(callback: &Callback) -> TokenStream {
    if callback.shared { quote!(+ Send + Sync) } else { quote!(+ Send) }
}

fn generic(index: usize) -> Ident {
    format_ident!("F{index}")
}

/// The variable of the entry by which a closure is found.
pub(super) fn entry_ident(param: &Param) -> Ident {
    ident_after(&param.ident, "_entry")
}

fn slot_ident(param: &Param) -> Ident {
    format_ident!("SLOT_{}", param.ident.trim_start_matches("r#").to_uppercase())
}

fn trampoline_ident(param: &Param) -> Ident {
    format_ident!("call_{}", param.ident.trim_start_matches("r#"))
}

/// A copy of what is behind the pointer of a parameter.
fn given_copy(value: &CallbackValue, name: &Ident, names: &[Ident]) -> Option<TokenStream> {
    let count = |length: &CallbackLength| match length {
        CallbackLength::Param(index) => {
            let name = &names[*index];
            quote!(runtime::given_count(#name))
        }
        CallbackLength::Const(count) => {
            let count = Literal::u64_unsuffixed(*count);
            quote!(#count)
        }
        // Only strings end so.
        CallbackLength::Terminated => quote!(0),
    };
    Some(match value {
        CallbackValue::Str { .. } => quote!(runtime::given_str(#name)),
        CallbackValue::Slice { length, .. } => {
            let count = count(length);
            quote!(runtime::given_slice(#name, #count))
        }
        CallbackValue::Strings { length: CallbackLength::Terminated } => {
            quote!(runtime::given_copies(runtime::terminated_strings(#name)))
        }
        CallbackValue::Strings { length } => {
            let count = count(length);
            quote!(runtime::given_strings(#name, #count))
        }
        CallbackValue::Record { .. } => quote!(runtime::given_record(#name)),
        CallbackValue::Scalar(_)
        | CallbackValue::Opaque
        | CallbackValue::Length { .. }
        | CallbackValue::UserData => return None,
    })
}

/// What the closure is given for a parameter; nothing for what it does not see.
fn closure_argument(value: &CallbackValue, name: &Ident) -> Option<TokenStream> {
    Some(match value {
        CallbackValue::Scalar(Scalar { view: View::Truth, .. }) => quote!(runtime::Truth::is_true(#name)),
        CallbackValue::Scalar(Scalar { view: View::Enum(_), .. }) => quote!(#name.into()),
        CallbackValue::Scalar(_) | CallbackValue::Opaque => quote!(#name),
        CallbackValue::Str { nullable: true, .. } => quote!(#name.as_deref()),
        CallbackValue::Str { .. } => quote!(#name.as_deref().unwrap_or_default()),
        CallbackValue::Slice { .. } => quote!(&#name),
        CallbackValue::Strings { .. } => quote!(#name.as_strings()),
        CallbackValue::Record { nullable: false, .. } => quote!(&#name),
        CallbackValue::Record { .. } => quote!(#name.as_ref()),
        CallbackValue::Length { .. } | CallbackValue::UserData => return None,
    })
}
