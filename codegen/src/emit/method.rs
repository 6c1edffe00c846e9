//! One typed method per function, and the struct of its results.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{Access, CValue, Failure, Function, GivesBack, Outcome, Place, Receiver, Shape};

use super::{Emitter, docs, ident};
use crate::tokens::{Ident, TokenStream, quote};

impl Emitter<'_> {
    /// The method.
    pub(super) fn method(&self, function: &Function) -> TokenStream {
        let docs = docs::attributes(&super::method_docs::text(function));
        let signature = self.signature(function);
        let body = self.body(function);
        quote! {
            #docs
            #[inline]
            pub #signature { #body }
        }
    }

    /// `fn add(&self, a: c_int) -> c_int`, with all that belongs to it.
    pub(super) fn signature(&self, function: &Function) -> TokenStream {
        let name = ident(&function.names.method);
        let unsafety = function.is_unsafe().then(|| quote!(unsafe));
        let receiver = function.receiver.param();
        let lifetime = (!function.lenders.is_empty()).then(|| quote!('h));
        let mut others = function.gives_back.iter().flat_map(|gives_back| &gives_back.params);
        let given = others.find(|param| receiver != Some(**param)).map(|_| quote!('g));
        let not_of_c = CValue::scalar(CType::Size);
        let params = function.params.iter().enumerate().filter_map(|(index, param)| {
            let argument = param.argument.as_ref().filter(|_| receiver != Some(index))?;
            let lent = lifetime.as_ref().filter(|_| function.lenders.contains(&index));
            let lent = lent.or(given.as_ref().filter(|_| function.is_given_back(index)));
            let c = function.signature.params.get(index).unwrap_or(&not_of_c);
            let taken = if param.moves() || param.is_kept_for_good() {
                self.kept(argument, param.is_kept_for_good())
            } else {
                self.taken(index, c, argument, lent)
            };
            let name = ident(&param.ident);
            Some(quote!(#name: #taken))
        });
        let bounds = function.params.iter().enumerate().filter_map(|(index, param)| {
            match &param.argument.as_ref()?.shape {
                Shape::Closure(callback) => self.closure_bound(index, param, callback),
                _ => None,
            }
        });
        let generics: Vec<TokenStream> =
            lifetime.clone().into_iter().chain(given.clone()).chain(bounds).collect();
        let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
        let this = self.receiver(function);
        let of_binding = if receiver.is_some() { quote!('l) } else { quote!('_) };
        let returns = self.return_type(function, lifetime.as_ref().unwrap_or(&of_binding));
        // What borrows another argument borrows the binding too, for which the receiver lives long enough.
        let bound = receiver.filter(|param| lifetime.is_some() && !function.lenders.contains(param));
        let bound = bound.map(|_| quote!(where 'l: 'h));
        quote!(#unsafety fn #name #generics (#this, #(#params),*) #returns #bound)
    }

    /// `&self`, `&'h self` where a result borrows it, or `self` where the call ends it.
    fn receiver(&self, function: &Function) -> TokenStream {
        let Some(param) = function.receiver.param() else {
            return if function.lenders.is_empty() { quote!(&self) } else { quote!(&'h self) };
        };
        let argument = function.params[param].argument.as_ref();
        match argument.map(|argument| &argument.shape) {
            Some(
                Shape::Handle { access: Access::Owned, .. } | Shape::State { access: Access::Owned, .. },
            ) => {
                quote!(self)
            }
            Some(
                Shape::Handle { access: Access::Exclusive, .. }
                | Shape::State { access: Access::Exclusive, .. },
            ) => {
                let lent = function.lenders.contains(&param).then(|| quote!('h));
                quote!(& #lent mut self)
            }
            _ if function.lenders.contains(&param) => quote!(&'h self),
            _ => quote!(&self),
        }
    }

    /// The binding, in the body of the method.
    pub(super) fn binding_of(&self, function: &Function) -> Ident {
        ident(if function.receiver == Receiver::Binding { "self" } else { &function.names.binding })
    }

    /// What a method calls the parameter at `index`, which may be its receiver.
    pub(super) fn name_of(&self, function: &Function, index: usize) -> Ident {
        let is_receiver = function.receiver.param() == Some(index);
        ident(if is_receiver { "self" } else { &function.params[index].ident })
    }

    fn return_type(&self, function: &Function, lifetime: &TokenStream) -> TokenStream {
        let results = function.results();
        let value = match results.as_slice() {
            [] => quote!(()),
            [result] => self.outcome_type(result, lifetime, &self.raw_type(function, result)),
            _ => {
                let outputs = ident(&function.names.outputs);
                let lifetime = results.iter().any(|result| result.is_owned()).then(|| quote!(<#lifetime>));
                quote!(#outputs #lifetime)
            }
        };
        if let Some(gives_back) = &function.gives_back {
            let given = self.given_back_type(function, gives_back);
            return quote!(-> Result<#value, opendyn::Refused<#given>>);
        }
        match function.failure {
            Failure::Call => quote!(-> Result<#value, opendyn::CallError>),
            Failure::Code => quote!(-> Result<#value, opendyn::CodeError>),
            Failure::Never if results.is_empty() => TokenStream::new(),
            Failure::Never => quote!(-> #value),
        }
    }

    /// What a failed call gives back.
    fn given_back_type(&self, function: &Function, gives_back: &GivesBack) -> TokenStream {
        let types = gives_back.params.iter().filter_map(|index| {
            let argument = function.params[*index].argument.as_ref()?;
            let is_receiver = function.receiver.param() == Some(*index);
            let given = if is_receiver { quote!('l) } else { quote!('g) };
            Some(self.taken(*index, &function.signature.params[*index], argument, Some(&given)))
        });
        let given = if gives_back.params.len() == 1 { quote!(#(#types)*) } else { quote!((#(#types),*)) };
        if gives_back.every_time { given } else { quote!(Option<#given>) }
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
        let lifetime = results.iter().any(|result| result.is_owned()).then(|| quote!(<'l>));
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
            #[non_exhaustive]
            pub struct #name #lifetime { #(#fields)* }
        })
    }

    /// Whether the library has an optional function.
    pub(super) fn asked(&self, function: &Function) -> TokenStream {
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
