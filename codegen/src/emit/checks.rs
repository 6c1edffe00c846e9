//! What a body checks of the arguments before the call: their lengths, and whether the document lists their values.

use opendyn_model::plan::{Amount, AskArg, Factor, Scalar, Shape};

use super::body::Body;
use super::{ident, ident_after};
use crate::tokens::{Ident, Literal, ToTokens, TokenStream, format_ident, quote};

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

    /// A `&str` becomes a `&CStr`, of a copy with a NUL.
    pub(super) fn terminate(&mut self, param: usize) {
        if let Some(Shape::Strings { nullable, .. }) = self.shape(param) {
            return self.terminate_each(param, *nullable);
        }
        let (name, key) = (self.name(param), &self.function.params[param].key);
        let text = ident_after(&self.function.params[param].ident, "_text");
        self.push(if self.is_optional(param) {
            quote! {
                let #text = #name.map(|given| runtime::CText::new(#key, given)).transpose()?;
                let #name = #text.as_ref().map(|given| given.as_c_str());
            }
        } else {
            quote! {
                let #text = runtime::CText::new(#key, #name)?;
                let #name = #text.as_c_str();
            }
        });
    }

    /// Every `&str` of an array becomes a `&CStr`, of a copy with a NUL.
    fn terminate_each(&mut self, param: usize, nullable: bool) {
        let (name, key) = (self.name(param), &self.function.params[param].key);
        let texts = ident_after(&self.function.params[param].ident, "_texts");
        let list = ident_after(&self.function.params[param].ident, "_list");
        let (make, text) = if nullable {
            (quote!(nullable_c_texts), quote!(given.as_ref().map(|given| given.as_c_str())))
        } else {
            (quote!(c_texts), quote!(given.as_c_str()))
        };
        self.push(if self.is_optional(param) {
            quote! {
                let #texts = #name.map(|given| runtime::#make(#key, given)).transpose()?;
                let #list: Option<Vec<_>> =
                    #texts.as_ref().map(|given| given.iter().map(|given| #text).collect());
                let #name = #list.as_deref();
            }
        } else {
            quote! {
                let #texts = runtime::#make(#key, #name)?;
                let #list: Vec<_> = #texts.iter().map(|given| #text).collect();
                let #name = #list.as_slice();
            }
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

    fn factors(&mut self, factors: &[Factor]) -> Vec<TokenStream> {
        let mut factor = |factor: &Factor| match factor {
            Factor::Asked(amount) => {
                let asked = self.amount(amount);
                quote!(runtime::factor(#asked))
            }
            Factor::Param(index) => {
                let name = self.name(*index);
                quote!(runtime::factor(#name))
            }
            Factor::Const(value) => {
                let value = Literal::i64_unsuffixed(*value);
                quote!(#value)
            }
        };
        factors.iter().map(&mut factor).collect()
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
            Amount::Member { record, field } => {
                self.is_unsafe = true;
                self.emitter().read_count(self.function, *record, *field)
            }
            Amount::Product(factors) => {
                let factors = self.factors(factors);
                quote!(runtime::product(&[#(#factors),*]))
            }
            Amount::Sum(terms) => {
                let terms = self.factors(terms);
                quote!(runtime::sum(&[#(#terms),*]))
            }
            // What ends at a zero is not counted.
            Amount::Terminated => quote!(0_u64),
            Amount::Ask { function, args, output: Some(output) } => {
                self.is_unsafe = true;
                self.ask_output(*function, args, *output)
            }
            Amount::Ask { function, args, output: None } => {
                self.is_unsafe = true;
                self.ask(*function, args, "_of_length")
            }
        }
    }

    /// What another function leaves in an output. Its own method is called, so that its failure is the failure of this
    /// call.
    fn ask_output(&self, function: usize, args: &[AskArg], output: usize) -> TokenStream {
        let emitter = self.emitter();
        let asked = &emitter.binding.functions[function];
        let taken = asked.params.iter().enumerate().filter(|(_, param)| param.argument.is_some());
        let mut on = self.binding();
        let mut passed: Vec<TokenStream> = Vec::new();
        for ((index, _), arg) in taken.zip(args) {
            let arg = match arg {
                AskArg::Integer(value) => Literal::i128_unsuffixed(*value).into_token_stream(),
                AskArg::Param(given) | AskArg::Left(given) => {
                    let name = emitter.name_of(self.function, *given);
                    if asked.receiver.param() == Some(index) {
                        on = name;
                        continue;
                    }
                    name.into_token_stream()
                }
                // A length is asked before the call.
                AskArg::Returned | AskArg::Asked(_) => {
                    ident(&self.function.names.returned).into_token_stream()
                }
            };
            passed.push(arg);
        }
        let method = ident(&asked.names.method);
        let fails = asked.is_fallible().then(|| quote!(?));
        let member = (asked.results().len() > 1).then(|| {
            let name = ident(&asked.params[output].ident);
            quote!(.#name)
        });
        quote!(#on.#method(#(#passed),*) #fails #member)
    }

    /// A call of another function. The variable of its pointer ends with `suffix`.
    pub(super) fn ask(&self, function: usize, args: &[AskArg], suffix: &str) -> TokenStream {
        let emitter = self.emitter();
        let asked = &emitter.binding.functions[function];
        let name = ident_after(&asked.names.callee, suffix);
        let args = args.iter().enumerate().map(|(position, arg)| match arg {
            AskArg::Integer(value) => {
                let value = Literal::i128_unsuffixed(*value);
                quote!(#value)
            }
            AskArg::Param(index) => emitter.operand(self.function, *index),
            AskArg::Left(_) | AskArg::Returned => self.left_after_call(arg),
            AskArg::Asked(inner) => self.asked_value(position, inner),
        });
        if let Some(read) = asked.read() {
            let args: TokenStream = args.collect();
            return emitter.read_from(&args, asked, read);
        }
        let callee = emitter.callee(asked, &name, &self.binding().into_token_stream());
        quote!({ #callee #name(#(#args),*) })
    }
}

/// The variable of what another function returned, as the argument at `position`.
pub(super) fn asked_ident(position: usize) -> Ident {
    format_ident!("asked_{position}")
}
