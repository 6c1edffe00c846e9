//! The functions that free what C gave.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{AskArg, End, Free, FreeArg, FreeBy, Function, Got, Operand, Step, When};

use super::safety::Reason;
use super::{Emitter, ident};
use crate::tokens::{Ident, Literal, TokenStream, quote};

impl Emitter<'_> {
    /// The function that frees a value, or none.
    pub(super) fn free(&self, free: Option<usize>) -> TokenStream {
        match free {
            Some(free) => {
                let constant = ident(&self.types.frees[free].constant);
                quote!(Some(#constant))
            }
            None => quote!(None),
        }
    }

    /// The function that ends a state.
    pub(super) fn end(&self, end: End) -> TokenStream {
        match end {
            End::By(free) => {
                let constant = ident(&self.types.frees[free].constant);
                quote!(#constant)
            }
            End::Nothing => quote!(runtime::NO_END),
            End::Unknown => quote!(runtime::NEVER),
        }
    }

    /// The further arguments of a function that frees, kept for it; `None` where there are none.
    pub(super) fn captured(&self, function: &Function, free: usize) -> Option<TokenStream> {
        let captures = &self.types.frees[free].captures;
        let words = captures.iter().map(|index| {
            let operand = self.operand(function, *index);
            quote!(runtime::Word::to_word(#operand))
        });
        (!captures.is_empty()).then(|| quote!(runtime::Captured::from([#(#words),*])))
    }

    /// One constant for each way to free that is used.
    pub(super) fn frees(&self) -> TokenStream {
        let functions = &self.binding.functions;
        let held = functions.iter().flat_map(|function| &function.steps).filter_map(Step::frees);
        let given = functions.iter().flat_map(|function| &function.outcomes).filter_map(|outcome| {
            match &outcome.got {
                Got::Handle { free, .. } | Got::Handles { free, .. } => *free,
                Got::State { end, .. } => end.free(),
                _ => None,
            }
        });
        let counted = self.types.handles.iter().filter_map(|handle| handle.retain).map(|retain| retain.free);
        let mut used = vec![false; self.types.frees.len()];
        held.chain(given).chain(counted).for_each(|index| used[index] = true);
        let used = self.types.frees.iter().zip(used).filter(|(_, used)| *used);
        used.map(|(free, _)| self.free_constant(free)).collect()
    }

    fn free_constant(&self, free: &Free) -> TokenStream {
        let (constant, of) = (ident(&free.constant), ident(&self.binding.ident));
        let (pointer, body) = match &free.by {
            FreeBy::Function { function, args, refused } => self.free_by(*function, args, refused.as_ref()),
            FreeBy::Symbol(symbol) => {
                let position = self.symbol_position(*symbol);
                let void = self.c_type(CType::Void);
                let body = quote! {
                    let free: unsafe extern "C" fn(*mut #void) = binding.library.symbol(#position);
                    free(pointer);
                    true
                };
                (quote!(pointer), body)
            }
            FreeBy::Variable(symbol) => {
                let position = self.symbol_position(*symbol);
                let void = self.c_type(CType::Void);
                let body = quote! {
                    let variable: *const Option<unsafe extern "C" fn(*mut #void)> =
                        binding.library.symbol(#position);
                    let Some(free) = variable.read() else { return false };
                    free(pointer);
                    true
                };
                (quote!(pointer), body)
            }
        };
        let captured = if free.captures.is_empty() { quote!(_) } else { quote!(captured) };
        let reason = self.because(Reason::Free);
        quote! {
            #reason
            const #constant: runtime::FreeFn = |binding, #pointer, #captured| unsafe {
                let binding = &*binding.cast::<#of>();
                #body
            };
        }
    }

    /// The pattern of the pointer, and the body of a function that frees with a function of the document.
    fn free_by(
        &self,
        function: usize,
        args: &[FreeArg],
        refused: Option<&When>,
    ) -> (TokenStream, TokenStream) {
        let function = &self.binding.functions[function];
        let callee = self.callee(function, &ident("free"), &quote!(binding));
        let mut is_through = false;
        let args: Vec<TokenStream> = args
            .iter()
            .zip(&function.params)
            .map(|(arg, param)| match arg {
                FreeArg::Value if param.operand == Operand::ReleasedThrough => {
                    is_through = true;
                    quote!(&mut pointer)
                }
                FreeArg::Value => quote!(pointer.cast()),
                FreeArg::Integer(_) if param.operand == Operand::Function => quote!(None),
                FreeArg::Integer(value) => {
                    let value = Literal::i128_unsuffixed(*value);
                    quote!(#value)
                }
                FreeArg::Captured(index) => {
                    let index = Literal::usize_unsuffixed(*index);
                    quote!(runtime::Word::from_word(captured[#index]))
                }
            })
            .collect();
        let pointer = if is_through { quote!(mut pointer) } else { quote!(pointer) };
        let args = &args;
        let call = quote!(free(#(#args),*));
        let body = match refused {
            None => quote!(#callee #call; true),
            Some(when) => {
                let returned = ident("returned");
                let refused = self.refused(when, &returned, args);
                quote!(#callee let #returned = #call; !(#refused))
            }
        };
        (pointer, body)
    }

    /// Whether the function that frees has refused.
    fn refused(&self, when: &When, returned: &Ident, args: &[TokenStream]) -> TokenStream {
        match when {
            When::Unlisted(successes) => {
                let successes = Self::successes(successes);
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
                let asking = &self.binding.functions[asked.function];
                let callee = self.callee(asking, &ident("asked"), &quote!(binding));
                let passed: Option<Vec<TokenStream>> = asked
                    .args
                    .iter()
                    .map(|arg| match arg {
                        AskArg::Integer(value) => {
                            let value = Literal::i128_unsuffixed(*value);
                            Some(quote!(#value))
                        }
                        AskArg::Param(index) => args.get(*index).cloned(),
                        AskArg::Returned => Some(quote!(#returned)),
                        AskArg::Left(_) | AskArg::Asked(_) => None,
                    })
                    .collect();
                match passed {
                    Some(passed) => quote!({ #callee runtime::Truth::is_true(asked(#(#passed),*)) }),
                    // It cannot be told, so C may still use what it was passed.
                    None => quote!(true),
                }
            }
        }
    }

    pub(super) fn symbol_position(&self, symbol: usize) -> TokenStream {
        let (positions, variant) =
            (ident(&self.binding.tables.positions), ident(&self.types.symbols[symbol].variant));
        quote!(#positions::#variant as usize)
    }
}
