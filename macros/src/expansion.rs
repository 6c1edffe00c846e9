//! From the input to the bindings.

use std::hash::Hash;

use opendyn_codegen::{Diagnostics, Generated, generate};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Error;

use crate::input::Input;
use crate::locate;

pub(crate) fn expand(input: &Input) -> syn::Result<TokenStream> {
    let (path, source) = locate::document(&input.path)?;
    let span = input.path.span();
    let generated =
        generate(&input.path.value(), &source, &input.options).map_err(|found| errors(span, &found))?;

    let path = path.to_string_lossy();
    let warnings = if input.show_warnings { warnings(span, &generated.warnings) } else { TokenStream::new() };
    // In a function that nothing calls, because a constant would go into the metadata of the crate, four
    // times as large as the file: here the compiler only reads it.
    let library = generated.library.as_ref().map(|library| {
        let library = std::path::absolute(library).unwrap_or_else(|_| library.clone());
        let library = library.to_string_lossy();
        quote! {
            const _: () = {
                #[allow(dead_code)]
                fn library() {
                    let _: &[u8] = ::core::include_bytes!(#library);
                }
            };
        }
    });
    let bindings = if input.debug || std::env::var("OPENDYN_DEBUG").is_ok_and(|value| value == "1") {
        included(&generated, (&*path, format!("{:?}", input.options)), span)?
    } else {
        generated.tokens()
    };
    Ok(quote! {
        // The compiler looks at the document and the library again when they change.
        const _: &[u8] = ::core::include_bytes!(#path);
        #library
        #warnings
        #bindings
    })
}

/// One compile error a finding, all on the path.
fn errors(span: Span, diagnostics: &Diagnostics) -> Error {
    let mut errors = diagnostics.errors().map(|diagnostic| Error::new(span, diagnostic));
    let first = errors.next().unwrap_or_else(|| Error::new(span, "the document has errors"));
    errors.fold(first, |mut all, error| {
        all.combine(error);
        all
    })
}

/// A macro cannot warn, but it can use something deprecated.
fn warnings(span: Span, diagnostics: &Diagnostics) -> TokenStream {
    let notes = diagnostics.warnings().map(ToString::to_string);
    let each = notes.map(|note| {
        quote_spanned! {span=>
            const _: () = {
                #[deprecated(note = #note)]
                #[allow(non_upper_case_globals)]
                const document: () = ();
                document
            };
        }
    });
    quote!(#(#each)*)
}

/// The bindings by way of a file, so that the compiler has lines to point at.
fn included(generated: &Generated, of: impl Hash, span: Span) -> syn::Result<TokenStream> {
    let text = generated.to_file()?;
    let file = locate::debug_file(&generated.name, of)
        .ok_or_else(|| Error::new(span, "debug: there is no folder to write the bindings to"))?;
    if std::fs::read_to_string(&file).is_ok_and(|present| present == text) {
        // As it was: leaving it alone keeps its time.
    } else {
        std::fs::write(&file, text)
            .map_err(|error| Error::new(span, format!("debug: cannot write {}: {error}", file.display())))?;
    }
    let file = file.to_string_lossy();
    Ok(quote!(::core::include!(#file);))
}
