//! C types as Rust has them: in signatures, and in memory.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{Body, CBase, CCallback, CValue, Content, Convention, Element, Function};

use super::{Emitter, ident};
use crate::tokens::{Ident, ToTokens, TokenStream, quote};

impl Emitter<'_> {
    /// The function of the library under the name `name`, with its type in C. `binding` is what holds the library.
    pub(super) fn callee(&self, function: &Function, name: &Ident, binding: &TokenStream) -> TokenStream {
        let signature = &function.signature;
        let mut params: Vec<TokenStream> = signature
            .params
            .iter()
            .take(signature.variadic.map_or(usize::MAX, |fixed| fixed.value))
            .map(|value| self.c_param(value))
            .collect();
        if signature.variadic.is_some() {
            params.push(quote!(...));
        }
        let returns = signature.returns.as_ref().map(|value| {
            let of = self.c_value(value);
            quote!(-> #of)
        });
        let positions = ident(&self.binding.tables.positions);
        let position = ident(&function.names.symbol);
        let symbol = quote!(#binding.library.symbol(#positions::#position as usize));
        let params = quote!(#(#params),*);
        let cdecl = quote!(let #name: unsafe extern "C" fn(#params) #returns = #symbol;);
        match signature.convention {
            Convention::Cdecl => cdecl,
            // Only 32-bit x86 has the convention; elsewhere the compiler refuses its name.
            Convention::Stdcall => quote! {
                #[cfg(target_arch = "x86")]
                let #name: unsafe extern "stdcall" fn(#params) #returns = #symbol;
                #[cfg(not(target_arch = "x86"))]
                #cdecl
            },
        }
    }

    /// A parameter in a signature. A Rust `bool` is 0 or 1, so it can be passed as the C `bool` that it is.
    fn c_param(&self, value: &CValue) -> TokenStream {
        match value {
            CValue { base: CBase::Scalar(CType::Bool), stars: 0, .. } => quote!(bool),
            value => self.c_value(value),
        }
    }

    /// A type of C.
    pub(super) fn c_value(&self, value: &CValue) -> TokenStream {
        let value = value.bound();
        let mut of = match &value.base {
            CBase::Scalar(c_type) => self.c_type(*c_type),
            CBase::Handle(_) => self.c_type(CType::Void),
            CBase::Record(record) => self.record_memory(*record),
            CBase::Function(callback) => {
                let function = self.function_pointer(callback);
                return quote!(Option<#function>);
            }
        };
        for _ in 0..value.stars {
            of = if value.constant { quote!(*const #of) } else { quote!(*mut #of) };
        }
        of
    }

    /// A struct, or the memory of a state.
    fn record_memory(&self, record: usize) -> TokenStream {
        let record = &self.types.records[record];
        match record.body {
            Body::Fields(_) => ident(record.memory()).into_token_stream(),
            Body::State { .. } => self.c_type(CType::Void),
        }
    }

    /// A function that C calls. A closure needs a function of ours behind it, which is unsafe to call; without user
    /// data the caller gives the function, and it is safe.
    pub(super) fn function_pointer(&self, callback: &CCallback) -> TokenStream {
        let unsafety = callback.has_user_data.then(|| quote!(unsafe));
        let params = callback.params.iter().map(|(_, value)| self.c_value(value));
        let returns = self.callback_return(callback);
        quote!(#unsafety extern "C" fn(#(#params),*) #returns)
    }

    pub(super) fn callback_return(&self, callback: &CCallback) -> Option<TokenStream> {
        callback.returns.as_ref().map(|value| {
            let of = self.c_value(value);
            quote!(-> #of)
        })
    }

    /// An element as C has it in memory.
    pub(super) fn element_memory(&self, element: Element) -> TokenStream {
        self.c_value(&CValue::element(element))
    }

    /// An element of a buffer as C has it in memory.
    pub(super) fn content_memory(&self, content: Content) -> TokenStream {
        self.c_value(&CValue::content(content))
    }
}
