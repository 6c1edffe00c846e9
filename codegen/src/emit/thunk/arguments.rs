//! The arguments of the method, out of the slots.

use opendyn_model::plan::{Access, Argument, Element, Function, Param, Scalar, Shape, Text, View};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::super::safety::Reason;
use super::super::{Emitter, ident, ident_after, kind};

/// One argument of the method: what it needs, what it is, and what comes back of it.
#[derive(Default)]
pub(super) struct Taken {
    /// Finds the handle; nothing else has happened yet.
    pub(super) lookup: TokenStream,
    /// Takes the handle away, when nothing else can refuse the call.
    pub(super) removal: TokenStream,
    pub(super) before: TokenStream,
    pub(super) passed: TokenStream,
    pub(super) after: TokenStream,
}

impl Taken {
    pub(super) fn plain(passed: TokenStream) -> Self {
        Self { passed, ..Self::default() }
    }
}

/// Where an argument comes from and goes to.
pub(super) struct Slot<'p> {
    pub(super) key: &'p str,
    /// Not the parameter's own name, which may be one of the thunk's.
    pub(super) local: Ident,
    pub(super) index: Literal,
    pub(super) is_optional: bool,
}

impl Slot<'_> {
    /// What the slot is taken as: `of`, or an `Option` of it.
    fn of(&self, of: &TokenStream) -> TokenStream {
        if self.is_optional { quote!(Option<#of>) } else { of.clone() }
    }

    /// A local that is lent to the method and put back into the output.
    fn lent_back(
        &self,
        taken: &TokenStream,
        lent: TokenStream,
        put: &dyn Fn(&TokenStream) -> TokenStream,
    ) -> Taken {
        let Self { key, local, .. } = self;
        let put = if self.is_optional {
            let put = put(&quote!(given));
            quote!(#local.map(|given| #put))
        } else {
            put(&quote!(#local))
        };
        Taken {
            before: quote!(let mut #local = #taken;),
            after: quote!(out.put(#key, #put);),
            ..Taken::plain(lent)
        }
    }
}

impl Emitter<'_> {
    pub(super) fn take(&self, function: &Function, param: &Param, argument: &Argument) -> Taken {
        let local = ident_after(&param.ident, "_value");
        let position =
            function.params.iter().position(|other| std::ptr::eq(other, param)).unwrap_or_default();
        let slot = Slot {
            key: &param.key,
            local,
            index: Literal::usize_unsuffixed(function.field(position)),
            is_optional: argument.is_optional(),
        };
        let Slot { key, local, index, is_optional } = &slot;
        match &argument.shape {
            // What JSON does not give: text of unknown size has room enough, everything else is NULL.
            Shape::Room(_) => Taken {
                before: quote!(let mut #local = runtime::TextBuffer::new();),
                after: quote!(out.put(#key, #local.text());),
                ..Taken::plain(quote!(#local.as_mut_slice()))
            },
            Shape::Raw if argument.kind.is_none() => Taken::plain(quote!(ptr::null_mut())),
            Shape::Closure(_) => Taken::plain(quote!(None)),
            Shape::Scalar(Scalar { c_type, view: View::Enum(of) }) if self.types.enums[*of].is_named() => {
                let (of, raw) = (ident(&self.types.enums[*of].ident), self.c_type(*c_type));
                Taken::plain(if *is_optional {
                    quote!(args.get::<Option<#raw>>(#index).map(#of::from))
                } else {
                    quote!(#of::from(args.get::<#raw>(#index)))
                })
            }
            Shape::Text(Text { one_of: Some(of), .. }) => {
                let of = ident(&self.types.enums[*of].ident);
                let c_str = self.ffi("CStr");
                let taken = slot.of(&quote!(&#c_str));
                if *is_optional {
                    Taken {
                        before: quote!(let #local = args.get::<#taken>(#index).map(|text| #of::from(text.to_owned()));),
                        ..Taken::plain(quote!(#local.as_ref()))
                    }
                } else {
                    Taken::plain(quote!(&#of::from(args.get::<#taken>(#index).to_owned())))
                }
            }
            Shape::Cell(scalar) => self.take_cell(function, position, *scalar, &slot),
            Shape::List { element, fixed, access } => {
                self.take_list(*element, fixed.is_some(), *access, &slot, function, position)
            }
            Shape::Units { encoding, fixed, access } if access.is_written() => {
                let encoding = kind::encoding(*encoding);
                let fixed = fixed.map(|length| {
                    let length = Literal::u64_unsuffixed(length);
                    quote!(; #length)
                });
                // A copy of its own: slots are read, not written.
                let taken = slot.of(&quote!(&[u8 #fixed]));
                let (taken, lent) = match (is_optional, fixed.is_some()) {
                    (false, _) => (quote!(args.get::<#taken>(#index).to_owned()), quote!(&mut #local)),
                    (true, true) => (quote!(args.get::<#taken>(#index).copied()), quote!(#local.as_mut())),
                    (true, false) => (
                        quote!(args.get::<#taken>(#index).map(<[u8]>::to_owned)),
                        quote!(#local.as_deref_mut()),
                    ),
                };
                slot.lent_back(&taken, lent, &|given| quote!(runtime::Encoded(#given.to_vec(), #encoding)))
            }
            Shape::Strings => {
                let c_str = self.ffi("CStr");
                let taken = slot.of(&quote!(Vec<&#c_str>));
                let passed = if *is_optional { quote!(#local.as_deref()) } else { quote!(&#local) };
                Taken { before: quote!(let #local = args.get::<#taken>(#index);), ..Taken::plain(passed) }
            }
            Shape::Record { record, access } => self.take_record(*record, *access, &slot),
            Shape::State { record, access } => self.take_state(*record, *access, &slot, param),
            Shape::Handle { handle, access } => self.take_handle(*handle, *access, &slot, param),
            Shape::Scalar(_) | Shape::Text(_) | Shape::Units { .. } | Shape::Capacity(_) | Shape::Raw => {
                Taken::plain(quote!(args.get(#index)))
            }
        }
    }

    fn take_cell(&self, function: &Function, position: usize, scalar: Scalar, slot: &Slot<'_>) -> Taken {
        let Slot { local, index, is_optional, .. } = slot;
        let of = if scalar.view == View::Truth {
            quote!(bool)
        } else {
            let of = self.c_type(scalar.c_type);
            quote!(#of)
        };
        let taken = slot.of(&of);
        if !function.comes_back(position) {
            return Taken::plain(if *is_optional {
                quote!(args.get::<#taken>(#index).as_mut())
            } else {
                quote!(&mut args.get::<#taken>(#index))
            });
        }
        let lent = if *is_optional { quote!(#local.as_mut()) } else { quote!(&mut #local) };
        slot.lent_back(&quote!(args.get::<#taken>(#index)), lent, &|given| {
            if scalar.view == View::Character { quote!(runtime::Character(#given)) } else { given.clone() }
        })
    }

    fn take_list(
        &self,
        element: Element,
        is_fixed: bool,
        access: Access,
        slot: &Slot<'_>,
        function: &Function,
        position: usize,
    ) -> Taken {
        let Slot { local, index, is_optional, .. } = slot;
        let of = self.list_element(element, access);
        let list = if is_fixed { quote!(&mut [#of; _]) } else { quote!(&mut [#of]) };
        let taken = slot.of(&list);
        let reason = self.because(Reason::Field);
        let lend = quote!(args.lend::<#taken>(#index));
        if access == Access::Unchecked && !function.comes_back(position) {
            // The method is unsafe, and so is the block around this.
            return Taken::plain(lend);
        }
        let taken = quote!(unsafe { #lend });
        if !function.comes_back(position) {
            let passed = if *is_optional { quote!(#local.as_deref()) } else { quote!(#local) };
            return Taken { before: quote!(#reason let #local = #taken;), ..Taken::plain(passed) };
        }
        let lent = if *is_optional { quote!(#local.as_deref_mut()) } else { quote!(#local) };
        let of_bools = matches!(element, Element::Scalar(Scalar { view: View::Truth, .. }));
        let put = slot.lent_back(&taken, lent, &|given| {
            if of_bools { quote!(runtime::truths(#given.to_vec())) } else { quote!(#given.to_vec()) }
        });
        let mutable = is_optional.then(|| quote!(mut));
        Taken { before: quote!(#reason let #mutable #local = #taken;), ..put }
    }

    fn take_record(&self, record: usize, access: Access, slot: &Slot<'_>) -> Taken {
        let Slot { local, index, is_optional, .. } = slot;
        let of = ident(&self.types.records[record].ident);
        let taken = slot.of(&quote!(&mut #of));
        let reason = self.because(Reason::Field);
        let taken = quote!(unsafe { args.lend::<#taken>(#index) });
        let before = quote!(#reason let #local = #taken;);
        match (access, is_optional) {
            (Access::Owned, false) => Taken { before, ..Taken::plain(quote!(*#local)) },
            (Access::Owned, true) => Taken { before, ..Taken::plain(quote!(#local.copied())) },
            (Access::Shared, false) => Taken { before, ..Taken::plain(quote!(#local)) },
            (Access::Shared, true) => Taken { before, ..Taken::plain(quote!(#local.as_deref())) },
            (Access::Exclusive | Access::Unchecked, _) => {
                let lent = if *is_optional { quote!(#local.as_deref_mut()) } else { quote!(#local) };
                let put = slot.lent_back(&taken, lent, &|given| quote!(runtime::Struct(*#given)));
                let mutable = is_optional.then(|| quote!(mut));
                Taken { before: quote!(#reason let #mutable #local = #taken;), ..put }
            }
        }
    }
}
