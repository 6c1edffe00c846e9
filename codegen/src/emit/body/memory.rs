//! Memory that C is lent: outputs, buffers, structs, lists of pointers.

use opendyn_model::plan::{Access, Memory, Shape};

use super::{Body, state_layout};
use crate::emit::{ident, ident_after, zero};
use crate::tokens::{TokenStream, quote};

impl Body<'_> {
    pub(super) fn allocate(&mut self, into: usize, memory: &Memory) {
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
    pub(super) fn handle_pointers(&self, into: usize, terminated: bool, nullable: bool) -> TokenStream {
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
}
