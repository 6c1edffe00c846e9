//! What a body checks of the arguments before the call: their lengths, and whether the document lists their values.

use opendyn_model::plan::{Amount, AskArg, Scalar, Shape};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::body::Body;
use super::{ident, ident_after};

impl Body<'_> {
    /// Whether a value is one of those that the document lists.
    pub(super) fn listed(&mut self, param: usize, enumeration: usize) {
        let (emitter, function) = (self.emitter(), self.function);
        let of = &emitter.types.enums[enumeration];
        let (key, constant) = (&function.params[param].key, ident(&of.constant));
        let shape = self.shape(param).cloned();
        let optional = self.is_optional(param);
        self.given(param, &|given| match &shape {
            Some(Shape::Scalar(Scalar { c_type, .. })) => {
                let raw = emitter.c_type(*c_type);
                let given = if optional { quote!(*#given) } else { given.clone() };
                let given = if of.is_named() { quote!(#raw::from(#given)) } else { given };
                quote!(runtime::listed(#key, #given, &#constant)?;)
            }
            Some(Shape::Cell(_)) => {
                let given = if optional { quote!(**#given) } else { quote!(*#given) };
                quote!(runtime::listed(#key, #given, &#constant)?;)
            }
            Some(Shape::Text(_)) => quote!(runtime::listed_str(#key, #given.as_c_str(), #constant)?;),
            _ => quote!(runtime::all_listed(#key, &#given[..], &#constant)?;),
        });
    }

    /// A check of an argument, if it is there.
    pub(super) fn given(&mut self, param: usize, check: &dyn Fn(&TokenStream) -> TokenStream) {
        let name = self.name(param);
        let tokens = if self.is_optional(param) {
            let check = check(&quote!(given));
            quote!(if let Some(given) = &#name { #check })
        } else {
            check(&quote!(#name))
        };
        self.push(tokens);
    }

    /// How long the first of these arrays is that is present.
    pub(super) fn length_of(&self, arrays: &[usize]) -> TokenStream {
        let length = |index: usize| {
            let name = self.name(index);
            if self.is_optional(index) {
                quote!(#name.as_ref().map(|given| given.len()))
            } else {
                quote!(Some(#name.len()))
            }
        };
        match arrays {
            [only] if !self.is_optional(*only) => {
                let name = self.name(*only);
                quote!(#name.len())
            }
            [only] => {
                let name = self.name(*only);
                quote!(#name.as_ref().map_or(0, |given| given.len()))
            }
            arrays => {
                let lengths = arrays.iter().map(|index| length(*index));
                quote!(runtime::first_length([#(#lengths),*]))
            }
        }
    }

    /// How many elements there are, or is room for.
    pub(super) fn amount(&mut self, amount: &Amount) -> TokenStream {
        match amount {
            Amount::Param(index) => {
                let name = self.name(*index);
                quote!(#name)
            }
            Amount::Const(count) => {
                let count = Literal::u64_suffixed(*count);
                quote!(#count)
            }
            Amount::Ask { function, args } => {
                self.is_unsafe = true;
                self.ask(*function, args, "_of_length")
            }
        }
    }

    /// A call of another function. The variable of its pointer ends with `suffix`.
    pub(super) fn ask(&self, function: usize, args: &[AskArg], suffix: &str) -> TokenStream {
        let emitter = self.emitter();
        let asked = &emitter.binding.functions[function];
        let name = ident_after(&asked.names.callee, suffix);
        let callee = emitter.callee(asked, &name, &quote!(self));
        let args = args.iter().map(|arg| match arg {
            AskArg::Integer(value) => {
                let value = Literal::i128_unsuffixed(*value);
                quote!(#value)
            }
            AskArg::Param(index) => emitter.operand(self.function, *index),
            AskArg::Left(_) | AskArg::Returned => self.left_after_call(arg),
        });
        quote!({ #callee #name(#(#args),*) })
    }
}
