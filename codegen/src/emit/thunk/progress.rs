//! Closures that tell a server how far a call is (`progress`).

use opendyn_model::plan::{Callback, CallbackParam, CallbackValue, Progress};

use super::super::Emitter;
use super::arguments::{Slot, Taken};
use crate::tokens::{Ident, TokenStream, format_ident, quote};

impl Emitter<'_> {
    /// A closure that reports its calls to whoever waits. If the callback is optional, and nobody waits, C gets NULL.
    pub(super) fn take_progress(&self, callback: &Callback, progress: &Progress, slot: &Slot<'_>) -> Taken {
        let local = &slot.local;
        let told = format_ident!("{local}_progress");
        let closure = self.reporting(&told, callback, progress);
        let begin = quote!(let #told = runtime::Progress::begin(););
        if !slot.is_optional {
            return Taken { before: begin, ..Taken::plain(closure) };
        }
        let of = self.optional_closure(callback);
        Taken {
            before: quote!(#begin let mut #local = #closure;),
            ..Taken::plain(quote!(if #told.is_awaited() { Some(&mut #local as #of) } else { None }))
        }
    }

    fn reporting(&self, told: &Ident, callback: &Callback, progress: &Progress) -> TokenStream {
        let Progress { done, total, message, answer, stop } = progress;
        let is_told = |index: usize| [done, total, message].contains(&&Some(index));
        let params = callback.params.iter().enumerate().filter_map(|(index, param)| {
            let of = self.closure_param(&param.value)?;
            let name = format_ident!("p{index}");
            Some(if is_told(index) { quote!(#name: #of) } else { quote!(_: #of) })
        });
        let number = |index: &Option<usize>| match index {
            Some(index) => {
                let name = format_ident!("p{index}");
                quote!(Some(runtime::Amount::amount(#name)))
            }
            None => quote!(None),
        };
        let (done, total) = (number(done), number(total));
        let message = match message.map(|index| (index, callback.params.get(index))) {
            Some((index, Some(CallbackParam { value: CallbackValue::Str { nullable, .. }, .. }))) => {
                let name = format_ident!("p{index}");
                if *nullable { quote!(#name) } else { quote!(Some(#name)) }
            }
            _ => quote!(None),
        };
        let report = quote!(#told.report(#done, #total, #message));
        let Some(scalar) = callback.returns else { return quote!(|#(#params),*| { #report; }) };
        let of = self.seen(scalar);
        let answer = self.answer(scalar, answer.as_ref());
        match stop {
            Some(stop) => {
                let stop = self.answer(scalar, Some(stop));
                quote!(|#(#params),*| -> #of { if #report { #answer } else { #stop } })
            }
            None => quote!(|#(#params),*| -> #of { #report; #answer }),
        }
    }
}
