//! One typed method per function, and the struct of its results.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{CValue, Failure, Function, Outcome, Place, Shape};
use proc_macro2::TokenStream;
use quote::quote;

use super::{Emitter, docs, ident};

impl Emitter<'_> {
    /// The method, and for an optional function the one that tells whether it is there.
    pub(super) fn method(&self, function: &Function) -> TokenStream {
        let docs = docs::attributes(&super::method_docs::text(function));
        let signature = self.signature(function);
        let body = self.body(function);
        let asked = (!function.required).then(|| self.asked(function));
        quote! {
            #docs
            #[inline]
            pub #signature { #body }
            #asked
        }
    }

    /// `fn add(&self, a: c_int) -> c_int`, with all that belongs to it.
    pub(super) fn signature(&self, function: &Function) -> TokenStream {
        let name = ident(&function.names.method);
        let unsafety = function.is_unsafe().then(|| quote!(unsafe));
        let lifetime = (!function.lenders.is_empty()).then(|| quote!('h));
        let params = function.params.iter().enumerate().filter_map(|(index, param)| {
            let argument = param.argument.as_ref()?;
            let lent = lifetime.as_ref().filter(|_| function.lenders.contains(&index));
            let c = &function.signature.params[index];
            let (name, taken) = (ident(&param.ident), self.taken(index, c, argument, lent));
            Some(quote!(#name: #taken))
        });
        let bounds = function.params.iter().enumerate().filter_map(|(index, param)| {
            match &param.argument.as_ref()?.shape {
                Shape::Closure(callback) => self.closure_bound(index, param, callback),
                _ => None,
            }
        });
        let generics: Vec<TokenStream> = lifetime.clone().into_iter().chain(bounds).collect();
        let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
        let this = if lifetime.is_some() { quote!(&'h self) } else { quote!(&self) };
        let returns = self.return_type(function, &lifetime.clone().unwrap_or_else(|| quote!('_)));
        quote!(#unsafety fn #name #generics (#this, #(#params),*) #returns)
    }

    fn return_type(&self, function: &Function, lifetime: &TokenStream) -> TokenStream {
        let results = function.results();
        let value = match results.as_slice() {
            [] => quote!(()),
            [result] => self.outcome_type(result, lifetime, &self.raw_type(function, result)),
            _ => {
                let outputs = ident(&function.names.outputs);
                let lifetime = results.iter().any(|result| result.is_handle()).then(|| quote!(<#lifetime>));
                quote!(#outputs #lifetime)
            }
        };
        match function.failure {
            Failure::Call => quote!(-> Result<#value, opendyn::CallError>),
            Failure::Code => quote!(-> Result<#value, opendyn::CodeError>),
            Failure::Never if results.is_empty() => TokenStream::new(),
            Failure::Never => quote!(-> #value),
        }
    }

    /// The type of a pointer that is not followed.
    fn raw_type(&self, function: &Function, outcome: &Outcome) -> TokenStream {
        let value = match outcome.from {
            Place::Returned => function.signature.returns.clone(),
            // C is passed where to put it.
            Place::Param(index) => {
                let passed = function.signature.params.get(index).map(CValue::bound);
                passed.map(|value| CValue { stars: value.stars.saturating_sub(1), ..value })
            }
        };
        self.c_value(&value.unwrap_or_else(|| CValue::scalar(CType::Void)))
    }

    /// The struct of several results.
    pub(super) fn outputs(&self, function: &Function) -> Option<TokenStream> {
        let results = function.results();
        if results.len() < 2 {
            return None;
        }
        let name = ident(&function.names.outputs);
        let docs = docs::attributes(&[format!("What `{}` returns.", function.name)]);
        let fields = results.iter().map(|result| {
            let field = ident(&result.ident);
            let of = self.outcome_type(result, &quote!('l), &self.raw_type(function, result));
            let text = result.description.as_deref().map_or_else(|| format!("`{}`", result.key), docs::line);
            let docs = docs::attributes(&[text]);
            quote!(#docs pub #field: #of,)
        });
        let lifetime = results.iter().any(|result| result.is_handle()).then(|| quote!(<'l>));
        let is_owned = results.iter().any(|result| result.is_owned());
        // Text is compared by its address, which no copy has.
        let has_copies = results.iter().any(|result| result.whole);
        let derives = match (is_owned, has_copies) {
            (true, _) => quote!(Debug),
            (false, true) => quote!(Clone, Debug),
            (false, false) => quote!(Clone, Debug, PartialEq),
        };
        Some(quote! {
            #docs
            #[derive(#derives)]
            #[must_use]
            pub struct #name #lifetime { #(#fields)* }
        })
    }

    fn asked(&self, function: &Function) -> TokenStream {
        let docs = docs::attributes(&[format!("Whether the loaded library has `{}`.", function.name)]);
        let has = ident(&function.names.has);
        let (positions, position) = (ident(&self.binding.tables.positions), ident(&function.names.symbol));
        quote! {
            #docs
            #[must_use]
            pub fn #has(&self) -> bool { self.library.has(#positions::#position as usize) }
        }
    }
}
