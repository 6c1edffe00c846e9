//! From the plan to Rust tokens. Nothing here can fail, and nothing is decided.
//!
//! A binding is one module: what it imports and what is private in it is seen in it alone, so that generated code
//! can use short names. What is generated is declarations and calls; every conversion is a function of the runtime.

mod binding;
mod bits;
mod body;
mod c_types;
mod callback;
mod checks;
mod codes;
mod collect;
mod docs;
mod enums;
mod failure;
mod frees;
mod handles;
mod init;
mod kind;
mod lends;
mod limits;
mod method;
mod method_docs;
mod operand;
mod owned;
mod raw_json;
mod records;
mod rust_types;
mod safety;
mod table;
mod taken_memory;
mod thunk;
mod unions;

use std::cell::RefCell;

use opendyn_model::c_type::{CType, Class};
use opendyn_model::plan::{Binding, Default, Enumeration, Function, Receiver, Scalar, Types, View};

use crate::tokens::{Ident, Literal, ToTokens, TokenStream, format_ident, quote};

/// What every emitter needs: the binding, and where to note what the tokens need.
pub(crate) struct Emitter<'b> {
    binding: &'b Binding,
    types: &'b Types,
    /// Whether the reasons of `unsafe` blocks are wanted, which only a file can show.
    with_reasons: bool,
    /// The names of `std::ffi` that the tokens use, sorted.
    imports: RefCell<Vec<&'static str>>,
}

/// The whole binding. With `with_reasons`, every `unsafe` block has its reason in front, as an attribute that the
/// formatter prints as a comment; a compiler does not take that.
pub(crate) fn emit(binding: &Binding, with_reasons: bool) -> TokenStream {
    Emitter::new(binding, with_reasons).module()
}

/// The name of the method of a function, and the method without its body.
#[cfg(feature = "describe")]
pub(crate) fn signature(binding: &Binding, function: &Function) -> (String, TokenStream) {
    let emitter = Emitter::new(binding, false);
    if emitter.has_method(function) || emitter.is_of_init(function) {
        (function.names.method.clone(), emitter.signature(function))
    } else {
        ("clone".to_owned(), quote!(fn clone(&self) -> Self))
    }
}

/// The struct of its results, where there are several.
#[cfg(feature = "describe")]
pub(crate) fn outputs(binding: &Binding, function: &Function) -> Option<TokenStream> {
    Emitter::new(binding, false).outputs(function)
}

impl<'b> Emitter<'b> {
    fn new(binding: &'b Binding, with_reasons: bool) -> Self {
        Self { binding, types: &binding.types, with_reasons, imports: RefCell::default() }
    }

    /// The methods whose receiver is such a type.
    fn methods_of(&self, is_its: &dyn Fn(Receiver) -> bool) -> TokenStream {
        let functions = self.binding.functions.iter().filter(|function| is_its(function.receiver));
        functions.filter(|function| self.has_method(function)).map(|function| self.method(function)).collect()
    }

    fn module(&self) -> TokenStream {
        let Self { binding, types, .. } = self;
        let shown: Vec<&Enumeration> = types.enums.iter().filter(|of| of.is_shown).collect();
        let declaration = self.declaration();
        let outputs = binding.functions.iter().filter_map(|function| self.outputs(function));
        let own = |function: &Function| {
            let method = (function.receiver == Receiver::Binding && self.has_method(function))
                .then(|| self.method(function));
            let asked = (!function.required).then(|| self.asked(function));
            method.into_iter().chain(asked)
        };
        let methods: TokenStream = binding.functions.iter().flat_map(own).collect();
        let methods = (!methods.is_empty()).then(|| {
            let ident = ident(&binding.ident);
            quote!(impl #ident { #methods })
        });
        let access = self.access();
        let codes = self.codes();
        let handles = types.handles.iter().enumerate().map(|(index, handle)| {
            let is_its =
                |receiver: Receiver| matches!(receiver, Receiver::Handle { handle, .. } if handle == index);
            self.handle(handle, &self.methods_of(&is_its))
        });
        let signatures = || binding.functions.iter().map(|function| &function.signature);
        let values = || signatures().flat_map(|signature| signature.params.iter().chain(&signature.returns));
        let complex = values().any(|value| value.is_complex(types)).then(|| {
            quote!(
                const _: () = runtime::assert_complex_by_value();
            )
        });
        let records = types.records.iter().enumerate().map(|(index, record)| {
            let is_its =
                |receiver: Receiver| matches!(receiver, Receiver::State { record, .. } if record == index);
            self.record(record, &|| self.methods_of(&is_its))
        });
        let unions = values().any(|value| value.is_union(types)).then(|| {
            quote!(
                const _: () = runtime::assert_union_by_value();
            )
        });
        let enums = shown.iter().map(|of| self.enumeration(of));
        let frees = self.frees();
        let allocators = self.allocators();
        let tables = self.tables();
        let items = quote! {
            #declaration
            #methods
            #access
            #(#outputs)*
            #(#handles)*
            #complex
            #unions
            #(#records)*
            #(#enums)*
            #codes
            #frees
            #allocators
            #tables
        };
        let exported = self.exported(&shown);
        let imports = self.imports.borrow();
        let imports = (!imports.is_empty()).then(|| {
            let names = imports.iter().map(|name| ident(name));
            quote!(use ::std::ffi::{#(#names),*};)
        });
        let module = ident(&binding.module);
        let version = Literal::u32_unsuffixed(opendyn_model::GENERATED_VERSION);
        quote! {
            #exported

            #[allow(
                dead_code,
                nonstandard_style,
                unreachable_pub,
                unsafe_code,
                unused_imports,
                clippy::all,
                clippy::pedantic
            )]
            mod #module {
                use ::core::mem::offset_of;
                use ::core::ptr;
                #imports

                use ::opendyn;
                use ::opendyn::generated as runtime;

                const _: () = runtime::assert_written_for::<#version>();

                #items
            }
        }
    }

    /// What is seen outside of the module: the binding by its name, its types through a glob. So two bindings in one module
    /// may have types of the same name, and only code that uses such a name must say whose it is.
    fn exported(&self, enums: &[&Enumeration]) -> TokenStream {
        let Self { binding, types, .. } = self;
        let (module, ident) = (ident(&binding.module), ident(&binding.ident));
        let has_types = !types.handles.is_empty()
            || types.records.iter().any(|record| !record.behind && record.complex.is_none())
            || enums.iter().any(|of| of.is_named())
            || binding.functions.iter().any(|function| function.results().len() > 1)
            || !binding.codes.is_empty();
        let types = has_types.then(|| {
            quote! {
                #[allow(ambiguous_glob_reexports, hidden_glob_reexports, unreachable_pub, unused_imports)]
                pub use #module::*;
            }
        });
        quote! {
            #[allow(unreachable_pub, unused_imports)]
            pub use #module::#ident;
            #types
        }
    }

    /// A name of `std::ffi`, which the module imports.
    fn ffi(&self, name: &'static str) -> Ident {
        let mut imports = self.imports.borrow_mut();
        if let Err(place) = imports.binary_search(&name) {
            imports.insert(place, name);
        }
        ident(name)
    }

    /// A C type as Rust has it.
    fn c_type(&self, c_type: CType) -> TokenStream {
        if c_type.is_in_ffi() {
            return self.ffi(c_type.rust()).into_token_stream();
        }
        // A path, which parses.
        c_type.rust().parse().unwrap_or_default()
    }

    /// A value that the document gives, as one of the scalar's C type.
    fn literal(&self, value: &Default, scalar: Scalar) -> TokenStream {
        match value {
            Default::Bool(value) if scalar.view == View::Truth && scalar.c_type == CType::Bool => {
                quote!(#value)
            }
            Default::Bool(value) => Literal::u8_unsuffixed(u8::from(*value)).into_token_stream(),
            // A type such as `char` is signed on some targets, unsigned on others.
            Default::Integer(value)
                if scalar.c_type.has_sign_of_target()
                    && !(0..=scalar.c_type.narrowest_max().into()).contains(value) =>
            {
                let value = Literal::i32_suffixed(i32::try_from(*value).unwrap_or_default());
                let of = self.c_type(scalar.c_type);
                quote!(#value as #of)
            }
            Default::Integer(value) => Literal::i128_unsuffixed(*value).into_token_stream(),
            // As Rust shows it: not with hundreds of zeros.
            Default::Number(value) => format!("{value:?}").parse().unwrap_or_default(),
            Default::Text(_) => TokenStream::new(),
        }
    }
}

/// An identifier, raw or not.
fn ident(name: &str) -> Ident {
    Ident::new(name.to_owned())
}

/// A name made of another, which may be raw.
fn ident_after(name: &str, suffix: &str) -> Ident {
    format_ident!("{}{suffix}", name.trim_start_matches("r#"))
}

/// Zero of a C type.
fn zero(c_type: CType) -> TokenStream {
    if c_type.class() == Class::Floating { quote!(0.0) } else { quote!(0) }
}
