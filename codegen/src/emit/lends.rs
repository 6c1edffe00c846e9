//! Members of states that hold what a call lends to C.

use opendyn_model::plan::{Body, Function, Lent, LentMember, Record};

use super::{Emitter, ident};
use crate::tokens::{Literal, TokenStream, quote};

impl Emitter<'_> {
    /// Sets the members before the call.
    pub(super) fn fill(&self, function: &Function, state: usize, members: &[LentMember]) -> TokenStream {
        let state = self.operand(function, state);
        let set = members.iter().map(|member| {
            let offset = self.offset(member.record, member.field);
            let value = match member.holds {
                Lent::Pointer => self.operand(function, member.param),
                Lent::Size | Lent::Count | Lent::Left => {
                    let local = ident(&function.params[member.param].ident);
                    quote!(#local)
                }
            };
            quote!(runtime::set_member(#state, #offset, #value);)
        });
        quote!(#(#set)*)
    }

    /// Takes back what C left in them, and sets them to NULL and 0.
    pub(super) fn clear(&self, function: &Function, state: usize, members: &[LentMember]) -> TokenStream {
        let state = self.operand(function, state);
        let clear = members.iter().map(|member| {
            let (offset, local) =
                (self.offset(member.record, member.field), ident(&function.params[member.param].ident));
            let of = self.types.records[member.record].fields().nth(member.field);
            let of = of.map(|field| self.field_type(&field.of));
            let left = quote!(runtime::member::<#of>(#state, #offset));
            let back = match member.holds {
                Lent::Pointer => return quote!(runtime::set_member(#state, #offset, ptr::null_mut::<u8>());),
                Lent::Size => TokenStream::new(),
                Lent::Count => quote!(#local = #left;),
                // More than there was room for wraps, and is refused as a count.
                Lent::Left => quote!(#local = #local.wrapping_sub(#left);),
            };
            quote!(#back runtime::set_member::<#of>(#state, #offset, 0);)
        });
        quote!(#(#clear)*)
    }

    /// The members that the document lists are in the memory of the state.
    pub(super) fn members_fit(&self, record: &Record) -> Option<TokenStream> {
        let Body::State { size, members: Some(members), .. } = &record.body else { return None };
        let members = ident(&self.types.records[*members].ident);
        let message =
            format!("`properties` of `{}` take more bytes than its `x-size`, which is {size}", record.name);
        let size = Literal::u64_unsuffixed(*size);
        Some(quote!(
            const _: () = ::core::assert!(size_of::<#members>() <= #size, #message);
        ))
    }
}
