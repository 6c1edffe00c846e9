//! How the library begins and ends (`x-init`).

use opendyn_model::plan::{Failure, Function, Init};

use super::binding::lines_of;
use super::safety::Reason;
use super::{Emitter, docs, ident};
use crate::tokens::{Literal, TokenStream, quote};

impl Emitter<'_> {
    /// Whether a function begins or ends the library.
    pub(super) fn is_of_init(&self, function: &Function) -> bool {
        let Some(Init { function: begin, end, .. }) = &self.binding.init else { return false };
        [Some(*begin), *end]
            .into_iter()
            .flatten()
            .any(|index| std::ptr::eq(&raw const self.binding.functions[index], function))
    }

    /// The function that begins the library of a new binding, and the private method that it calls.
    pub(super) fn initialized(&self) -> Option<TokenStream> {
        let Init { function, args, end } = self.binding.init.as_ref()?;
        let binding = ident(&self.binding.ident);
        let function = &self.binding.functions[*function];
        let (signature, body) = (self.signature(function), self.body(function));
        let (name, method) = (&function.name, ident(&function.names.method));
        let args = args.iter().map(|arg| Literal::i128_unsuffixed(*arg));
        let call = match function.failure {
            Failure::Never => quote!({ let _ = binding.#method(); Ok(()) }),
            Failure::Code => quote!(Ok(binding.#method().map(|_| ())?)),
            Failure::Call => quote!(binding.#method().map(|_| ())),
        };
        let position = self.position(function);
        let (end, ending) = match end {
            Some(end) => {
                let function = &self.binding.functions[*end];
                let (callee, at) =
                    (self.callee(function, &ident("end"), &quote!(binding)), self.position(function));
                let reason = self.because(Reason::End);
                let end = quote! {
                    #reason
                    let end = unsafe { #callee Box::new(move || { end(); }) };
                };
                (Some(end), quote!(Some((#at, end))))
            }
            None => (None, quote!(None)),
        };
        Some(quote! {
            impl #binding {
                #signature { #body }
            }

            /// Begins the library, unless another binding of it has.
            fn initialized(binding: #binding) -> Result<#binding, opendyn::LoadError> {
                #end
                binding.library.begin((#name, #position), &[#(#args),*], #ending, || #call)?;
                Ok(binding)
            }
        })
    }

    fn position(&self, function: &Function) -> TokenStream {
        let (positions, position) = (ident(&self.binding.tables.positions), ident(&function.names.symbol));
        quote!(#positions::#position as usize)
    }

    /// What `open` says about the library of a document with `x-init`.
    pub(super) fn begins(&self) -> Option<TokenStream> {
        let Init { function, end, .. } = self.binding.init.as_ref()?;
        let name = |index: usize| docs::line(&self.binding.functions[index].name);
        let mut lines = vec![
            String::new(),
            format!(
                "The library is initialized with `{}`, unless a binding of it has done so.",
                name(*function)
            ),
        ];
        if let Some(end) = end {
            lines.push(format!("When the last binding of it is dropped, `{}` ends it.", name(*end)));
        }
        Some(docs::attributes(&lines))
    }

    /// How `open` can fail in addition.
    pub(super) fn uninitialized(&self) -> Option<TokenStream> {
        self.binding.init.as_ref()?;
        Some(lines_of(&[
            "Or it could not be initialized: the error has the code and the text of the library.",
        ]))
    }

    /// What the caller of `from_library` owes for a library that ends.
    pub(super) fn counts(&self) -> Option<TokenStream> {
        self.binding.init.as_ref()?.end?;
        Some(lines_of(&[
            "",
            "Other code must not use the library when its last binding is dropped, which ends it. If it was loaded by",
            "another name, such as that of the program, bindings by this name are counted alone.",
        ]))
    }
}
