//! Memory that C takes: the copies, and the functions that allocate them.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{Allocator, Encoding, Memory, Shape, Step, TakenMemory, Text, When};

use super::body::Body;
use super::safety::Reason;
use super::{Emitter, ident, ident_after};
use crate::tokens::{TokenStream, quote};

impl Body<'_> {
    /// Copies an argument to memory of C's allocator.
    pub(super) fn copy_for_c(&mut self, into: usize, taken: TakenMemory) {
        let emitter = self.emitter();
        let param = &self.function.params[into];
        let (name, key, copy) = (self.name(into), &param.key, ident_after(&param.ident, "_memory"));
        let allocate = ident(&emitter.types.allocators[taken.allocator].constant);
        let (free, binding) = (emitter.free(taken.free), self.binding());
        let elements = |given: &TokenStream| match self.shape(into) {
            Some(Shape::Text(Text { encoding: Encoding::Utf16, one_of: None, .. })) => {
                quote!(#given.as_slice_with_nul())
            }
            Some(Shape::Text(Text { one_of: Some(_), .. })) => {
                quote!(#given.as_c_str().to_bytes_with_nul())
            }
            // A `&str` has its NUL by now.
            Some(Shape::Text(_) | Shape::Str(_)) => quote!(#given.to_bytes_with_nul()),
            Some(Shape::Units { encoding: Encoding::Utf8 | Encoding::Utf8Lossy, .. }) => {
                quote!(#given.as_bytes())
            }
            _ => quote!(&#given[..]),
        };
        let made = |given: &TokenStream| {
            let elements = elements(given);
            quote!(runtime::TakenMemory::copy(#key, #binding, #allocate, #free, #elements))
        };
        let statement = if self.is_optional(into) {
            let made = made(&quote!(given));
            quote!(let mut #copy = #name.map(|given| #made).transpose()?;)
        } else {
            let made = made(&quote!(#name));
            quote!(let mut #copy = #made?;)
        };
        self.push_unsafe(statement);
    }

    /// C owns a copy from now on, unless the call failed.
    pub(super) fn passed(&mut self, param: usize, failed: Option<&When>) {
        self.bind();
        let copy = ident_after(&self.function.params[param].ident, "_memory");
        let taken = if self.is_optional(param) {
            quote!(if let Some(given) = &mut #copy { given.taken(); })
        } else {
            quote!(#copy.taken();)
        };
        let taken = self.unless(failed, taken);
        self.push(taken);
    }
}

impl Emitter<'_> {
    /// One constant for each allocator that is used.
    pub(super) fn allocators(&self) -> TokenStream {
        let steps = self.binding.functions.iter().flat_map(|function| &function.steps);
        let mut used = vec![false; self.types.allocators.len()];
        for step in steps {
            if let Step::Allocate { memory: Memory::Taken(taken), .. } = step {
                used[taken.allocator] = true;
            }
        }
        let used = self.types.allocators.iter().zip(used).filter(|(_, used)| *used);
        used.map(|(allocator, _)| self.allocator(allocator)).collect()
    }

    fn allocator(&self, allocator: &Allocator) -> TokenStream {
        let (constant, of) = (ident(&allocator.constant), ident(&self.binding.ident));
        let (position, void) = (self.symbol_position(allocator.symbol), self.c_type(CType::Void));
        let body = if self.types.symbols[allocator.symbol].is_variable {
            quote! {
                let variable: *const Option<unsafe extern "C" fn(usize) -> *mut #void> =
                    binding.library.symbol(#position);
                variable.read().map_or(ptr::null_mut(), |allocate| allocate(size))
            }
        } else {
            quote! {
                let allocate: unsafe extern "C" fn(usize) -> *mut #void = binding.library.symbol(#position);
                allocate(size)
            }
        };
        let reason = self.because(Reason::Allocate);
        quote! {
            #reason
            const #constant: runtime::AllocateFn = |binding, size| unsafe {
                let binding = &*binding.cast::<#of>();
                #body
            };
        }
    }
}
