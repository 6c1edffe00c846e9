//! The static tables through which JSON finds and calls the functions.

use opendyn_model::plan::{Argument, Function, Json, Param, Refusal};

use super::safety::Reason;
use super::{Emitter, ident, raw_json};
use crate::tokens::{TokenStream, quote};

impl Emitter<'_> {
    /// One static per function, one for all of them, and the positions of their symbols.
    pub(super) fn tables(&self) -> TokenStream {
        let binding = self.binding;
        let name = ident(&binding.ident);
        let statics = binding.functions.iter().map(|function| {
            let constant = ident(&function.names.table);
            let value = self.table(function);
            quote!(static #constant: runtime::Function<#name> = #value;)
        });
        let statics: TokenStream = statics.collect();
        let constants = binding.functions.iter().map(|function| ident(&function.names.table));
        let functions = ident(&binding.tables.functions);
        let info = raw_json::literal(&opendyn_model::opentool::info(binding));
        let reason = self.because(Reason::Table);
        let positions = ident(&binding.tables.positions);
        let functions_of_table = binding.functions.iter().map(|function| &function.names.symbol);
        let others = self.types.symbols.iter().map(|symbol| &symbol.variant);
        let symbols = functions_of_table.chain(others).map(|name| ident(name));
        let positions = (!binding.functions.is_empty()).then(|| quote!(enum #positions { #(#symbols),* }));
        quote! {
            #positions
            #reason
            static #functions: runtime::Functions<#name> =
                unsafe { runtime::Functions::new(#info, &[#(&#constants),*]) };
            #statics
        }
    }

    fn table(&self, function: &Function) -> TokenStream {
        let name = &function.name;
        match &function.json {
            Json::Refused(Refusal { reason, questions }) if questions.is_empty() => {
                quote!(runtime::Function::refused(#name, #reason))
            }
            Json::Refused(Refusal { reason, questions }) => {
                quote!(runtime::Function::unanswered(#name, #reason, &[#(#questions),*]))
            }
            Json::Callable(call) => {
                let described = raw_json::literal(&opendyn_model::opentool::function(function, self.types));
                let fields = function.inputs().map(|(param, argument)| self.field(param, argument));
                let thunk = self.thunk(function, call);
                let new = if function.can_be_ended() { quote!(cancellable) } else { quote!(new) };
                quote!(runtime::Function::#new(#name, #described, &[#(#fields),*], #thunk))
            }
        }
    }

    fn field(&self, param: &Param, argument: &Argument) -> TokenStream {
        let key = &param.key;
        let presence = if argument.may_be_left_out() { quote!(optional) } else { quote!(required) };
        let kind = argument.kind.as_ref().map(|kind| self.kind(kind));
        quote!(runtime::Field::#presence(#key, #kind))
    }
}
