//! What a method returns: the outcomes of the plan, made of what C left.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{Content, Element, Encoding, Got, Outcome, Place, Scalar, View};
use proc_macro2::TokenStream;
use quote::quote;

use super::body::{Body, in_ok};
use super::{Emitter, ident};

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
                let fields: Vec<TokenStream> = several
                    .iter()
                    .map(|outcome| {
                        let (name, made) = (ident(&outcome.ident), self.made(outcome));
                        let value = &made.tokens;
                        if made.is_result {
                            quote!(#name: #value?)
                        } else if is_local(outcome) && self.place(outcome.from) == outcome.ident.as_str() {
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

    /// One outcome.
    fn made(&mut self, outcome: &Outcome) -> Made {
        let emitter = self.emitter();
        let key = outcome.key.as_str();
        let whole = |value: TokenStream| {
            if outcome.whole { quote!(runtime::copied_whole(#value)) } else { value }
        };
        if outcome.whole {
            self.is_unsafe = true;
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
            Got::Count(_) | Got::State(_) => Made::value(self.left(outcome)),
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
            Got::Elements { content, count } => {
                let count = self.amount(count);
                let copy = match content {
                    Content::Elements(Element::Scalar(Scalar { c_type: CType::Bool, .. })) => {
                        quote!(runtime::truths(given.slice()))
                    }
                    Content::Elements(_) => whole(quote!(given.slice())),
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
            Got::Strings { count } => {
                let (count, held) = (self.amount(count), self.held(outcome));
                let tokens = if outcome.nullable {
                    quote!(#held.nullable().map(|given| given.strings(#key, #count)).transpose())
                } else {
                    quote!(#held.given(#key).and_then(|given| given.strings(#key, #count)))
                };
                Made { tokens, is_result: true }
            }
            Got::Handle { handle, free, .. } => {
                let of = ident(&emitter.types.handles[*handle].ident);
                let lent = free.is_none().then(|| quote!(.map(opendyn::Borrowed::new)));
                let value = self.left(outcome);
                let is_held = self.is_held || outcome.from != Place::Returned;
                let pointer = if is_held { quote!(#value.into_raw()) } else { value };
                let free = emitter.free(*free);
                self.is_unsafe = true;
                let made = quote!(runtime::Handle::new(self, #pointer, #free).map(#of) #lent);
                if outcome.nullable {
                    Made::value(made)
                } else {
                    Made {
                        tokens: quote!(#made.ok_or(opendyn::CallError::Null { value: #key })),
                        is_result: true,
                    }
                }
            }
            // A typed caller has it already.
            Got::Back(_) => Made::value(TokenStream::new()),
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

/// Whether the expression of an outcome is the variable that C left it in.
fn is_local(outcome: &Outcome) -> bool {
    !outcome.whole
        && match &outcome.got {
            Got::Scalar(scalar) => matches!(scalar.view, View::Plain | View::Character),
            Got::Count(_) | Got::State(_) | Got::Record(_) => true,
            _ => false,
        }
}

impl Emitter<'_> {
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
fn buffer_value(content: Content, name: &TokenStream, written: Option<&proc_macro2::Ident>) -> TokenStream {
    let taken = |whole: TokenStream, counted: TokenStream| match written {
        Some(count) => quote!(#name.#counted(#count)),
        None => quote!(#name.#whole()),
    };
    match content {
        Content::Elements(Element::Scalar(Scalar { c_type: CType::Bool, .. })) => {
            let elements = taken(quote!(all), quote!(written));
            quote!(#elements.map(runtime::truths))
        }
        Content::Elements(_) => taken(quote!(all), quote!(written)),
        Content::Text { .. } if content.is_wide_text() && written.is_none() => {
            quote!(#name.all().map(runtime::units_until_nul))
        }
        Content::Text { .. } if content.is_wide_text() => taken(quote!(all), quote!(written)),
        Content::Text { encoding, .. } if encoding.is_binary() => taken(quote!(bytes), quote!(bytes_written)),
        Content::Text { .. } => taken(quote!(text), quote!(text_written)),
    }
}
