//! How a method fails where C reports a failure: the condition, and the error with its code, text and outputs.

use opendyn_model::plan::{
    AskArg, Asked, CodeSource, Content, Encoding, Fail, FieldType, Got, Operand, Outcome, Place, Scalar,
    System, TextSource, View, When,
};

use super::body::Body;
use super::checks::asked_ident;
use super::ident;
use super::kind::encoding;
use crate::tokens::{Ident, Literal, TokenStream, quote};

impl Body<'_> {
    /// `if` the call failed, the error is returned. Everything in it is a copy, made before anything is freed.
    pub(super) fn fail(&self, fail: &Fail, codes: &Ident) -> TokenStream {
        let (failed, code, text) = (self.failed(&fail.when), self.code(&fail.code), self.text(&fail.text));
        let outputs = fail.outputs.iter().map(|index| self.output(&self.function.outcomes[*index]));
        let codes = match fail.code {
            // The codes of the document are not those of the system.
            CodeSource::System(_) => quote!(opendyn::Codes::new(&[])),
            _ => quote!(#codes),
        };
        quote! {
            if #failed {
                return Err(opendyn::FailedCall::new(#codes) #code #text #(#outputs)* .into());
            }
        }
    }

    /// Whether the call failed.
    pub(super) fn failed(&self, when: &When) -> TokenStream {
        let returned = ident(&self.function.names.returned);
        match when {
            When::Unlisted(successes) => {
                let successes = super::Emitter::successes(successes);
                quote!(!runtime::is_success(#returned as i64, #successes))
            }
            When::Negative => quote!(#returned < 0),
            When::Null => quote!(#returned.is_null()),
            When::Zero => quote!(#returned == 0),
            When::Nonzero => quote!(#returned != 0),
            When::Value(value) => {
                let value = Literal::i128_unsuffixed(*value);
                quote!(#returned as i128 == #value)
            }
            When::Call(asked) => {
                let (call, guard) = (self.call_of(asked), self.guard(asked));
                let failed = quote!(runtime::Truth::is_true(#call));
                let failed = guard.map_or(failed.clone(), |guard| quote!(#guard && #failed));
                self.after_asking(asked, failed)
            }
        }
    }

    fn code(&self, code: &CodeSource) -> Option<TokenStream> {
        Some(match code {
            CodeSource::None => return None,
            CodeSource::Returned => {
                let returned = ident(&self.function.names.returned);
                quote!(.with_code(#returned as i64))
            }
            CodeSource::System(_) => {
                let errno = ident(&self.function.names.errno);
                quote!(.with_code(#errno))
            }
            CodeSource::Call(asked) => {
                let code = self.call_of(asked);
                let code = match self.guard(asked) {
                    Some(guard) => quote!(if #guard { Some(#code as i64) } else { None }),
                    None => quote!(#code as i64),
                };
                let code = self.after_asking(asked, code);
                quote!(.with_code(#code))
            }
        })
    }

    fn text(&self, text: &TextSource) -> Option<TokenStream> {
        let guarded = |asked: &Asked, text: TokenStream| {
            let text = match self.guard(asked) {
                Some(guard) => quote!(if #guard { #text } else { None }),
                None => text,
            };
            let text = self.after_asking(asked, text);
            quote!(.with_text(#text))
        };
        Some(match text {
            TextSource::Document => return None,
            TextSource::System(of) => {
                let system = system(*of);
                quote!(.with_system_text(#system))
            }
            TextSource::Call { asked, encoding: of, units } => {
                let (held, encoded) = (self.held_of(asked), encoding(*of));
                let text = match units {
                    Some(units) => {
                        let units = Literal::u64_unsuffixed(*units);
                        quote!(#held.text_within(#units, #encoded))
                    }
                    None => quote!(#held.text(#encoded)),
                };
                guarded(asked, text)
            }
            TextSource::Member { asked, record, field, encoding: of } => {
                let (held, encoded) = (self.held_of(asked), encoding(*of));
                let field = self.emitter().types.records[*record].fields().nth(*field);
                let member = field.map(|field| ident(&field.ident));
                let text = match field.map(|field| &field.of) {
                    Some(FieldType::Text { .. }) => {
                        quote!(runtime::text_in(&given.copied().#member, #encoded))
                    }
                    _ => quote!(runtime::Held::lent(given.copied().#member).text(#encoded)),
                };
                guarded(asked, quote!(#held.nullable().and_then(|given| #text)))
            }
            TextSource::Output(index, encoding) => {
                let left = self.text_left(*index, *encoding);
                quote!(.with_text(#left))
            }
        })
    }

    /// An output that C filled.
    fn output(&self, outcome: &Outcome) -> TokenStream {
        let key = &outcome.key;
        let Place::Param(index) = outcome.from else { return TokenStream::new() };
        let name = self.name(index);
        match &outcome.got {
            Got::Scalar(Scalar { view: View::Truth, .. }) => {
                quote!(.with_output(#key, runtime::Truth::is_true(#name)))
            }
            Got::Scalar(Scalar { view: View::Character, .. }) => {
                quote!(.with_output_character(#key, #name as u8))
            }
            Got::Scalar(_) => quote!(.with_output(#key, #name)),
            Got::Text(text) => {
                let text = self.text_left(index, text.encoding);
                quote!(.with_output_text(#key, #text))
            }
            Got::Buffer { content: Content::Text { encoding, .. }, .. } => {
                let text = self.text_left(index, *encoding);
                quote!(.with_output_text(#key, #text))
            }
            _ => TokenStream::new(),
        }
    }

    /// The text that C left in an output: behind a pointer, or in a buffer.
    fn text_left(&self, index: usize, of: Encoding) -> TokenStream {
        let (name, encoding) = (self.name(index), encoding(of));
        let is_buffer = self.function.params[index].operand == Operand::Buffer;
        if is_buffer { quote!(#name.left(#encoding)) } else { quote!(#name.text(#encoding)) }
    }

    /// What C left in a place, as an argument of another function.
    pub(super) fn left_after_call(&self, arg: &AskArg) -> TokenStream {
        match arg {
            AskArg::Left(index) => {
                let name = self.name(*index);
                if self.is_fetched(*index) { quote!(#name.as_ptr()) } else { quote!(#name) }
            }
            _ => {
                let returned = ident(&self.function.names.returned);
                if self.is_held { quote!(#returned.as_ptr()) } else { quote!(#returned) }
            }
        }
    }

    fn is_fetched(&self, index: usize) -> bool {
        self.function.params[index].operand == Operand::Fetch
    }

    /// Whether no argument is a NULL that the other function does not expect; `None` if none can be NULL.
    fn guard(&self, asked: &Asked) -> Option<TokenStream> {
        let is_pointer = self.function.signature.returns.as_ref().is_some_and(|value| value.stars > 0);
        let checks: Vec<TokenStream> = asked
            .args
            .iter()
            .enumerate()
            .filter_map(|(position, arg)| match arg {
                AskArg::Integer(_) => None,
                AskArg::Asked(inner) => {
                    let name = asked_ident(position);
                    if self.returns_pointer(inner) {
                        Some(quote!(!#name.is_null()))
                    } else {
                        self.guard(inner).map(|_| quote!(#name.is_some()))
                    }
                }
                AskArg::Param(index) => {
                    let is_handle = self.function.signature.params[*index].stars > 0;
                    let name = self.name(*index);
                    (is_handle && self.is_optional(*index)).then(|| quote!(#name.is_some()))
                }
                AskArg::Left(index) => {
                    let name = self.name(*index);
                    self.is_fetched(*index).then(|| quote!(!#name.is_null()))
                }
                AskArg::Returned => {
                    let returned = ident(&self.function.names.returned);
                    is_pointer.then(|| quote!(!#returned.is_null()))
                }
            })
            .collect();
        (!checks.is_empty()).then(|| quote!(#(#checks)&&*))
    }

    /// Whether a function that is asked returns a handle, and not a scalar.
    fn returns_pointer(&self, asked: &Asked) -> bool {
        let function = &self.emitter().binding.functions[asked.function];
        function.signature.returns.as_ref().is_some_and(|value| value.stars > 0)
    }

    /// What another function returned, as the argument at `position`.
    pub(super) fn asked_value(&self, position: usize, asked: &Asked) -> TokenStream {
        let name = asked_ident(position);
        if !self.returns_pointer(asked) && self.guard(asked).is_some() {
            quote!(#name.unwrap_or_default())
        } else {
            quote!(#name)
        }
    }

    /// Asks the functions whose values are arguments of another call.
    fn asked_first(&self, asked: &Asked) -> TokenStream {
        let ask = |(position, arg): (usize, &AskArg)| {
            let AskArg::Asked(inner) = arg else { return None };
            let (name, first, call) = (asked_ident(position), self.asked_first(inner), self.call_of(inner));
            let value = match self.guard(inner) {
                Some(guard) if self.returns_pointer(inner) => {
                    quote!(if #guard { #call } else { ptr::null_mut() })
                }
                Some(guard) => quote!(if #guard { Some(#call) } else { None }),
                None => call,
            };
            Some(if first.is_empty() {
                quote!(let #name = #value;)
            } else {
                quote!(let #name = { #first #value };)
            })
        };
        asked.args.iter().enumerate().filter_map(ask).collect()
    }

    /// A value that is found by a call, after the calls whose values are its arguments.
    fn after_asking(&self, asked: &Asked, value: TokenStream) -> TokenStream {
        let first = self.asked_first(asked);
        if first.is_empty() { value } else { quote!({ #first #value }) }
    }

    fn call_of(&self, asked: &Asked) -> TokenStream {
        self.ask(asked.function, &asked.args, "_of_error")
    }

    /// The pointer that another function returned, freed once its text is copied.
    fn held_of(&self, asked: &Asked) -> TokenStream {
        let call = self.call_of(asked);
        match asked.free {
            Some(_) => {
                let (free, binding) = (self.emitter().free(asked.free), self.binding());
                quote!(runtime::Held::returned(#binding, #free, #call))
            }
            None => quote!(runtime::Held::lent(#call)),
        }
    }
}

/// Whose error it is, as the runtime has it.
pub(super) fn system(system: System) -> TokenStream {
    match system {
        System::Errno => quote!(runtime::System::Errno),
        System::LastError => quote!(runtime::System::LastError),
    }
}
