//! Who owns a value after the call: handles that are given up and given back, and what C keeps.

use opendyn_model::plan::{Callback, FreeArg, GivesBack, Keeper, Kept, Place, Role, Shape, When};

use super::Body;
use crate::emit::callback::entry_ident;
use crate::emit::safety::Reason;
use crate::emit::{Emitter, ident};
use crate::tokens::{Ident, Literal, TokenStream, quote};

impl Body<'_> {
    /// A handle or a state that the caller gives up.
    pub(super) fn released(&self, param: usize, release: &TokenStream) -> TokenStream {
        let (name, binding) = (self.name(param), self.binding());
        if let Some(Shape::Handles { nullable, .. }) = self.shape(param) {
            return self.released_list(param, *nullable);
        }
        let given = self.emitter.name_of(self.function, param);
        let is_taken = matches!(self.function.params[param].role, Role::Taken(_));
        let mutable = (is_taken || self.function.gives_back.is_some()).then(|| quote!(mut));
        if self.is_optional(param) {
            quote!(let #mutable #name = #name.map(|given| given.0.#release(#binding));)
        } else {
            quote!(let #mutable #name = #given.0.#release(#binding);)
        }
    }

    /// The handles of an array that the caller gives up.
    pub(super) fn released_list(&self, param: usize, nullable: bool) -> TokenStream {
        let (name, binding) = (self.name(param), self.binding());
        let each = if nullable {
            quote!(.map(|given| given.map(|given| given.0)))
        } else {
            quote!(.map(|given| Some(given.0)))
        };
        let list =
            |given: TokenStream| quote!(runtime::ReleasedHandles::new(#binding, #given.into_iter() #each));
        if self.is_optional(param) {
            let list = list(quote!(given));
            quote!(let mut #name = #name.map(|given| #list);)
        } else {
            let list = list(quote!(#name));
            quote!(let mut #name = #list;)
        }
    }

    /// The handles of an array that a failed call gives back.
    pub(super) fn list_back(
        &self,
        param: usize,
        handle: usize,
        nullable: bool,
        every_time: bool,
    ) -> TokenStream {
        let (name, of) = (self.name(param), ident(&self.emitter.types.handles[handle].ident));
        let each = if nullable { quote!(.map(|given| given.map(#of))) } else { quote!(.flatten().map(#of)) };
        let back = if every_time { quote!(back()) } else { quote!(unless_freed()?) };
        let list = |given: TokenStream| quote!(#given.#back.into_iter() #each .collect::<Vec<_>>());
        match (self.is_optional(param), every_time) {
            (false, _) => list(quote!(#name)),
            (true, true) => {
                let list = list(quote!(given));
                quote!(#name.map(|given| #list))
            }
            (true, false) => {
                let list = list(quote!(given));
                quote!(match #name {
                    Some(given) => Some(#list),
                    None => None,
                })
            }
        }
    }

    /// Compares the arguments with those that the handle to free remembers.
    pub(super) fn same_arguments(&mut self, param: usize, args: &[(usize, FreeArg)]) {
        let name = self.name(param);
        let is_optional = self.is_optional(param);
        let given = if is_optional { quote!(given) } else { quote!(#name) };
        let checks = args.iter().filter_map(|(index, arg)| {
            let key = &self.function.params[*index].key;
            let operand = self.emitter.operand(self.function, *index);
            match arg {
                FreeArg::Value => None,
                FreeArg::Integer(value) => {
                    let value = Literal::i128_unsuffixed(*value);
                    Some(quote!(runtime::same_integer(#key, #value, #operand as i128)?;))
                }
                FreeArg::Captured(position) => {
                    let position = Literal::usize_unsuffixed(*position);
                    Some(quote!(runtime::same_argument(#key, #given.captured(), #position, #operand)?;))
                }
            }
        });
        let checks = quote!(#(#checks)*);
        self.push(if is_optional { quote!(if let Some(given) = &#name { #checks }) } else { checks });
    }

    /// C owns a handle from now on.
    pub(super) fn taken(&mut self, param: usize, into: Option<Place>, failed: Option<&When>) {
        self.bind();
        let taken = match into {
            // What it keeps moves to the handle when that is made.
            Some(Place::Returned) => quote!(given_away()),
            Some(Place::Param(into)) => {
                let owner = self.emitter.name_of(self.function, into);
                quote!(taken_into(&#owner.0))
            }
            None => quote!(taken()),
        };
        let name = self.name(param);
        let taken = if self.is_optional(param) {
            quote!(if let Some(given) = &mut #name { given.#taken; })
        } else {
            quote!(#name.#taken;)
        };
        let taken = self.unless(failed, taken);
        self.push_unsafe(taken);
    }

    /// What happens unless the call failed.
    pub(in super::super) fn unless(&self, failed: Option<&When>, then: TokenStream) -> TokenStream {
        match failed {
            Some(When::Unlisted(successes)) => {
                let (returned, successes) =
                    (ident(&self.function.names.returned), Emitter::successes(successes));
                quote!(if runtime::is_success(#returned as i64, #successes) { #then })
            }
            Some(when) => {
                let failed = self.failed(when);
                quote!(if !(#failed) { #then })
            }
            None => then,
        }
    }

    /// The value of `then`, or `None` if the call failed.
    pub(super) fn if_succeeded(&self, failed: Option<&When>, then: TokenStream) -> TokenStream {
        match failed {
            Some(_) => {
                let then = self.unless(failed, then);
                quote!(#then else { None })
            }
            None => then,
        }
    }

    /// Moves what C keeps to the handle that keeps it. What the call gives takes it when it is made.
    pub(super) fn keep(&mut self, param: usize, failed: Option<&When>) {
        self.bind();
        let function = self.function;
        if let Some(Shape::Closure(Callback { until: Some(until), .. })) = self.shape(param) {
            return self.keep_entry(param, *until, failed);
        }
        if function.is_kept_by_borrowed(param) {
            let name = self.name(param);
            return self.push(quote!(let _ = runtime::ManuallyDrop::new(#name);));
        }
        let Some(Kept { by: Keeper::Param(by), replaced }) = function.params[param].facts.kept else {
            return;
        };
        if !function.params[param].moves() {
            return;
        }
        let name = self.name(param);
        let keeper = self.emitter.name_of(function, by);
        // Where another call of the same function can run meanwhile, which of the two C keeps is not known: both stay.
        let replaced = replaced && !self.emitter.binding.shares_handles && !function.has_closure();
        let slot = match (replaced, failed) {
            (false, _) => quote!(0),
            (true, None) => self.slot(param),
            (true, Some(when)) => {
                let (failed, slot) = (self.failed(when), self.slot(param));
                quote!(if #failed { 0 } else { #slot })
            }
        };
        self.push(if replaced && function.points_to_memory() {
            // A result may point to what is replaced, which stays until it is copied. NULL replaces, too.
            let before = ident(&format!("_{}_before", function.params[param].ident.trim_start_matches("r#")));
            quote!(let #before = #keeper.0.keep_as(#slot, Box::new(#name));)
        } else if self.is_optional(param) && !replaced {
            quote!(if let Some(given) = #name { #keeper.0.keep_as(#slot, Box::new(given)); })
        } else {
            quote!(#keeper.0.keep_as(#slot, Box::new(#name));)
        });
    }

    /// Leaves a closure that is found by its handle to that handle, unless C refused it.
    pub(super) fn keep_entry(&mut self, param: usize, keeper: usize, failed: Option<&When>) {
        let entry = entry_ident(&self.function.params[param]);
        let keeper = self.emitter.name_of(self.function, keeper);
        let keep = |closure: &Ident| quote!(#keeper.0.keep_as(#closure.number(), Box::new(#closure)););
        let (named, each) = (keep(&entry), keep(&ident("closure")));
        let succeeded = failed.map(|when| {
            let failed = self.failed(when);
            quote!(!(#failed))
        });
        self.push(match (self.is_optional(param), succeeded) {
            (true, Some(succeeded)) => {
                quote!(if let Some(closure) = #entry.filter(|_| #succeeded) { #each })
            }
            (true, None) => quote!(if let Some(closure) = #entry { #each }),
            (false, Some(succeeded)) => quote!(if #succeeded { #named }),
            (false, None) => named,
        });
    }

    /// A number for this parameter of this function alone.
    pub(super) fn slot(&self, param: usize) -> TokenStream {
        let (positions, position) =
            (ident(&self.emitter.binding.tables.positions), ident(&self.function.names.symbol));
        let param = Literal::usize_unsuffixed(param + 1);
        quote!(#positions::#position as usize * 256 + #param)
    }

    /// What a new handle keeps: the names of the parameters.
    pub(in super::super) fn kept_by(&self, place: Place) -> Vec<Ident> {
        let params = self.function.params.iter().enumerate();
        let kept = params.filter(|(index, param)| {
            param.facts.kept.is_some_and(|kept| kept.by == Keeper::Result(place))
                && !self.function.is_kept_by_borrowed(*index)
        });
        kept.map(|(_, param)| ident(&param.ident)).collect()
    }

    /// A new handle keeps what the handles keep that C has taken into it.
    pub(in super::super) fn inherited_by(&self, place: Place) -> TokenStream {
        let params = self.function.params.iter().enumerate();
        let taken = params.filter(|(_, param)| param.role == Role::Taken(Some(place)));
        let each: Vec<TokenStream> = taken
            .map(|(index, _)| {
                let name = self.name(index);
                if self.is_optional(index) {
                    quote!(if let Some(given) = &mut #name { given.taken_into(handle); })
                } else {
                    quote!(#name.taken_into(handle);)
                }
            })
            .collect();
        if each.is_empty() { TokenStream::new() } else { quote!(.inspect(|handle| { #(#each)* })) }
    }

    /// The further arguments of the function that frees a value, if there are any.
    pub(super) fn capturing(&self, free: usize) -> Option<TokenStream> {
        let captured = self.emitter.captured(self.function, free)?;
        Some(quote!(.capturing(#captured)))
    }

    /// The body of a function that gives back what it took where it fails: `body` in a closure, and what its error gives.
    pub(super) fn giving_back(&self, gives_back: &GivesBack, body: &TokenStream) -> TokenStream {
        let released = gives_back.params.iter().map(|param| self.released(*param, &quote!(releasing)));
        let given = gives_back.params.iter().map(|param| {
            let name = self.name(*param);
            if let Some(Shape::Handles { handle, nullable, .. }) = self.shape(*param) {
                return self.list_back(*param, *handle, *nullable, gives_back.every_time);
            }
            let of = match self.shape(*param) {
                Some(Shape::Handle { handle, .. }) => &self.emitter.types.handles[*handle].ident,
                Some(Shape::State { record, .. }) => &self.emitter.types.records[*record].ident,
                _ => &self.function.names.outputs,
            };
            let of = ident(of);
            match (gives_back.every_time, self.is_optional(*param)) {
                (true, false) => quote!(#of(#name.back())),
                (true, true) => quote!(#name.map(|given| #of(given.back()))),
                (false, false) => quote!(#of(#name.unless_freed()?)),
                (false, true) => quote!(match #name {
                    Some(given) => Some(#of(given.unless_freed()?)),
                    None => None,
                }),
            }
        });
        let given = if gives_back.params.len() == 1 { quote!(#(#given)*) } else { quote!((#(#given),*)) };
        let refused = if gives_back.every_time {
            let reason = self.emitter.because(Reason::GivenBack);
            quote! {
                called.map_err(|error| {
                    #reason
                    let given = unsafe { #given };
                    opendyn::Refused::new(error, given)
                })
            }
        } else {
            quote!(called.map_err(|error| opendyn::Refused::new(error, (|| Some(#given))())))
        };
        quote! {
            #(#released)*
            let called = (|| -> Result<_, opendyn::CallError> { #body })();
            #refused
        }
    }
}
