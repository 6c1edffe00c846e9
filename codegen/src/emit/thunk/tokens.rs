//! Arguments that come as tokens.

use opendyn_model::plan::{Access, Function, Got, JsonCall, Keeper, Kept, Param, Place, Role, Shape, Step};

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

    /// The arrays of tokens that a function takes besides `param`.
    fn other_lists(&self, function: &Function, param: &Param) -> Vec<TokenStream> {
        let is_list = |other: &Param| {
            let shape = other.argument.as_ref().map(|argument| &argument.shape);
            matches!(shape, Some(Shape::Handles { .. })) && !std::ptr::eq(other, param)
        };
        let others = function.params.iter().enumerate().filter(|(_, other)| is_list(other));
        others
            .map(|(index, _)| {
                let index = Literal::usize_unsuffixed(function.field(index));
                quote!(args.get(#index))
            })
            .collect()
    }

    /// An array of handles that C takes: every token is looked up, and given to the method.
    fn give_handles(
        &self,
        (handle, nullable, into): (usize, bool, Option<Place>),
        slot: &Slot<'_>,
        (function, param): (&Function, &Param),
    ) -> Taken {
        let handle = &self.types.handles[handle];
        let (of, constant) = (ident(&handle.ident), ident(&handle.constant));
        let Slot { key, local, index, is_optional } = slot;
        let (pointers, name) = (ident_after(&param.ident, "_pointers"), &function.name);
        let owner = match into {
            Some(Place::Param(into)) => {
                let into = Literal::usize_unsuffixed(function.field(into));
                Some(quote!(args.get(#into)))
            }
            Some(Place::Returned) | None => None,
        };
        let by = match (&owner, into) {
            (Some(owner), _) => quote!(Handle(#owner)),
            (None, Some(_)) => quote!(Result),
            (None, None) => quote!(C),
        };
        let (others, lists) = (self.other_tokens(function, param), self.other_lists(function, param));
        let lookup = quote! {
            let Some(#pointers) = out.passable_handles(
                #key,
                args.get(#index),
                &#constant,
                runtime::TakenBy::#by,
                (&[#(#others),*], &[#(#lists),*]),
            ) else {
                return
            };
        };
        let reason = self.because(Reason::TakenToken);
        let made = quote!({ #reason let handle = unsafe { runtime::Handle::of_table(binding, pointer) }; #of(handle) });
        let each = if nullable {
            quote!(.map(|pointer| pointer.map(|pointer| #made)))
        } else {
            quote!(.flatten().map(|pointer| #made))
        };
        let made = if *is_optional {
            quote!(#pointers.map(|given| given.into_iter() #each .collect::<Vec<_>>()))
        } else {
            quote!(#pointers.into_iter().flatten() #each .collect::<Vec<_>>())
        };
        let owner = owner.unwrap_or_else(|| quote!(None));
        let removal = quote!(out.pass_handles(args.get(#index), #owner, #name););
        let (removal, loss) = match into {
            Some(Place::Returned) => (TokenStream::new(), removal),
            Some(Place::Param(_)) | None => (removal, TokenStream::new()),
        };
        let before = quote!(let #local = #made;);
        Taken { lookup, removal, loss, before, passed: quote!(#local), ..Taken::default() }
    }

    /// An array of handles: every token is looked up, and lent to the method.
    pub(super) fn take_handles(
        &self,
        (handle, nullable): (usize, bool),
        slot: &Slot<'_>,
        (function, param): (&Function, &Param),
    ) -> Taken {
        if let Role::Taken(into) = param.role {
            return self.give_handles((handle, nullable, into), slot, (function, param));
        }
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
        let mut loss = TokenStream::new();
        let removal = if let Role::Taken(into) = param.role {
            let owner = match into {
                Some(Place::Param(into)) => {
                    let into = Literal::usize_unsuffixed(function.field(into));
                    quote!(args.get(#into))
                }
                Some(Place::Returned) | None => quote!(None),
            };
            let others = self.other_tokens(function, param);
            let find = match into {
                Some(Place::Returned) => {
                    quote!(handle_for_result(#key, args.get(#index), &#constant, &[#(#others),*]))
                }
                _ => quote!(passable_handle(#key, args.get(#index), &#constant, #owner, &[#(#others),*])),
            };
            lookup = quote!(let #found = out.#find else { return };);
            let name = &function.name;
            let removal = quote!(out.pass_handle(args.get(#index), #owner, #name););
            if into == Some(Place::Returned) {
                loss = removal;
                TokenStream::new()
            } else {
                removal
            }
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
        Taken { lookup, removal, loss, before, passed, ..Taken::default() }
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
        let outside = call.outside.iter().map(|outside| {
            let get = |index: &usize| {
                let field = Literal::usize_unsuffixed(function.field(*index));
                quote!(args.get(#field))
            };
            let is_list = |index: &&usize| {
                let argument = function.params[**index].argument.as_ref();
                argument.is_some_and(|argument| matches!(argument.shape, Shape::Handles { .. }))
            };
            let (lists, single): (Vec<&usize>, Vec<&usize>) = outside.others.iter().partition(is_list);
            let (lists, single) = (lists.into_iter().map(get), single.into_iter().map(get));
            let (key, token) = (&function.params[outside.gone].key, get(&outside.gone));
            let ends = if outside.ends_children {
                let name = &function.name;
                quote!(Some(#name))
            } else {
                quote!(None)
            };
            quote!(if out.outside(#key, #token, #ends, &[#(#single),*], &[#(#lists),*]).is_none() { return })
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
            #(#outside)*
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
        let losses: Vec<&TokenStream> =
            arguments.iter().map(|argument| &argument.loss).filter(|loss| !loss.is_empty()).collect();
        let lost = match &function.gives_back {
            _ if losses.is_empty() => TokenStream::new(),
            None => quote!(if called.is_err() { #(#losses)* }),
            Some(gives_back) if gives_back.every_time => TokenStream::new(),
            Some(_) => quote! {
                if matches!(&called, Err(refused) if refused.inner().is_none()) { #(#losses)* }
            },
        };
        let is_gone = function.frees_handle() || function.replaces_kept();
        // A result may point to it: it is dropped when the results are written.
        let gone = (is_gone && function.points_to_memory()).then(|| quote!(let mut gone = Vec::new();));
        let kept = quote!(#gone #kept);
        if removals.is_empty() {
            return quote!(#kept #lost);
        }
        let removed = match &function.gives_back {
            None => quote!(#(#removals)*),
            Some(gives_back) if gives_back.every_time => quote!(if called.is_ok() { #(#removals)* }),
            Some(_) => quote! {
                if !matches!(&called, Err(refused) if refused.inner().is_some()) { #(#removals)* }
            },
        };
        quote!(#kept #removed #lost)
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
