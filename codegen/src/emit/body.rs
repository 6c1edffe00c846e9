//! The body of a method: the steps of the plan, each as a statement.

use opendyn_model::plan::{
    Body as RecordBody, Counted, Failure, Function, Memory, Operand, Place, Shape, Step, System, When,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

use super::safety::Reason;
use super::{Emitter, ident, ident_after, zero};

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
            is_unsafe: false,
        };
        for step in &function.steps {
            body.step(step);
        }
        body.finish()
    }

    /// The function that frees what another function of the library made, or none.
    pub(super) fn free(&self, function: Option<usize>) -> TokenStream {
        match function {
            Some(function) => {
                let constant = ident(&self.binding.functions[function].names.free);
                quote!(Some(#constant))
            }
            None => quote!(None),
        }
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
                self.push(quote! {
                    if !self.#has() {
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
            Step::Allocate { into, memory } => self.allocate(*into, memory),
            Step::Release { param } => {
                let name = self.name(*param);
                self.push(if self.is_optional(*param) {
                    quote!(let #name = #name.map(|given| given.0.release(self));)
                } else {
                    quote!(let #name = #name.0.release(self);)
                });
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
            Step::Hold { free } => {
                let (free, value) = (emitter.free(Some(*free)), self.take_call());
                let name = ident(&function.names.returned);
                self.push_unsafe(quote!(let #name = runtime::Held::returned(self, #free, #value);));
                self.is_held = true;
            }
            Step::Errno(system) => self.errno(*system),
            Step::Freed { param, failed } => {
                self.bind();
                let name = self.name(*param);
                let freed = if self.is_optional(*param) {
                    quote!(if let Some(given) = #name { given.freed(); })
                } else {
                    quote!(#name.freed();)
                };
                let freed = match failed {
                    Some(When::Unlisted(successes)) => {
                        let (returned, successes) =
                            (ident(&function.names.returned), Emitter::successes(successes));
                        quote!(if runtime::is_success(#returned as i64, #successes) { #freed })
                    }
                    Some(when) => {
                        let failed = self.failed(when);
                        quote!(if !(#failed) { #freed })
                    }
                    None => freed,
                };
                self.push_unsafe(freed);
            }
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
            Step::Collect => {
                let tail = self.collect();
                let is_unsafe = std::mem::take(&mut self.is_unsafe);
                self.statements.push(Statement { tokens: tail, is_unsafe });
            }
        }
    }

    fn allocate(&mut self, into: usize, memory: &Memory) {
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
                let of = ident(&emitter.types.records[*record].ident);
                quote!(let mut #name: #of = runtime::zeroed();)
            }
            Memory::State(record) => {
                let record = &emitter.types.records[*record];
                let of = ident(&record.ident);
                let (size, align) = state_layout(&record.body);
                quote!(let mut #name = #of(runtime::State::new(#size, #align));)
            }
            Memory::Pointer { to, free } => {
                let (of, free) = (emitter.c_value(to), emitter.free(*free));
                quote!(let mut #name: runtime::Held<'_, #of> = runtime::Held::output(self, #free);)
            }
            Memory::Pointers => {
                let pointers = ident_after(&param.ident, "_pointers");
                let given =
                    if self.is_optional(into) { quote!(#name.unwrap_or_default()) } else { quote!(#name) };
                quote!(let #pointers = runtime::pointers(#given);)
            }
        };
        self.push(statement);
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

    fn push_unsafe(&mut self, tokens: TokenStream) {
        self.is_unsafe = true;
        self.push(tokens);
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
    fn finish(self) -> TokenStream {
        let (emitter, function) = (self.emitter, self.function);
        let reason = emitter.because(if function.is_unsafe() {
            Reason::SignatureAndPointers
        } else {
            Reason::Signature
        });
        let callee = emitter.callee(function, &ident(&function.names.callee), &quote!(self));
        let mut tokens = TokenStream::new();
        let mut inside = callee;
        let mut is_inside = false;
        // Moved and not interpolated, which would copy every token.
        for statement in self.statements {
            is_inside |= statement.is_unsafe;
            if is_inside { &mut inside } else { &mut tokens }.extend(statement.tokens);
        }
        tokens.extend(quote!(#reason unsafe { #inside }));
        tokens
    }
}

/// Size and alignment of a state.
pub(super) fn state_layout(body: &RecordBody) -> (Literal, Literal) {
    match body {
        RecordBody::State { size, align } => {
            (Literal::u64_unsuffixed(*size), Literal::u64_unsuffixed(*align))
        }
        RecordBody::Fields(_) => (Literal::u64_unsuffixed(0), Literal::u64_unsuffixed(1)),
    }
}

/// What a body ends with: the value of a method that can fail is in `Ok`.
pub(super) fn in_ok(function: &Function, value: TokenStream) -> TokenStream {
    if function.failure == Failure::Never { value } else { quote!(Ok(#value)) }
}
