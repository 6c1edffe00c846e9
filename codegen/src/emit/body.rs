//! The body of a method: the steps of the plan, each as a statement.

mod memory;
mod owners;

use std::cell::Cell;

use opendyn_model::plan::{
    Body as RecordBody, Counted, Failure, Function, Operand, Place, Receiver, Shape, Step, System,
};

use super::safety::Reason;
use super::{Emitter, ident, ident_after};
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
