//! Arrays of tokens in the arguments and results of a call.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use super::fault::Fault;
use super::output::Output;
use super::to_serde::Owned;
use crate::free::Free;
use crate::handle::Parts;
use crate::handles::{Given, HandleType, TakenBy};

/// Tokens among the arguments of a call: of single handles, and of arrays of handles.
pub type GivenTokens<'a> = (&'a [Option<&'a CStr>], &'a [Option<Vec<Option<&'a CStr>>>]);

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

    /// As [`Output::handles`], for handles that C takes. `others` and `lists` are the other handles that C is passed.
    pub fn passable_handles(
        &mut self,
        name: &'static str,
        tokens: Option<Vec<Option<&CStr>>>,
        of: &'static HandleType,
        by: TakenBy<Option<&CStr>>,
        (others, lists): GivenTokens<'_>,
    ) -> Option<Option<Vec<Option<NonNull<c_void>>>>> {
        let Some(tokens) = tokens else { return Some(None) };
        let Some(handles) = self.handles else { return self.handles(name, Some(tokens), of) };
        let owned = |token: &CStr| token.to_string_lossy().into_owned();
        let tokens: Vec<Option<String>> = tokens.into_iter().map(|token| token.map(owned)).collect();
        let tokens: Vec<Option<&str>> = tokens.iter().map(Option::as_deref).collect();
        let others = others.iter().chain(lists.iter().flatten().flatten()).flatten();
        let others: Vec<String> = others.map(|other| owned(other)).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let owner = match by {
            TakenBy::Handle(owner) => owner.map(owned),
            TakenBy::C | TakenBy::Result => None,
        };
        let by = match (by, owner.as_deref()) {
            (TakenBy::Result, _) => TakenBy::Result,
            (TakenBy::Handle(_), Some(owner)) => TakenBy::Handle(owner),
            (TakenBy::Handle(_), None) | (TakenBy::C, _) => TakenBy::C,
        };
        match handles.check_pass_all(&tokens, of, by, &others) {
            Ok(pointers) => Some(Some(pointers)),
            Err((index, error)) => {
                self.fail(Fault::new(error.to_string()).inside(index).inside(name).into());
                None
            }
        }
    }

    /// C has taken the handles behind the tokens of an array in a call of `function`: for good, or into the handle behind
    /// `into`.
    pub fn pass_handles(&mut self, tokens: Option<Vec<Option<&CStr>>>, into: Option<&CStr>, function: &str) {
        for token in tokens.into_iter().flatten().flatten() {
            self.pass_handle(Some(token), into, function);
        }
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
