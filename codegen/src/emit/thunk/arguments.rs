//! The arguments of the method, out of the slots.

use opendyn_model::plan::{Access, Argument, Element, Encoding, Function, Param, Scalar, Shape, Text, View};

use super::super::safety::Reason;
use super::super::{Emitter, ident, ident_after, kind};
use crate::tokens::{Ident, Literal, TokenStream, quote};

/// One argument of the method: what it needs, what it is, and what comes back of it.
#[derive(Default)]
pub(super) struct Taken {
    /// Finds the handle; nothing else has happened yet.
    pub(super) lookup: TokenStream,
    /// Removes the token of a handle that the call has freed.
    pub(super) removal: TokenStream,
    /// Removes the token of a handle that should live in the result, where there is none.
    pub(super) loss: TokenStream,
    pub(super) before: TokenStream,
    pub(super) passed: TokenStream,
    /// What must be checked before the results are looked at.
    pub(super) check: TokenStream,
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
        if param.moves() || param.is_kept_for_good() {
            return self.take_kept(param, argument, &slot);
        }
        let Slot { key, local, index, is_optional } = &slot;
        match &argument.shape {
            // What JSON does not give: text of unknown size has room enough, everything else is NULL.
            Shape::Room(_) => Taken {
                before: quote!(let mut #local = runtime::TextBuffer::new();),
                after: quote!(out.put(#key, #local.text());),
                ..Taken::plain(quote!(#local.as_mut_slice()))
            },
            Shape::Raw if argument.kind.is_none() => Taken::plain(quote!(ptr::null_mut())),
            Shape::Closure(callback) => match &callback.collect {
                Some(collect) => self.take_calls(function, position, callback, collect, &slot),
                None => match &callback.progress {
                    Some(progress) => self.take_progress(callback, progress, &slot),
                    None => Taken::plain(quote!(None)),
                },
            },
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
            Shape::Handles { handle, nullable, .. } => {
                self.take_handles((*handle, *nullable), &slot, (function, param))
            }
            Shape::Strings { nullable, as_str } => {
                let of = if *as_str {
                    quote!(&str)
                } else {
                    let c_str = self.ffi("CStr");
                    quote!(&#c_str)
                };
                let of = if *nullable { quote!(Option<#of>) } else { of };
                let taken = slot.of(&quote!(Vec<#of>));
                let passed = if *is_optional { quote!(#local.as_deref()) } else { quote!(&#local) };
                Taken { before: quote!(let #local = args.get::<#taken>(#index);), ..Taken::plain(passed) }
            }
            Shape::Record { record, access } => self.take_record(*record, *access, &slot),
            Shape::State { record, access } => self.take_state(*record, *access, &slot, (function, param)),
            Shape::Handle { handle, access } => self.take_handle(*handle, *access, &slot, (function, param)),
            Shape::Scalar(_)
            | Shape::Text(_)
            | Shape::Str(_)
            | Shape::Units { .. }
            | Shape::Capacity(_)
            | Shape::Raw => Taken::plain(quote!(args.get(#index))),
        }
    }

    /// Memory that C keeps: a copy.
    fn take_kept(&self, param: &Param, argument: &Argument, slot: &Slot<'_>) -> Taken {
        let Slot { index, is_optional, .. } = slot;
        let reason = self.because(Reason::Field);
        let (of, owned, is_lent) = match &argument.shape {
            Shape::List { element, fixed, access } => {
                let of = self.list_element(*element, *access);
                match fixed {
                    Some(_) => (quote!(&mut [#of; _]), quote!(Box::new(*given)), true),
                    None => (quote!(&mut [#of]), quote!(given.to_vec()), true),
                }
            }
            Shape::Record { record, .. } => {
                let of = ident(&self.types.records[*record].ident);
                (quote!(&mut #of), quote!(Box::new(*given)), true)
            }
            Shape::Units { encoding: Encoding::Utf8 | Encoding::Utf8Lossy, .. } => {
                (quote!(&str), quote!(given.to_owned()), false)
            }
            Shape::Units { encoding: Encoding::Utf16, .. } => (quote!(&[u16]), quote!(given.to_vec()), false),
            Shape::Units { fixed: Some(length), .. } => {
                let length = Literal::u64_unsuffixed(*length);
                (quote!(&[u8; #length]), quote!(Box::new(*given)), false)
            }
            Shape::Units { .. } => (quote!(&[u8]), quote!(given.to_vec()), false),
            Shape::Text(Text { encoding: Encoding::Utf16, .. }) => {
                (quote!(&opendyn::Utf16CStr), quote!(given.to_owned()), false)
            }
            _ => {
                let c_str = self.ffi("CStr");
                (quote!(&#c_str), quote!(given.to_owned()), false)
            }
        };
        let owned = if param.is_kept_for_good() { quote!(runtime::leaked(#owned)) } else { owned };
        let taken = slot.of(&of);
        let (got, reason) = if is_lent {
            (quote!(unsafe { args.lend::<#taken>(#index) }), Some(reason))
        } else {
            (quote!(args.get::<#taken>(#index)), None)
        };
        let local = &slot.local;
        let made = if *is_optional {
            quote!(#local.map(|given| #owned))
        } else {
            quote!({ let given = #local; #owned })
        };
        Taken { before: quote!(#reason let #local = #got;), ..Taken::plain(made) }
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
        if let Element::Record(record) = element
            && self.is_owned(record)
        {
            return self.take_owners(record, is_fixed, access, slot);
        }
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

    /// A struct that owns what its members point to.
    fn take_owner(&self, record: usize, access: Access, slot: &Slot<'_>) -> Taken {
        let Slot { key, local, index, is_optional } = slot;
        let record = &self.types.records[record];
        let (of, memory) = (ident(&record.ident), ident(record.memory()));
        let taken = slot.of(&quote!(&mut #memory));
        let taken = quote!(args.lend::<#taken>(#index));
        let taken = if *is_optional {
            quote!(#taken.map(|given| runtime::argument::<#of>(given)))
        } else {
            quote!(runtime::argument::<#of>(#taken))
        };
        let reason = self.because(Reason::Field);
        let is_written = access.is_written();
        let mutable = is_written.then(|| quote!(mut));
        let passed = match (access, is_optional) {
            (Access::Owned, _) => quote!(#local),
            (Access::Shared, false) => quote!(&#local),
            (Access::Shared, true) => quote!(#local.as_ref()),
            (Access::Exclusive | Access::Unchecked, false) => quote!(&mut #local),
            (Access::Exclusive | Access::Unchecked, true) => quote!(#local.as_mut()),
        };
        let put =
            if *is_optional { quote!(#local.map(runtime::Reply)) } else { quote!(runtime::Reply(#local)) };
        Taken {
            before: quote!(#reason let #mutable #local = unsafe { #taken };),
            after: if is_written { quote!(out.put(#key, #put);) } else { TokenStream::new() },
            ..Taken::plain(passed)
        }
    }

    /// Structs that own what their members point to.
    fn take_owners(&self, record: usize, is_fixed: bool, access: Access, slot: &Slot<'_>) -> Taken {
        let Slot { key, local, index, is_optional } = slot;
        let record = &self.types.records[record];
        let (of, memory) = (ident(&record.ident), ident(record.memory()));
        let list = if is_fixed { quote!(&mut [#memory; _]) } else { quote!(&mut [#memory]) };
        let taken = slot.of(&list);
        let each = if is_fixed {
            quote!(each_ref().map(|given| runtime::argument::<#of>(given)))
        } else {
            quote!(iter().map(|given| runtime::argument::<#of>(given)).collect::<Vec<_>>())
        };
        let taken = if *is_optional {
            quote!(args.lend::<#taken>(#index).map(|given| given.#each))
        } else {
            quote!(args.lend::<#taken>(#index).#each)
        };
        let reason = self.because(Reason::Field);
        let is_written = access.is_written();
        let mutable = is_written.then(|| quote!(mut));
        let passed = match (is_written, is_optional, is_fixed) {
            (false, false, _) => quote!(&#local),
            (false, true, true) => quote!(#local.as_ref()),
            (false, true, false) => quote!(#local.as_deref()),
            (true, false, _) => quote!(&mut #local),
            (true, true, true) => quote!(#local.as_mut()),
            (true, true, false) => quote!(#local.as_deref_mut()),
        };
        let put = if *is_optional {
            quote!(#local.map(|given| runtime::Reply(given.to_vec())))
        } else {
            quote!(runtime::Reply(#local.to_vec()))
        };
        let comes_back = access == Access::Exclusive;
        Taken {
            before: quote!(#reason let #mutable #local = unsafe { #taken };),
            after: if comes_back { quote!(out.put(#key, #put);) } else { TokenStream::new() },
            ..Taken::plain(passed)
        }
    }

    fn take_record(&self, record: usize, access: Access, slot: &Slot<'_>) -> Taken {
        if self.is_owned(record) {
            return self.take_owner(record, access, slot);
        }
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
