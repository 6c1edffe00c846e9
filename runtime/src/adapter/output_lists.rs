//! Arrays of tokens in the arguments and results of a call.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use super::fault::Fault;
use super::output::Output;
use super::to_serde::Owned;
use crate::free::Free;
use crate::handle::Parts;
use crate::handles::{Given, HandleType};

/// The tokens of single handles and of arrays of handles, which a result lives in.
#[must_use]
pub fn tokens<'a>(single: &[&'a CStr], lists: &[Vec<Option<&'a CStr>>]) -> Vec<&'a CStr> {
    single.iter().copied().chain(lists.iter().flatten().copied().flatten()).collect()
}

impl Output<'_> {
    /// The pointers for `tokens`, the elements of the argument `name`; NULL elements are `None`. `Some(None)` if the
    /// argument is absent. `None` is an error of the call.
    pub fn handles(
        &mut self,
        name: &'static str,
        tokens: Option<Vec<Option<&CStr>>>,
        of: &'static HandleType,
    ) -> Option<Option<Vec<Option<NonNull<c_void>>>>> {
        let Some(tokens) = tokens else { return Some(None) };
        let mut pointers = Vec::with_capacity(tokens.len());
        for (index, token) in tokens.into_iter().enumerate() {
            pointers.push(self.element(name, index, token, of)?);
        }
        Some(Some(pointers))
    }

    /// Refuses `pointer`, the argument `other`, among the elements of the argument `name`. `None` is an error of the call.
    pub fn apart(
        &mut self,
        name: &'static str,
        pointers: Option<&[Option<NonNull<c_void>>]>,
        other: &'static str,
        pointer: Option<NonNull<c_void>>,
    ) -> Option<()> {
        let is_other = |element: &Option<NonNull<c_void>>| element.is_some() && *element == pointer;
        let found = pointers.and_then(|pointers| pointers.iter().position(is_other));
        let Some(index) = found else { return Some(()) };
        let fault = Fault::new(format!("the same handle as `{other}`"));
        self.fail(fault.inside(index).inside(name).into());
        None
    }

    /// Adds an array of tokens for handles from C that the caller owns, `None` for NULL. `parents` are the tokens of the
    /// handles that they live in.
    pub fn put_handles(
        &mut self,
        name: &'static str,
        handles: impl Iterator<Item = Option<Parts>>,
        of: &'static HandleType,
        free: Free,
        parents: &[&CStr],
    ) {
        let given = handles.map(|parts| parts.map(|parts| Given::Owned { parts, free }));
        self.put_tokens(name, given, of, parents);
    }

    /// Adds an array of tokens for handles that C owns, and that are valid as long as their parents. NULL is null.
    pub fn put_all_borrowed(
        &mut self,
        name: &'static str,
        pointers: impl Iterator<Item = *mut c_void>,
        of: &'static HandleType,
        parents: &[&CStr],
    ) {
        let given = pointers.map(|pointer| {
            NonNull::new(pointer).map(|pointer| Given::Borrowed { pointer, until: Vec::new() })
        });
        self.put_tokens(name, given, of, parents);
    }

    fn put_tokens(
        &mut self,
        name: &'static str,
        given: impl Iterator<Item = Option<Given>>,
        of: &'static HandleType,
        parents: &[&CStr],
    ) {
        // Also if the call has failed: the table frees the handles later.
        let tokens: Vec<Owned> = given
            .map(|given| match given {
                Some(given) => self.token_for(name, given, of, parents).map_or(Owned::Null, Owned::Text),
                None => Owned::Null,
            })
            .collect();
        if self.error.is_none() {
            self.owned(name, Owned::List(tokens));
        }
    }
}
