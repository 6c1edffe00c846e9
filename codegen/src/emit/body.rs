//! The body of a method: the steps of the plan, each as a statement.

use std::cell::Cell;

use opendyn_model::plan::{
    Access, Body as RecordBody, Callback, Counted, Failure, FreeArg, Function, GivesBack, Keeper, Kept,
    Memory, Operand, Place, Receiver, Role, Shape, Step, System, When,
};

use super::callback::entry_ident;
use super::safety::Reason;
use super::{Emitter, ident, ident_after, zero};
use crate::tokens::{Ident, Literal, ToTokens, TokenStream, quote};

/// One statement of a body.
struct Statement {
    tokens: TokenStream,
    is_unsafe: bool,
}

/// A body in the making.
pub(super) struct Body<'e> {
    emitter: &'e Emitter<'e>,
    pub(super) function: &'e Function,
    statements: Vec<Statement>,
    /// The call, until a statement takes its value.
    call: Option<TokenStream>,
    /// Whether the pointer that C returned is held.
    pub(super) is_held: bool,
    /// Whether a statement names the binding.
    uses_binding: Cell<bool>,
    /// Whether what is written now calls something unsafe.
    pub(super) is_unsafe: bool,
}

impl Emitter<'_> {
    pub(super) fn body(&self, function: &Function) -> TokenStream {
        let mut body = Body {
            emitter: self,
            function,
            statements: Vec::new(),
            call: None,
            is_held: false,
            uses_binding: Cell::new(false),
            is_unsafe: false,
        };
        for step in &function.steps {
            body.step(step);
        }
        body.finish()
    }

    /// The codes of success.
    pub(super) fn successes(successes: &[i64]) -> TokenStream {
        let successes = successes.iter().map(|code| Literal::i64_unsuffixed(*code));
        quote!(&[#(#successes),*])
    }
}

impl<'e> Body<'e> {
    fn step(&mut self, step: &Step) {
        let (emitter, function) = (self.emitter, self.function);
        match step {
            Step::Require => {
                let (has, symbol) = (ident(&function.names.has), &function.symbol);
                let binding = self.binding();
                self.push(quote! {
                    if !#binding.#has() {
                        return Err(opendyn::CallError::Missing { symbol: #symbol });
                    }
                });
            }
            Step::Count { into, c_type, counted } => {
                let (name, of) = (self.name(*into), emitter.c_type(*c_type));
                let mutable = self.is_address(*into).then(|| quote!(mut));
                let value = match counted {
                    Counted::Known(length) => {
                        let length = Literal::u64_unsuffixed(*length);
                        quote!(#length)
                    }
                    Counted::Arrays(arrays) => {
                        let length = self.length_of(arrays);
                        if step.can_fail() {
                            let key = &function.params[arrays[0]].key;
                            quote!(runtime::length(#key, #length)?)
                        } else {
                            quote!(runtime::every_length(#length))
                        }
                    }
                };
                self.push(quote!(let #mutable #name: #of = #value;));
            }
            Step::SameLength { array, others } => {
                let (key, other) = (&function.params[*array].key, &function.params[others[0]].key);
                let expected = self.length_of(others);
                self.given(
                    *array,
                    &|given| quote!(runtime::same_length(#key, #given.len(), #other, #expected)?;),
                );
            }
            Step::ExactLength { array, expected } => {
                let key = &function.params[*array].key;
                let expected = self.amount(expected);
                self.given(*array, &|given| quote!(runtime::exact_length(#key, #given.len(), #expected)?;));
            }
            Step::Listed { param, enumeration } => self.listed(*param, *enumeration),
            Step::Terminate { param } => self.terminate(*param),
            Step::Limits { param } => self.limits(*param),
            Step::Allocate { into, memory } => self.allocate(*into, memory),
            Step::SameArguments { param, args } => self.same_arguments(*param, args),
            Step::Release { param } => {
                // What a failed call gives back is released before everything else.
                if function.gives_back.is_none() {
                    let released = self.released(*param, &quote!(release));
                    self.push(released);
                }
                if function.params[*param].operand == Operand::ReleasedThrough {
                    let pointer = ident_after(&function.params[*param].ident, "_pointer");
                    let value = emitter.released(function, *param);
                    self.push(quote!(let mut #pointer = #value;));
                }
            }
            Step::Lend { param } => {
                if let Some(Shape::Closure(callback)) = self.shape(*param)
                    && let Some(statements) = emitter.lend(function, *param, callback)
                {
                    self.push(statements);
                }
            }
            Step::Invoke => {
                let operands =
                    function.passed().enumerate().map(|(index, _)| emitter.operand(function, index));
                let callee = ident(&function.names.callee);
                self.call = Some(quote!(#callee(#(#operands),*)));
                let keeps_error = function.steps.iter().any(|step| matches!(step, Step::Errno(_)));
                if function.returned.is_none() && !keeps_error {
                    self.bind();
                }
            }
            Step::Fill { state, members } => {
                let filled = emitter.fill(function, *state, members);
                self.push_unsafe(filled);
            }
            Step::Clear { state, members } => {
                self.bind();
                let cleared = emitter.clear(function, *state, members);
                self.push_unsafe(cleared);
            }
            Step::Read(read) => {
                self.call = Some(emitter.read(function, *read));
            }
            Step::Hold { free } => {
                let (constant, value) = (emitter.free(Some(*free)), self.take_call());
                let captured = self.capturing(*free);
                let (name, binding) = (ident(&function.names.returned), self.binding());
                self.push_unsafe(
                    quote!(let #name = runtime::Held::returned(#binding, #constant, #value) #captured;),
                );
                self.is_held = true;
            }
            Step::Dispose { param, free } => {
                self.bind();
                let (constant, captured) = (emitter.free(Some(*free)), self.capturing(*free));
                let (name, binding) = (self.name(*param), self.binding());
                let guard =
                    ident(&format!("_{}_disposed", function.params[*param].ident.trim_start_matches("r#")));
                self.push_unsafe(
                    quote!(let #guard = runtime::Held::returned(#binding, #constant, &raw mut #name) #captured;),
                );
            }
            Step::Errno(system) => self.errno(*system),
            Step::Freed { param, failed } => {
                self.bind();
                let name = self.name(*param);
                let is_optional = self.is_optional(*param);
                let freed = if !function.points_to_memory() {
                    let freed = if is_optional {
                        let reference = function.gives_back.is_some().then(|| quote!(&mut));
                        quote!(if let Some(given) = #reference #name { given.freed(); })
                    } else {
                        quote!(#name.freed();)
                    };
                    self.unless(failed.as_ref(), freed)
                } else {
                    // A result may point to what the handle kept, which stays until it is copied.
                    let (kept, reference) = (
                        ident(&format!("_{}_kept", function.params[*param].ident.trim_start_matches("r#"))),
                        function.gives_back.is_some().then(|| quote!(.as_mut())),
                    );
                    let freed = if is_optional {
                        quote!(#name #reference .map(|given| given.freed()))
                    } else {
                        quote!(Some(#name.freed()))
                    };
                    let freed = self.if_succeeded(failed.as_ref(), freed);
                    quote!(let #kept = #freed;)
                };
                self.push_unsafe(freed);
            }
            Step::Taken { param, into, failed } => self.taken(*param, *into, failed.as_ref()),
            Step::Passed { param, failed } => self.passed(*param, failed.as_ref()),
            Step::Keep { param, failed } => self.keep(*param, failed.as_ref()),
            Step::Finish { param } => {
                self.bind();
                let name = self.name(*param);
                self.push(if self.is_optional(*param) {
                    quote!(if let Some(given) = #name { given.finish(); })
                } else {
                    quote!(#name.finish();)
                });
            }
            Step::ResumeKept => {
                self.bind();
                self.push(quote!(runtime::resume_kept_panic();));
            }
            Step::Fail(fail) => {
                self.bind();
                let (returned, codes) =
                    (ident(&function.names.returned), ident(&emitter.binding.tables.codes));
                let statement = match fail.code_alone() {
                    Some(successes) => {
                        let successes = Emitter::successes(successes);
                        quote!(runtime::success(#returned as i64, #successes, #codes)?;)
                    }
                    None => self.fail(fail, &codes),
                };
                self.push(statement);
            }
            Step::Settle { param, back, .. } => {
                self.bind();
                let (name, key) = (self.name(*param), &function.params[*param].key);
                let loan = ident_after(&function.params[*param].ident, "_loan");
                let given = match (self.shape(*param), self.is_optional(*param)) {
                    (Some(Shape::List { .. }), false) => quote!(Some(&mut #name[..])),
                    (Some(Shape::List { .. }), true) => quote!(#name.map(|given| &mut given[..])),
                    (_, false) => quote!(Some(::core::slice::from_mut(#name))),
                    (_, true) => quote!(#name.map(::core::slice::from_mut)),
                };
                if *back {
                    self.push_unsafe(quote!(#loan.give_back(#key, #given)?;));
                } else {
                    self.push(quote!(#loan.settle()?;));
                }
            }
            Step::Collect => {
                let tail = self.collect();
                let is_unsafe = std::mem::take(&mut self.is_unsafe);
                self.statements.push(Statement { tokens: tail, is_unsafe });
            }
        }
    }

    fn allocate(&mut self, into: usize, memory: &Memory) {
        if let Memory::Taken(taken) = memory {
            return self.copy_for_c(into, *taken);
        }
        let emitter = self.emitter;
        let param = &self.function.params[into];
        let (name, key) = (self.name(into), &param.key);
        let statement = match memory {
            Memory::Zero(c_type) => {
                let (of, zero) = (emitter.c_type(*c_type), zero(*c_type));
                quote!(let mut #name: #of = #zero;)
            }
            Memory::Buffer { content, capacity } => {
                let (of, capacity) = (emitter.content_memory(*content), self.amount(capacity));
                quote!(let mut #name: runtime::Buffer<#of> = runtime::Buffer::new(#key, #capacity)?;)
            }
            Memory::Capacity { c_type, of, by_pointer } => {
                let (buffer, of) = (self.name(*of), emitter.c_type(*c_type));
                let mutable = by_pointer.then(|| quote!(mut));
                quote!(let #mutable #name: #of = #buffer.capacity()?;)
            }
            Memory::Copy => quote!(let mut #name = #name;),
            Memory::Record(record) => {
                let of = ident(emitter.types.records[*record].memory());
                quote!(let mut #name: #of = runtime::zeroed();)
            }
            Memory::State { record, leaks } => {
                let (size, align) = state_layout(&emitter.types.records[*record].body);
                let memory = quote!(runtime::State::new(#size, #align));
                let memory = if *leaks { quote!(runtime::ManuallyDrop::new(#memory)) } else { memory };
                quote!(let mut #name = #memory;)
            }
            Memory::Pointer { to, free } => {
                let (of, constant, binding) = (emitter.c_value(to), emitter.free(*free), self.binding());
                let captured = free.and_then(|free| self.capturing(free));
                quote!(let mut #name: runtime::Held<'_, #of> = runtime::Held::output(#binding, #constant) #captured;)
            }
            Memory::Loan(_) => {
                let loan = ident_after(&param.ident, "_loan");
                let (made, given) = match (self.shape(into), self.is_optional(into)) {
                    (Some(Shape::List { access: Access::Shared, .. }), false) => {
                        (quote!(many), quote!(Some(&#name[..])))
                    }
                    (Some(Shape::List { access: Access::Shared, .. }), true) => {
                        (quote!(many), quote!(#name.map(|given| &given[..])))
                    }
                    (Some(Shape::List { .. }), false) => (quote!(many), quote!(Some(&#name[..]))),
                    (Some(Shape::List { .. }), true) => {
                        (quote!(many), quote!(#name.as_deref().map(|given| &given[..])))
                    }
                    (Some(Shape::Record { access: Access::Shared, .. }), false) => {
                        (quote!(one), quote!(Some(#name)))
                    }
                    (Some(Shape::Record { access: Access::Shared, .. }), true) => {
                        (quote!(one), quote!(#name))
                    }
                    (Some(Shape::Record { access: Access::Owned, .. }), true) => {
                        (quote!(one), quote!(#name.as_ref()))
                    }
                    (Some(Shape::Record { access: Access::Owned, .. }), false) => {
                        (quote!(one), quote!(Some(&#name)))
                    }
                    (_, true) => (quote!(one), quote!(#name.as_deref())),
                    (_, false) => (quote!(one), quote!(Some(&*#name))),
                };
                quote!(let mut #loan = runtime::Loan::#made(#given)?;)
            }
            Memory::Handles { terminated, nullable } => self.handle_pointers(into, *terminated, *nullable),
            Memory::Pointers { terminated, nullable } => {
                let pointers = ident_after(&param.ident, "_pointers");
                let make = ident(match (*terminated, *nullable) {
                    (true, _) => "terminated_pointers",
                    (false, true) => "nullable_pointers",
                    (false, false) => "pointers",
                });
                let given =
                    if self.is_optional(into) { quote!(#name.unwrap_or_default()) } else { quote!(#name) };
                quote!(let #pointers = runtime::#make(#given);)
            }
            Memory::Terminated(_) => {
                let elements = ident_after(&param.ident, "_terminated");
                if self.is_optional(into) {
                    quote!(let #elements = #name.map(|given| runtime::terminated(#key, given)).transpose()?;)
                } else {
                    quote!(let #elements = runtime::terminated(#key, #name)?;)
                }
            }
            // It is made above.
            Memory::Taken(_) => TokenStream::new(),
        };
        self.push(statement);
    }

    /// The pointers of the handles of an array: a copy, which C may change.
    fn handle_pointers(&self, into: usize, terminated: bool, nullable: bool) -> TokenStream {
        let (name, binding) = (self.name(into), self.binding());
        let pointers = ident_after(&self.function.params[into].ident, "_pointers");
        if let Some(Shape::Handles { access: Access::Owned, .. }) = self.shape(into) {
            return if self.is_optional(into) {
                quote!(let mut #pointers = #name.as_ref().map_or_else(Vec::new, |given| given.pointers(#terminated));)
            } else {
                quote!(let mut #pointers = #name.pointers(#terminated);)
            };
        }
        let pointer = quote!(given.0.as_ptr_for(#binding));
        let pointer =
            if nullable { quote!(given.map_or(ptr::null_mut(), |given| #pointer)) } else { pointer };
        let given = if self.is_optional(into) { quote!(#name.unwrap_or_default()) } else { quote!(#name) };
        let end = terminated.then(|| quote!(.chain([ptr::null_mut()])));
        quote!(let mut #pointers: Vec<_> = #given.iter().map(|given| #pointer) #end .collect();)
    }

    /// The value of the call: the call itself, or the variable that holds it.
    pub(super) fn take_call(&mut self) -> TokenStream {
        self.call.take().map_or_else(
            || {
                let name = ident(&self.function.names.returned);
                quote!(#name)
            },
            |call| {
                self.is_unsafe = true;
                call
            },
        )
    }

    /// Keeps the error of the system: in the statement of the call, before even its temporary values are dropped.
    fn errno(&mut self, system: System) {
        let (name, system) = (ident(&self.function.names.errno), super::failure::system(system));
        let Some(call) = self.call.take() else { return };
        let returned = match self.function.returned {
            Some(_) => ident(&self.function.names.returned).into_token_stream(),
            None => quote!(()),
        };
        self.push_unsafe(quote!(let (#returned, #name) = (#call, #system.left());));
    }

    /// Puts the value of the call into a variable, if that has not happened yet.
    pub(super) fn bind(&mut self) {
        let Some(call) = self.call.take() else { return };
        self.push_unsafe(if self.function.returned.is_some() {
            let name = ident(&self.function.names.returned);
            quote!(let #name = #call;)
        } else {
            quote!(#call;)
        });
    }

    pub(super) fn place(&self, place: Place) -> Ident {
        match place {
            Place::Returned => ident(&self.function.names.returned),
            Place::Param(index) => self.name(index),
        }
    }

    pub(super) fn emitter(&self) -> &'e Emitter<'e> {
        self.emitter
    }

    pub(super) fn push(&mut self, tokens: TokenStream) {
        let is_unsafe = std::mem::take(&mut self.is_unsafe);
        self.statements.push(Statement { tokens, is_unsafe });
    }

    pub(super) fn push_unsafe(&mut self, tokens: TokenStream) {
        self.is_unsafe = true;
        self.push(tokens);
    }

    /// The binding, in a statement.
    pub(super) fn binding(&self) -> Ident {
        self.uses_binding.set(true);
        self.emitter.binding_of(self.function)
    }

    pub(super) fn name(&self, param: usize) -> Ident {
        ident(&self.function.params[param].ident)
    }

    pub(super) fn shape(&self, param: usize) -> Option<&'e Shape> {
        self.function.params[param].argument.as_ref().map(|argument| &argument.shape)
    }

    pub(super) fn is_optional(&self, param: usize) -> bool {
        self.function.params[param].argument.as_ref().is_some_and(|argument| argument.is_optional())
    }

    fn is_address(&self, param: usize) -> bool {
        self.function.params[param].operand == Operand::Address
    }

    /// A handle or a state that the caller gives up.
    fn released(&self, param: usize, release: &TokenStream) -> TokenStream {
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
    fn released_list(&self, param: usize, nullable: bool) -> TokenStream {
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
    fn list_back(&self, param: usize, handle: usize, nullable: bool, every_time: bool) -> TokenStream {
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
    fn same_arguments(&mut self, param: usize, args: &[(usize, FreeArg)]) {
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
    fn taken(&mut self, param: usize, into: Option<Place>, failed: Option<&When>) {
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
    pub(super) fn unless(&self, failed: Option<&When>, then: TokenStream) -> TokenStream {
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
    fn if_succeeded(&self, failed: Option<&When>, then: TokenStream) -> TokenStream {
        match failed {
            Some(_) => {
                let then = self.unless(failed, then);
                quote!(#then else { None })
            }
            None => then,
        }
    }

    /// Moves what C keeps to the handle that keeps it. What the call gives takes it when it is made.
    fn keep(&mut self, param: usize, failed: Option<&When>) {
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
    fn keep_entry(&mut self, param: usize, keeper: usize, failed: Option<&When>) {
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
    fn slot(&self, param: usize) -> TokenStream {
        let (positions, position) =
            (ident(&self.emitter.binding.tables.positions), ident(&self.function.names.symbol));
        let param = Literal::usize_unsuffixed(param + 1);
        quote!(#positions::#position as usize * 256 + #param)
    }

    /// What a new handle keeps: the names of the parameters.
    pub(super) fn kept_by(&self, place: Place) -> Vec<Ident> {
        let params = self.function.params.iter().enumerate();
        let kept = params.filter(|(index, param)| {
            param.facts.kept.is_some_and(|kept| kept.by == Keeper::Result(place))
                && !self.function.is_kept_by_borrowed(*index)
        });
        kept.map(|(_, param)| ident(&param.ident)).collect()
    }

    /// A new handle keeps what the handles keep that C has taken into it.
    pub(super) fn inherited_by(&self, place: Place) -> TokenStream {
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
    fn capturing(&self, free: usize) -> Option<TokenStream> {
        let captured = self.emitter.captured(self.function, free)?;
        Some(quote!(.capturing(#captured)))
    }

    /// The body of a function that gives back what it took where it fails: `body` in a closure, and what its error gives.
    fn giving_back(&self, gives_back: &GivesBack, body: &TokenStream) -> TokenStream {
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

    /// All statements. One `unsafe` block spans from the first that needs it to the end, or holds the call alone
    /// where nothing behind it needs one.
    fn finish(mut self) -> TokenStream {
        let (emitter, function) = (self.emitter, self.function);
        let statements = std::mem::take(&mut self.statements);
        let reason = emitter.because(if function.read().is_some() {
            Reason::Member
        } else if function.is_unsafe() {
            Reason::SignatureAndPointers
        } else if function.steps.iter().any(|step| matches!(step, Step::Fill { .. })) {
            Reason::Lent
        } else {
            Reason::Signature
        });
        let binding = emitter.binding_of(function);
        let is_needed = self.uses_binding.get() || function.read().is_none();
        let bound = match function.receiver {
            Receiver::Handle { .. } | Receiver::State { .. } if is_needed => {
                quote!(let #binding = self.0.binding();)
            }
            Receiver::Binding | Receiver::Handle { .. } | Receiver::State { .. } => TokenStream::new(),
        };
        let mut tokens = TokenStream::new();
        let mut inside = match function.read() {
            Some(_) => TokenStream::new(),
            None => emitter.callee(function, &ident(&function.names.callee), &quote!(#binding)),
        };
        let mut is_inside = false;
        // Moved and not interpolated, which would copy every token.
        for statement in statements {
            is_inside |= statement.is_unsafe;
            if is_inside { &mut inside } else { &mut tokens }.extend(statement.tokens);
        }
        tokens.extend(quote!(#reason unsafe { #inside }));
        match &function.gives_back {
            Some(gives_back) => {
                let body = self.giving_back(gives_back, &tokens);
                quote!(#bound #body)
            }
            None => [bound, tokens].into_iter().collect(),
        }
    }
}

/// Size and alignment of a state.
pub(super) fn state_layout(body: &RecordBody) -> (Literal, Literal) {
    match body {
        RecordBody::State { size, align, .. } => {
            (Literal::u64_unsuffixed(*size), Literal::u64_unsuffixed(*align))
        }
        RecordBody::Fields(_) => (Literal::u64_unsuffixed(0), Literal::u64_unsuffixed(1)),
    }
}

/// What a body ends with: the value of a method that can fail is in `Ok`.
pub(super) fn in_ok(function: &Function, value: TokenStream) -> TokenStream {
    if function.failure == Failure::Never { value } else { quote!(Ok(#value)) }
}
