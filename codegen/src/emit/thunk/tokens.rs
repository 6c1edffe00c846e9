//! Arguments that come as tokens.

use opendyn_model::plan::{Access, Function, Got, JsonCall, Keeper, Kept, Param, Role, Shape, Step};

use super::super::safety::Reason;
use super::super::{Emitter, ident, ident_after};
use super::arguments::{Slot, Taken};
use crate::tokens::{Ident, Literal, TokenStream, quote};

impl Emitter<'_> {
    /// A handle: the token is looked up, and lent to the method or given to it.
    pub(super) fn take_handle(
        &self,
        handle: usize,
        access: Access,
        slot: &Slot<'_>,
        of: (&Function, &Param),
    ) -> Taken {
        let handle = &self.types.handles[handle];
        self.take_token((&handle.ident, &handle.constant), access, slot, of)
    }

    /// The tokens of the handles and states that a function takes besides `param`.
    fn other_tokens(&self, function: &Function, param: &Param) -> Vec<TokenStream> {
        let is_token = |other: &Param| {
            let shape = other.argument.as_ref().map(|argument| &argument.shape);
            matches!(shape, Some(Shape::Handle { .. } | Shape::State { .. })) && !std::ptr::eq(other, param)
        };
        let others = function.params.iter().enumerate().filter(|(_, other)| is_token(other));
        others
            .map(|(index, _)| {
                let index = Literal::usize_unsuffixed(function.field(index));
                quote!(args.get(#index))
            })
            .collect()
    }

    /// An array of handles: every token is looked up, and lent to the method.
    pub(super) fn take_handles(
        &self,
        handle: usize,
        nullable: bool,
        slot: &Slot<'_>,
        param: &Param,
    ) -> Taken {
        let handle = &self.types.handles[handle];
        let (of, constant) = (ident(&handle.ident), ident(&handle.constant));
        let Slot { key, local, index, is_optional } = slot;
        let pointers = ident_after(&param.ident, "_pointers");
        let list = ident_after(&param.ident, "_list");
        let lookup =
            quote!(let Some(#pointers) = out.handles(#key, args.get(#index), &#constant) else { return };);
        let reason = self.because(Reason::Token);
        let made = quote!({ #reason let handle = unsafe { runtime::Handle::of_table(binding, pointer) }; #of(handle) });
        let (each, lent) = if nullable {
            (quote!(.map(|pointer| pointer.map(|pointer| #made))), quote!(.map(|given| given.as_ref())))
        } else {
            (quote!(.flatten().map(|pointer| #made)), TokenStream::new())
        };
        let (made, list_of, passed) = if *is_optional {
            (
                quote!(#pointers.map(|given| given.into_iter() #each .collect::<Vec<_>>())),
                quote!(#local.as_ref().map(|given| given.iter() #lent .collect::<Vec<_>>())),
                quote!(#list.as_deref()),
            )
        } else {
            (
                quote!(#pointers.into_iter().flatten() #each .collect::<Vec<_>>()),
                quote!(#local.iter() #lent .collect::<Vec<_>>()),
                quote!(&#list),
            )
        };
        let before = quote!(let #local = #made; let #list = #list_of;);
        Taken { lookup, before, passed, ..Taken::default() }
    }

    /// A state: a token too, for memory of ours.
    pub(super) fn take_state(
        &self,
        record: usize,
        access: Access,
        slot: &Slot<'_>,
        of: (&Function, &Param),
    ) -> Taken {
        let record = &self.types.records[record];
        self.take_token((&record.ident, &record.constant), access, slot, of)
    }

    fn take_token(
        &self,
        (of, constant): (&str, &str),
        access: Access,
        slot: &Slot<'_>,
        (function, param): (&Function, &Param),
    ) -> Taken {
        let Slot { key, local, index, is_optional } = slot;
        let (of, constant) = (ident(of), ident(constant));
        let pointer = ident_after(&param.ident, "_pointer");
        let is_given_up = access == Access::Owned;
        let find = if is_given_up { quote!(freeable_handle) } else { quote!(handle) };
        let found = if *is_optional { quote!(Some(#pointer)) } else { quote!(Some(Some(#pointer))) };
        let mut lookup = quote!(let #found = out.#find(#key, args.get(#index), &#constant) else { return };);
        let removal = if let Role::Taken(into) = param.role {
            let into = match into {
                Some(into) => {
                    let into = Literal::usize_unsuffixed(function.field(into));
                    quote!(args.get(#into))
                }
                None => quote!(None),
            };
            let others = self.other_tokens(function, param);
            lookup = quote! {
                let #found = out.passable_handle(#key, args.get(#index), &#constant, #into, &[#(#others),*]) else {
                    return
                };
            };
            let name = &function.name;
            quote!(out.pass_handle(args.get(#index), #into, #name);)
        } else if is_given_up {
            let taken = quote!(out.take_handle(#key, args.get(#index), &#constant));
            if function.points_to_memory() {
                quote!(gone.extend(#taken.into_iter().flatten());)
            } else {
                quote!(#taken;)
            }
        } else {
            TokenStream::new()
        };
        let reason = self.because(if is_given_up { Reason::TakenToken } else { Reason::Token });
        // What the handle is freed with is compared with the arguments.
        let is_compared = function.steps.iter().any(|step| {
            matches!(step, Step::SameArguments { param: of, .. } if std::ptr::eq(&raw const function.params[*of], param))
        });
        let capturing = is_compared.then(|| quote!(.capturing(out.captured(args.get(#index)))));
        let made =
            |pointer: &Ident| quote!(#of(unsafe { runtime::Handle::of_table(binding, #pointer) } #capturing));
        let (made, passed) = if *is_optional {
            let made = made(&ident("pointer"));
            let passed = match access {
                Access::Owned => quote!(#local),
                Access::Shared => quote!(#local.as_ref()),
                Access::Exclusive | Access::Unchecked => quote!(#local.as_mut()),
            };
            (quote!(#pointer.map(|pointer| #made)), passed)
        } else {
            let passed = match access {
                Access::Owned => quote!(#local),
                Access::Shared => quote!(&#local),
                Access::Exclusive | Access::Unchecked => quote!(&mut #local),
            };
            (made(&pointer), passed)
        };
        let mutable = matches!(access, Access::Exclusive | Access::Unchecked).then(|| quote!(mut));
        let before = quote!(#reason let #mutable #local = #made;);
        Taken { lookup, removal, before, passed, ..Taken::default() }
    }

    /// The handles of a call, found before anything is done: while it runs, no other call frees them.
    pub(super) fn find_handles(
        &self,
        function: &Function,
        call: &JsonCall,
        arguments: &[Taken],
    ) -> TokenStream {
        let lookups = arguments.iter().map(|argument| &argument.lookup);
        let distinct = (call.distinct.len() > 1).then(|| {
            let params = || call.distinct.iter().map(|index| &function.params[*index]);
            let keys = params().map(|param| &param.key);
            let pointers = params().map(|param| {
                let pointer = ident_after(&param.ident, "_pointer");
                let is_optional = param.argument.as_ref().is_some_and(|argument| argument.is_optional());
                if is_optional { quote!(#pointer) } else { quote!(Some(#pointer)) }
            });
            quote!(if out.distinct(&[#(#keys),*], &[#(#pointers),*]).is_none() { return })
        });
        let apart = call.apart.iter().map(|(list, other)| {
            let (list, other) = (&function.params[*list], &function.params[*other]);
            let (key, other_key) = (&list.key, &other.key);
            let pointers = ident_after(&list.ident, "_pointers");
            let pointer = ident_after(&other.ident, "_pointer");
            let is_optional = other.argument.as_ref().is_some_and(|argument| argument.is_optional());
            let pointer = if is_optional { quote!(#pointer) } else { quote!(Some(#pointer)) };
            quote!(if out.apart(#key, #pointers.as_deref(), #other_key, #pointer).is_none() { return })
        });
        let ending = call.ending.iter().map(|index| {
            let (field, name) = (Literal::usize_unsuffixed(function.field(*index)), &function.name);
            let key = &function.params[*index].key;
            quote!(if out.end_children(#key, args.get(#field), #name).is_none() { return })
        });
        quote! {
            let Some(_entered) = out.enter(&binding.handles) else { return };
            #(#lookups)*
            #distinct
            #(#apart)*
            #(#ending)*
        }
    }

    /// What happens to tokens after the call: those of handles that it has taken go, unless it has given them back; and
    /// handles keep what C uses from now on.
    pub(super) fn settle_handles(&self, function: &Function, arguments: &[Taken]) -> TokenStream {
        let kept = self.keep_in_table(function);
        let removals: Vec<&TokenStream> = arguments
            .iter()
            .map(|argument| &argument.removal)
            .filter(|removal| !removal.is_empty())
            .collect();
        let is_gone = function.frees_handle() || function.replaces_kept();
        // A result may point to it: it is dropped when the results are written.
        let gone = (is_gone && function.points_to_memory()).then(|| quote!(let mut gone = Vec::new();));
        let kept = quote!(#gone #kept);
        if removals.is_empty() {
            return kept;
        }
        let removed = match &function.gives_back {
            None => quote!(#(#removals)*),
            Some(gives_back) if gives_back.every_time => quote!(if called.is_ok() { #(#removals)* }),
            Some(_) => quote! {
                if !matches!(&called, Err(refused) if refused.inner().is_some()) { #(#removals)* }
            },
        };
        quote!(#kept #removed)
    }

    /// What a call makes a handle keep, passed on to the table.
    fn keep_in_table(&self, function: &Function) -> TokenStream {
        let token = |param: usize| {
            let index = Literal::usize_unsuffixed(function.field(param));
            quote!(args.get(#index))
        };
        let mut keepers = Vec::new();
        let mut kept = TokenStream::new();
        let lasting = function.outcomes.iter().filter_map(|outcome| match &outcome.got {
            Got::State { lasts: true, parents, .. } => parents.first(),
            _ => None,
        });
        for by in lasting {
            keepers.push(*by);
            let (keeper, value) = (token(*by), ident_after(&function.params[*by].ident, "_value"));
            kept.extend(quote!(out.keep(#keeper, #value.0.take_kept());));
        }
        for (index, param) in function.params.iter().enumerate() {
            let Some(Kept { by: Keeper::Param(by), .. }) = param.facts.kept else { continue };
            let keeper = token(by);
            if !param.moves() {
                let handle = token(index);
                kept.extend(quote!(out.adopt(#keeper, #handle);));
            } else if !keepers.contains(&by) {
                keepers.push(by);
                let value = ident_after(&function.params[by].ident, "_value");
                let keep = quote!(out.keep(#keeper, #value.0.take_kept()));
                kept.extend(if function.replaces_kept() && function.points_to_memory() {
                    quote!(gone.extend(#keep);)
                } else {
                    quote!(#keep;)
                });
            }
        }
        kept
    }
}
