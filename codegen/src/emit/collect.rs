//! What a method returns: the outcomes of the plan, made of what C left.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{
    Amount, Content, Element, Encoding, End, Got, HandleArray, Outcome, Place, Scalar, View,
};

use super::body::{Body, in_ok};
use super::{Emitter, ident, ident_after};
use crate::tokens::{Ident, TokenStream, quote};

/// The expression of an outcome.
struct Made {
    tokens: TokenStream,
    /// Whether it is a `Result`.
    is_result: bool,
}

impl Made {
    fn value(tokens: TokenStream) -> Self {
        Self { tokens, is_result: false }
    }
}

impl Body<'_> {
    /// The end of the body: one value, or the struct of several.
    pub(super) fn collect(&mut self) -> TokenStream {
        let function = self.function;
        match function.results().as_slice() {
            [] => {
                self.bind();
                if function.is_fallible() { quote!(Ok(())) } else { TokenStream::new() }
            }
            [only] => {
                if only.from != Place::Returned {
                    self.bind();
                }
                let made = self.made(only);
                if made.is_result { made.tokens } else { in_ok(function, made.tokens) }
            }
            several => {
                self.bind();
                // What an array of handles owns is freed if another outcome is an error.
                for outcome in several.iter().filter(|outcome| owns_handles(outcome)) {
                    let (name, made) = (ident_after(&outcome.ident, "_handles"), self.made(outcome));
                    let value = made.tokens;
                    self.push(quote!(let #name = #value?;));
                }
                let fields: Vec<TokenStream> = several
                    .iter()
                    .map(|outcome| {
                        if owns_handles(outcome) {
                            let (name, made) =
                                (ident(&outcome.ident), ident_after(&outcome.ident, "_handles"));
                            return quote!(#name: #made);
                        }
                        let (name, made) = (ident(&outcome.ident), self.made(outcome));
                        let value = &made.tokens;
                        if made.is_result {
                            quote!(#name: #value?)
                        } else if is_local(outcome)
                            && self.emitter().owner_of(outcome).is_none()
                            && self.place(outcome.from) == *outcome.ident
                        {
                            quote!(#name)
                        } else {
                            quote!(#name: #value)
                        }
                    })
                    .collect();
                let outputs = ident(&function.names.outputs);
                in_ok(function, quote!(#outputs { #(#fields),* }))
            }
        }
    }

    /// One outcome, as a typed caller gets it.
    fn made(&mut self, outcome: &Outcome) -> Made {
        let made = self.made_plain(outcome);
        if !outcome.as_str {
            return made;
        }
        let (key, tokens) = (&outcome.key, made.tokens);
        let utf8 = if outcome.is_lossy() { quote!(runtime::utf8_lossy) } else { quote!(runtime::utf8) };
        let tokens = if made.is_result {
            quote!(#tokens.and_then(|text| #utf8(#key, text)))
        } else {
            quote!(#utf8(#key, #tokens))
        };
        Made { tokens, is_result: true }
    }

    /// One outcome, with text as C has it.
    fn made_plain(&mut self, outcome: &Outcome) -> Made {
        let emitter = self.emitter();
        let key = outcome.key.as_str();
        let whole = |value: TokenStream| {
            if outcome.whole { quote!(runtime::copied_whole(#value)) } else { value }
        };
        if outcome.whole {
            self.is_unsafe = true;
        }
        if let Some(of) = emitter.owner_of(outcome) {
            return self.made_owner(outcome, &of);
        }
        match &outcome.got {
            Got::Code(_) if !emitter.binding.codes.is_empty() => {
                let (code, value) = (ident(&emitter.binding.code_ident), self.left(outcome));
                Made::value(quote!(#code(#value as i64)))
            }
            Got::Code(scalar) | Got::Scalar(scalar) => {
                let value = self.left(outcome);
                Made::value(emitter.viewed(*scalar, &value))
            }
            Got::Count(_) => Made::value(self.left(outcome)),
            Got::State { record, end, parents, lasts } => {
                let (of, free) = (ident(&emitter.types.records[*record].ident), emitter.end(*end));
                let (name, binding) = (self.left(outcome), self.binding());
                let memory = match end {
                    End::Unknown => quote!(runtime::ManuallyDrop::into_inner(#name)),
                    End::By(_) | End::Nothing => name,
                };
                self.is_unsafe = true;
                let keeper = parents.first().filter(|_| *lasts);
                Made::value(match keeper.map(|keeper| emitter.name_of(self.function, *keeper)) {
                    Some(keeper) => {
                        quote!(#of(runtime::Handle::of_lasting_state(#binding, #memory, #free, &#keeper.0)))
                    }
                    None => quote!(#of(runtime::Handle::of_state(#binding, #memory, #free))),
                })
            }
            Got::Raw => {
                let value = self.left(outcome);
                // Through a `T**` it is held until here.
                Made::value(if outcome.from == Place::Returned { value } else { quote!(#value.into_raw()) })
            }
            Got::Record(_) => Made::value(whole(self.left(outcome))),
            Got::Buffer { content, written } => {
                let name = self.left(outcome);
                let written = written.map(|place| self.place(place));
                let taken = buffer_value(*content, &name, written.as_ref());
                Made {
                    tokens: if outcome.whole {
                        quote!(#taken.map(|value| runtime::copied_whole(value)))
                    } else {
                        taken
                    },
                    is_result: true,
                }
            }
            Got::Text(text) => {
                let copy = if text.encoding == Encoding::Utf16 {
                    quote!(given.utf16())
                } else {
                    quote!(given.string())
                };
                let copy = match text.one_of {
                    Some(one_of) => {
                        let name = ident(&emitter.types.enums[one_of].ident);
                        quote!(#name::from(#copy))
                    }
                    None => copy,
                };
                self.pointed(outcome, &copy)
            }
            Got::Pointed(scalar) => {
                let copy = emitter.viewed(*scalar, &quote!(given.copied()));
                self.pointed(outcome, &copy)
            }
            Got::PointedRecord(_) => self.pointed(outcome, &whole(quote!(given.copied()))),
            Got::Elements { content, count: Amount::Terminated } => {
                let copy = match content {
                    Content::Elements(Element::Scalar(Scalar { c_type: CType::Bool, .. })) => {
                        quote!(runtime::truths(given.until_zero()))
                    }
                    _ => quote!(given.until_zero()),
                };
                self.pointed(outcome, &copy)
            }
            Got::Strings { count: Amount::Terminated, .. } => {
                self.pointed(outcome, &quote!(given.strings_until_null()))
            }
            Got::Elements { content, count } => {
                let count = self.amount(count);
                let copy = match content {
                    Content::Elements(Element::Scalar(Scalar { c_type: CType::Bool, .. })) => {
                        quote!(runtime::truths(given.slice()))
                    }
                    Content::Elements(_) => whole(quote!(given.slice())),
                    Content::Handles(_) => quote!(given.slice()),
                    Content::Text { .. } if content.is_wide_text() => quote!(given.slice()),
                    Content::Text { encoding, .. } if encoding.is_binary() => quote!(given.bytes()),
                    Content::Text { .. } => quote!(given.text()),
                };
                let held = self.held(outcome);
                let tokens = if outcome.nullable {
                    quote!(#held.nullable_elements(#key, #count).map(|given| given.map(|given| #copy)))
                } else {
                    quote!(#held.elements(#key, #count).map(|given| #copy))
                };
                Made { tokens, is_result: true }
            }
            Got::Strings { count, nullable } => {
                let (count, held) = (self.amount(count), self.held(outcome));
                let copy = ident(if *nullable { "nullable_strings" } else { "strings" });
                let tokens = if outcome.nullable {
                    quote!(#held.nullable().map(|given| given.#copy(#key, #count)).transpose())
                } else {
                    quote!(#held.given(#key).and_then(|given| given.#copy(#key, #count)))
                };
                Made { tokens, is_result: true }
            }
            Got::Handles { .. } => self.made_handles(outcome),
            Got::Handle { handle, free, .. } => {
                let of = ident(&emitter.types.handles[*handle].ident);
                let lent = free.is_none().then(|| quote!(.map(opendyn::Borrowed::new)));
                let counted = emitter.counted(*handle, *free);
                let value = self.left(outcome);
                let is_held = self.is_held || outcome.from != Place::Returned;
                let pointer = if is_held { quote!(#value.into_raw()) } else { value };
                let binding = self.binding();
                self.is_unsafe = true;
                let kept = self.kept_by(outcome.from);
                let keeping = (!kept.is_empty())
                    .then(|| quote!(.inspect(|handle| { #(handle.keep(Box::new(#kept));)* })));
                let inherited = self.inherited_by(outcome.from);
                let keeping = quote!(#keeping #inherited);
                let made = match free.and_then(|free| Some((free, emitter.captured(self.function, free)?))) {
                    Some((free, captured)) => {
                        let free = ident(&emitter.types.frees[free].constant);
                        quote!(runtime::Handle::with_captured(#binding, #pointer, #free, #captured) #keeping .map(#of))
                    }
                    None => {
                        let free = emitter.free(*free);
                        quote!(runtime::Handle::new(#binding, #pointer, #free) #counted #keeping .map(#of) #lent)
                    }
                };
                if outcome.nullable {
                    Made::value(made)
                } else {
                    Made {
                        tokens: quote!(#made.ok_or(opendyn::CallError::Null { value: #key })),
                        is_result: true,
                    }
                }
            }
            Got::Taken { handle, .. } => {
                let of = ident(&emitter.types.handles[*handle].ident);
                let (name, binding) = (self.left(outcome), self.binding());
                self.is_unsafe = true;
                Made::value(if outcome.nullable {
                    quote!(#name.as_ref().map(|given| opendyn::Borrowed::new(#of(given.lent(#binding)))))
                } else {
                    quote!(opendyn::Borrowed::new(#of(#name.lent(#binding))))
                })
            }
            Got::TakenAll { handle, nullable, .. } => {
                let of = ident(&emitter.types.handles[*handle].ident);
                let (name, binding) = (self.left(outcome), self.binding());
                self.is_unsafe = true;
                let lent = quote!(opendyn::Borrowed::new(#of(handle)));
                let each = if *nullable {
                    quote!(.map(|handle| handle.map(|handle| #lent)))
                } else {
                    quote!(.flatten().map(|handle| #lent))
                };
                let list = |given: TokenStream| quote!(#given.lent(#binding).into_iter() #each .collect());
                Made::value(if outcome.nullable {
                    let list = list(quote!(given));
                    quote!(#name.as_ref().map(|given| #list))
                } else {
                    list(quote!(#name))
                })
            }
            // A typed caller has it already.
            Got::Back(_) | Got::Events { .. } => Made::value(TokenStream::new()),
        }
    }

    /// Handles, each made of its pointer.
    fn made_handles(&mut self, outcome: &Outcome) -> Made {
        let Got::Handles { handle, of: array, nullable, free, .. } = &outcome.got else {
            return Made::value(TokenStream::new());
        };
        let (emitter, key) = (self.emitter(), outcome.key.as_str());
        let (of, binding) = (ident(&emitter.types.handles[*handle].ident), self.binding());
        let lent = free.is_none().then(|| quote!(.map(opendyn::Borrowed::new)));
        let one = match free.and_then(|free| Some((free, emitter.captured(self.function, free)?))) {
            Some((free, captured)) => {
                let free = ident(&emitter.types.frees[free].constant);
                quote!(runtime::Handle::with_captured(#binding, pointer, #free, #captured).map(#of))
            }
            None => {
                let (counted, free) = (emitter.counted(*handle, *free), emitter.free(*free));
                quote!(runtime::Handle::new(#binding, pointer, #free) #counted .map(#of) #lent)
            }
        };
        let make = |pointers: TokenStream| {
            if *nullable {
                quote!(runtime::nullable_handles(#pointers, |pointer| #one))
            } else {
                quote!(runtime::handles(#key, #pointers, |pointer| #one))
            }
        };
        let count = match array {
            HandleArray::Pointed(count) => count,
            HandleArray::Buffer(written) => {
                self.is_unsafe = true;
                let name = self.left(outcome);
                let written = written.map(|place| self.place(place));
                let taken = buffer_value(Content::Handles(*handle), &name, written.as_ref());
                let made = make(quote!(given));
                let then = if *nullable { quote!(map) } else { quote!(and_then) };
                return Made { tokens: quote!(#taken.#then(|given| #made)), is_result: true };
            }
        };
        let until_null = *count == Amount::Terminated;
        let count = self.amount(count);
        let held = self.held(outcome);
        let tokens = match (until_null, outcome.nullable, *nullable) {
            // None of them is NULL.
            (true, true, _) => {
                let made = make(quote!(given.pointers_until_null()));
                quote!(#held.nullable().map(|given| #made).transpose())
            }
            (true, false, _) => {
                let made = make(quote!(given.pointers_until_null()));
                quote!(#held.given(#key).and_then(|given| #made))
            }
            (false, true, true) => {
                let made = make(quote!(given.slice()));
                quote!(#held.nullable_elements(#key, #count).map(|given| given.map(|given| #made)))
            }
            (false, true, false) => {
                let made = make(quote!(given.slice()));
                quote!(#held.nullable_elements(#key, #count).and_then(|given| given.map(|given| #made).transpose()))
            }
            (false, false, true) => {
                let made = make(quote!(given.slice()));
                quote!(#held.elements(#key, #count).map(|given| #made))
            }
            (false, false, false) => {
                let made = make(quote!(given.slice()));
                quote!(#held.elements(#key, #count).and_then(|given| #made))
            }
        };
        Made { tokens, is_result: true }
    }

    /// A struct, or several, that own what they point to: copies of what C left.
    fn made_owner(&mut self, outcome: &Outcome, of: &Ident) -> Made {
        let key = outcome.key.as_str();
        self.is_unsafe = true;
        let one = |raw: TokenStream| {
            if outcome.checked {
                quote!(runtime::owned::<#of>(#key, &#raw))
            } else {
                quote!(<#of as runtime::Owned>::copied(&#raw))
            }
        };
        match &outcome.got {
            Got::Record(_) => Made { tokens: one(self.left(outcome)), is_result: outcome.checked },
            Got::PointedRecord(_) => {
                let copy = one(quote!(given.copied()));
                if !outcome.checked {
                    return self.pointed(outcome, &copy);
                }
                let held = self.held(outcome);
                let tokens = if outcome.nullable {
                    quote!(#held.nullable().map(|given| #copy).transpose())
                } else {
                    quote!(#held.given(#key).and_then(|given| #copy))
                };
                Made { tokens, is_result: true }
            }
            Got::Elements { count, .. } => {
                let (count, held) = (self.amount(count), self.held(outcome));
                let copy = quote!(runtime::owned_list::<#of>(#key, &given.slice()));
                let tokens = if outcome.nullable {
                    quote!(#held.nullable_elements(#key, #count).and_then(|given| given.map(|given| #copy).transpose()))
                } else {
                    quote!(#held.elements(#key, #count).and_then(|given| #copy))
                };
                Made { tokens, is_result: true }
            }
            Got::Buffer { content, written } => {
                let name = self.left(outcome);
                let written = written.map(|place| self.place(place));
                let taken = buffer_value(*content, &name, written.as_ref());
                Made {
                    tokens: quote!(#taken.and_then(|given| runtime::owned_list::<#of>(#key, &given))),
                    is_result: true,
                }
            }
            _ => Made::value(TokenStream::new()),
        }
    }

    /// What C left, as a variable or as the call itself.
    fn left(&mut self, outcome: &Outcome) -> TokenStream {
        match outcome.from {
            Place::Returned => self.take_call(),
            place => {
                let name = self.place(place);
                quote!(#name)
            }
        }
    }

    /// The pointer that C gave, held.
    fn held(&mut self, outcome: &Outcome) -> TokenStream {
        self.is_unsafe = true;
        let value = self.left(outcome);
        if self.is_held || outcome.from != Place::Returned {
            value
        } else {
            quote!(runtime::Held::lent(#value))
        }
    }

    /// A copy of what a pointer points to.
    fn pointed(&mut self, outcome: &Outcome, copy: &TokenStream) -> Made {
        let (held, key) = (self.held(outcome), &outcome.key);
        if outcome.nullable {
            Made::value(quote!(#held.nullable().map(|given| #copy)))
        } else {
            Made { tokens: quote!(#held.given(#key).map(|given| #copy)), is_result: true }
        }
    }
}

/// Whether it is an array of handles that the caller owns.
fn owns_handles(outcome: &Outcome) -> bool {
    matches!(outcome.got, Got::Handles { free: Some(_), .. })
}

/// Whether the expression of an outcome is the variable that C left it in.
fn is_local(outcome: &Outcome) -> bool {
    !outcome.whole
        && match &outcome.got {
            Got::Scalar(scalar) => matches!(scalar.view, View::Plain | View::Character),
            Got::Count(_) | Got::Record(_) => true,
            _ => false,
        }
}

impl Emitter<'_> {
    /// The type of the structs in an outcome that own what they point to.
    pub(super) fn owner_of(&self, outcome: &Outcome) -> Option<Ident> {
        let record = match &outcome.got {
            Got::Record(record) | Got::PointedRecord(record) => *record,
            Got::Elements { content: Content::Elements(Element::Record(record)), .. }
            | Got::Buffer { content: Content::Elements(Element::Record(record)), .. } => *record,
            _ => return None,
        };
        self.is_owned(record).then(|| ident(&self.types.records[record].ident))
    }

    /// What makes an owned handle one of which C counts the owners.
    fn counted(&self, handle: usize, free: Option<usize>) -> Option<TokenStream> {
        (self.types.handles[handle].retain.is_some() && free.is_some())
            .then(|| quote!(.map(runtime::Handle::counted)))
    }

    /// A value that C left, as a caller sees it.
    pub(super) fn viewed(&self, scalar: Scalar, value: &TokenStream) -> TokenStream {
        match scalar.view {
            View::Truth => quote!(runtime::Truth::is_true(#value)),
            View::Enum(index) if self.types.enums[index].is_named() => {
                let name = ident(&self.types.enums[index].ident);
                quote!(#name::from(#value))
            }
            View::Plain | View::Character | View::Enum(_) => value.clone(),
        }
    }
}

/// What is in a buffer: as much as C says it wrote, or all of it.
fn buffer_value(content: Content, name: &TokenStream, written: Option<&Ident>) -> TokenStream {
    let taken = |whole: TokenStream, counted: TokenStream| match written {
        Some(count) => quote!(#name.#counted(#count)),
        None => quote!(#name.#whole()),
    };
    match content {
        Content::Elements(Element::Scalar(Scalar { c_type: CType::Bool, .. })) => {
            let elements = taken(quote!(all), quote!(written));
            quote!(#elements.map(runtime::truths))
        }
        Content::Elements(_) | Content::Handles(_) => taken(quote!(all), quote!(written)),
        Content::Text { .. } if content.is_wide_text() && written.is_none() => {
            quote!(#name.all().map(runtime::units_until_nul))
        }
        Content::Text { .. } if content.is_wide_text() => taken(quote!(all), quote!(written)),
        Content::Text { encoding, .. } if encoding.is_binary() => taken(quote!(bytes), quote!(bytes_written)),
        Content::Text { .. } => taken(quote!(text), quote!(text_written)),
    }
}
