//! From the plan to Rust tokens. Nothing here can fail, and nothing is decided.
//!
//! A binding is one module: what it imports and what is private in it is seen in it alone, so that generated code
//! can use short names. What is generated is declarations and calls; every conversion is a function of the runtime.

mod binding;
mod body;
mod c_types;
mod callback;
mod checks;
mod codes;
mod collect;
mod docs;
mod enums;
mod failure;
mod handles;
mod kind;
mod method;
mod method_docs;
mod operand;
mod raw_json;
mod records;
mod rust_types;
mod safety;
mod table;
mod thunk;

use std::cell::RefCell;
use std::collections::BTreeSet;

use opendyn_model::c_type::{CType, Class};
use opendyn_model::plan::{Binding, Default, Enumeration, Scalar, Types, View};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};

/// What every emitter needs: the binding, and where to note what the tokens need.
pub(crate) struct Emitter<'b> {
    binding: &'b Binding,
    types: &'b Types,
    /// Whether the reasons of `unsafe` blocks are wanted, which only a file can show.
    with_reasons: bool,
    /// The names of `std::ffi` that the tokens use.
    imports: RefCell<BTreeSet<&'static str>>,
}

/// The whole binding. With `with_reasons`, every `unsafe` block has its reason in front, as an attribute that the
/// formatter prints as a comment; a compiler does not take that.
pub(crate) fn emit(binding: &Binding, with_reasons: bool) -> TokenStream {
    Emitter::new(binding, with_reasons).module()
}

/// The method of a function, without its body.
#[cfg(feature = "describe")]
pub(crate) fn signature(binding: &Binding, function: &opendyn_model::plan::Function) -> TokenStream {
    Emitter::new(binding, false).signature(function)
}

/// The struct of its results, where there are several.
#[cfg(feature = "describe")]
pub(crate) fn outputs(binding: &Binding, function: &opendyn_model::plan::Function) -> Option<TokenStream> {
    Emitter::new(binding, false).outputs(function)
}

impl<'b> Emitter<'b> {
    fn new(binding: &'b Binding, with_reasons: bool) -> Self {
        Self { binding, types: &binding.types, with_reasons, imports: RefCell::default() }
    }

    fn module(&self) -> TokenStream {
        let Self { binding, types, .. } = self;
        let shown: Vec<&Enumeration> = types.enums.iter().filter(|of| of.is_shown).collect();
        let declaration = self.declaration();
        let outputs = binding.functions.iter().filter_map(|function| self.outputs(function));
        let methods: TokenStream = binding.functions.iter().map(|function| self.method(function)).collect();
        let methods = (!binding.functions.is_empty()).then(|| {
            let ident = ident(&binding.ident);
            quote!(impl #ident { #methods })
        });
        let access = self.access();
        let codes = self.codes();
        let handles = types.handles.iter().map(|handle| self.handle(handle));
        let records = types.records.iter().map(|record| self.record(record));
        let enums = shown.iter().map(|of| self.enumeration(of));
        let frees = self.frees();
        let tables = self.tables();
        let items = quote! {
            #declaration
            #methods
            #access
            #(#outputs)*
            #(#handles)*
            #(#records)*
            #(#enums)*
            #codes
            #frees
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
            #[allow(unreachable_pub, unused_imports)]
            pub use #module::{#(#exported),*};

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

    /// The types that are seen outside of the module.
    fn exported(&self, enums: &[&Enumeration]) -> Vec<Ident> {
        let Self { binding, types, .. } = self;
        let outputs = binding.functions.iter().filter(|function| function.results().len() > 1);
        let codes = (!binding.codes.is_empty()).then_some(&binding.code_ident);
        std::iter::once(&binding.ident)
            .chain(types.handles.iter().map(|handle| &handle.ident))
            .chain(types.records.iter().map(|record| &record.ident))
            .chain(enums.iter().filter(|of| of.is_named()).map(|of| &of.ident))
            .chain(outputs.map(|function| &function.names.outputs))
            .chain(codes)
            .map(|name| ident(name))
            .collect()
    }

    /// A name of `std::ffi`, which the module imports.
    fn ffi(&self, name: &'static str) -> Ident {
        self.imports.borrow_mut().insert(name);
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
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// A name made of another, which may be raw.
fn ident_after(name: &str, suffix: &str) -> Ident {
    Ident::new(&format!("{}{suffix}", name.trim_start_matches("r#")), Span::call_site())
}

/// Zero of a C type.
fn zero(c_type: CType) -> TokenStream {
    if c_type.class() == Class::Floating { quote!(0.0) } else { quote!(0) }
}
