//! Tokens in the arguments and results of a call. Only thunks of functions with handles call this.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use opentool::ToolError;

use super::datum::Datum;
use super::fault::Fault;
use super::output::Output;
use super::output_lists::GivenTokens;
use crate::free::{Captured, Free};
use crate::handle::{Keep, Parts};
use crate::handles::{Entered, Given, HandleError, HandleType, Handles, TakenBy};

impl<'o> Output<'o> {
    /// Begins a call with handles. `own` is the table of the binding, which is used if the caller has
    /// none. While the guard lives, no other call frees a handle. `None` is an error of the call.
    pub fn enter(&mut self, own: &'o Handles) -> Option<Entered<'o>> {
        let handles = *self.handles.get_or_insert(own);
        self.check(handles.enter(own))
    }

    /// The pointer for `token`, the argument `name`; `Some(None)` if the argument is absent. `None` is an error of the
    /// call.
    pub fn handle(
        &mut self,
        name: &'static str,
        token: Option<&CStr>,
        of: &'static HandleType,
    ) -> Option<Option<NonNull<c_void>>> {
        self.look_up(name, token, |handles, token| handles.get(token, of))
    }

    /// As [`Output::handle`], for a handle that the call may free.
    pub fn freeable_handle(
        &mut self,
        name: &'static str,
        token: Option<&CStr>,
        of: &'static HandleType,
    ) -> Option<Option<NonNull<c_void>>> {
        self.look_up(name, token, |handles, token| handles.check_take(token, of))
    }

    /// Invalidates `token`, the argument `name`, whose handle the call has freed. Returns what the handle kept, which is
    /// dropped when the results are copied; `None` is an error of the call.
    pub fn take_handle(
        &mut self,
        name: &'static str,
        token: Option<&CStr>,
        of: &'static HandleType,
    ) -> Option<Vec<Keep>> {
        self.look_up(name, token, |handles, token| handles.remove(token, of)).map(Option::unwrap_or_default)
    }

    /// As [`Output::handle`], for a handle that C takes: with `into`, it lives in that handle from now on. `others` are
    /// the other handles that C is passed.
    pub fn passable_handle(
        &mut self,
        name: &'static str,
        token: Option<&CStr>,
        of: &'static HandleType,
        into: Option<&CStr>,
        others: &[Option<&CStr>],
    ) -> Option<Option<NonNull<c_void>>> {
        let others: Vec<_> = others.iter().flatten().map(|other| other.to_string_lossy()).collect();
        let others: Vec<&str> = others.iter().map(|other| &**other).collect();
        let into = into.map(CStr::to_string_lossy);
        let by = into.as_deref().map_or(TakenBy::C, TakenBy::Handle);
        self.look_up(name, token, |handles, token| handles.check_pass(token, of, by, &others))
    }

    /// As [`Output::passable_handle`], for a handle that lives in the result from now on.
    pub fn handle_for_result(
        &mut self,
        name: &'static str,
        token: Option<&CStr>,
        of: &'static HandleType,
        others: &[Option<&CStr>],
    ) -> Option<Option<NonNull<c_void>>> {
        let others: Vec<_> = others.iter().flatten().map(|other| other.to_string_lossy()).collect();
        let others: Vec<&str> = others.iter().map(|other| &**other).collect();
        self.look_up(name, token, |handles, token| handles.check_pass(token, of, TakenBy::Result, &others))
    }

    /// Refuses other arguments that live in the handle behind `token`, the argument `name`, which ends with the call. With
    /// `function`, only what was borrowed from it until that function is called ends. `None` is an error of the call.
    pub fn outside(
        &mut self,
        name: &'static str,
        token: Option<&CStr>,
        function: Option<&str>,
        single: &[Option<&CStr>],
        lists: &[Option<Vec<Option<&CStr>>>],
    ) -> Option<()> {
        let (Some(handles), Some(token)) = (self.handles, token) else { return Some(()) };
        let in_lists = lists.iter().flatten().flatten();
        let others = single.iter().chain(in_lists).flatten().map(|other| other.to_string_lossy());
        let outside = handles.check_outside(&token.to_string_lossy(), function, others);
        let outside = outside.map_err(|error| Fault::new(error.to_string()));
        outside.map_err(|fault| self.fail(fault.inside(name).into())).ok()
    }

    /// The further arguments that the handle behind `token` is freed with.
    #[must_use]
    pub fn captured(&self, token: Option<&CStr>) -> Captured {
        match (self.handles, token) {
            (Some(handles), Some(token)) => handles.captured(&token.to_string_lossy()),
            _ => Captured::default(),
        }
    }

    /// The handles of type `of` in which the one behind `token` lives. Nothing frees them while the call is entered.
    #[must_use]
    pub fn ancestors(&self, token: Option<&CStr>, of: &'static HandleType) -> Vec<NonNull<c_void>> {
        match (self.handles, token) {
            (Some(handles), Some(token)) => handles.ancestors(&token.to_string_lossy(), of),
            _ => Vec::new(),
        }
    }

    /// C has taken the handle behind `token` in a call of `function`: for good, or into the handle behind `into`.
    pub fn pass_handle(&mut self, token: Option<&CStr>, into: Option<&CStr>, function: &str) {
        if let (Some(handles), Some(token)) = (self.handles, token) {
            let into = into.map(CStr::to_string_lossy);
            handles.pass(&token.to_string_lossy(), into.as_deref(), function);
        }
    }

    /// Adds a token for a handle from C that the caller owns. `parents` are the tokens of the handles that it lives in.
    pub fn put_handle(
        &mut self,
        name: &'static str,
        parts: Parts,
        of: &'static HandleType,
        free: Free,
        parents: &[&CStr],
    ) {
        self.put_given(name, Given::Owned { parts, free }, of, parents);
    }

    /// As [`Output::put_handle`], for a handle that owns from now on what C has taken in a call of `function`: the handles
    /// behind `taken` and those of the arrays `lists`.
    pub fn put_owner(
        &mut self,
        name: &'static str,
        (parts, free): (Parts, Free),
        of: &'static HandleType,
        parents: &[&CStr],
        (taken, lists): GivenTokens<'_>,
        function: &str,
    ) {
        let Some(token) = self.token_for(name, Given::Owned { parts, free }, of, parents) else { return };
        if let Some(handles) = self.handles {
            for child in taken.iter().chain(lists.iter().flatten().flatten()).flatten() {
                handles.pass(&child.to_string_lossy(), Some(&token), function);
            }
        }
        self.datum(name, Datum::Text(&token));
    }

    /// Adds a token for a handle that C owns, and that is valid as long as its parents, or until one of these functions
    /// is called with one of them. NULL is an error of the call.
    pub fn put_borrowed(
        &mut self,
        name: &'static str,
        pointer: *mut c_void,
        of: &'static HandleType,
        parents: &[&CStr],
        until: &[&str],
    ) {
        match NonNull::new(pointer) {
            Some(pointer) => self.put_given(
                name,
                Given::Borrowed { pointer, until: until.iter().map(|&end| end.to_owned()).collect() },
                of,
                parents,
            ),
            None => self.fail(ToolError::call_failed(format!("`{name}` is a NULL pointer"))),
        }
    }

    fn put_given(&mut self, name: &'static str, given: Given, of: &'static HandleType, parents: &[&CStr]) {
        // Also if the call has failed: the table frees the handle later.
        if let Some(token) = self.token_for(name, given, of, parents) {
            self.datum(name, Datum::Text(&token));
        }
    }

    /// The token for a handle from C. `None` is an error of the call.
    pub(super) fn token_for(
        &mut self,
        name: &'static str,
        given: Given,
        of: &'static HandleType,
        parents: &[&CStr],
    ) -> Option<String> {
        let Some(handles) = self.handles else {
            self.fail(ToolError::call_failed(format!("`{name}` is a handle; {NO_HANDLES}")));
            return None;
        };
        let parents: Vec<_> = parents.iter().map(|parent| parent.to_string_lossy()).collect();
        let parents: Vec<&str> = parents.iter().map(|parent| &**parent).collect();
        Some(handles.insert(given, of, &parents))
    }

    /// The pointer for the token of the element at `index` of the argument `name`; `Some(None)` for NULL. `None` is an
    /// error of the call.
    pub(super) fn element(
        &mut self,
        name: &'static str,
        index: usize,
        token: Option<&CStr>,
        of: &'static HandleType,
    ) -> Option<Option<NonNull<c_void>>> {
        let found = self.found(token, |handles, token| handles.get(token, of));
        found.map_err(|fault| self.fail(fault.inside(index).inside(name).into())).ok()
    }

    /// Ends what was borrowed from the handle behind `token`, the argument `name`, until `function` is called with it. `None`
    /// is an error of the call: an owned handle lives in what would end.
    pub fn end_children(&mut self, name: &'static str, token: Option<&CStr>, function: &str) -> Option<()> {
        self.look_up(name, token, |handles, token| handles.end_children(token, function)).map(drop)
    }

    /// The handle behind `keeper` uses the one behind `kept`, and so lives no longer.
    pub fn adopt(&mut self, keeper: Option<&CStr>, kept: Option<&CStr>) {
        if let (Some(handles), Some(keeper), Some(kept)) = (self.handles, keeper, kept) {
            handles.adopt(&keeper.to_string_lossy(), &kept.to_string_lossy());
        }
    }

    /// Refuses the same handle for two arguments. `None` is an error of the call.
    pub fn distinct(&mut self, names: &[&'static str], pointers: &[Option<NonNull<c_void>>]) -> Option<()> {
        for (index, pointer) in pointers.iter().enumerate().filter(|(_, pointer)| pointer.is_some()) {
            if let Some(first) = pointers[..index].iter().position(|earlier| earlier == pointer) {
                let (name, first) = (names.get(index).copied(), names.get(first).copied());
                let message = format!("the same handle as `{}`", first.unwrap_or_default());
                self.fail(Fault::new(message).inside(name.unwrap_or_default()).into());
                return None;
            }
        }
        Some(())
    }

    fn look_up<T>(
        &mut self,
        name: &'static str,
        token: Option<&CStr>,
        find: impl FnOnce(&Handles, &str) -> Result<T, HandleError>,
    ) -> Option<Option<T>> {
        let found = self.found(token, find);
        found.map_err(|fault| self.fail(fault.inside(name).into())).ok()
    }

    fn found<T>(
        &self,
        token: Option<&CStr>,
        find: impl FnOnce(&Handles, &str) -> Result<T, HandleError>,
    ) -> Result<Option<T>, Fault> {
        let Some(token) = token else { return Ok(None) };
        match self.handles {
            Some(handles) => find(handles, &token.to_string_lossy())
                .map(Some)
                .map_err(|error| Fault::new(error.to_string())),
            None => Err(Fault::new(NO_HANDLES)),
        }
    }
}

const NO_HANDLES: &str = "this binding has no handles";

#[cfg(test)]
mod tests {
    use super::*;

    static FILE: HandleType = HandleType::new("file");
    static LINE: HandleType = HandleType::new("line");

    /// The reply of a call that runs `act`, or its error.
    fn reply<T>(handles: Option<&Handles>, act: impl FnOnce(&mut Output<'_>) -> T) -> Result<String, String> {
        let mut out = Vec::new();
        let mut output = Output::json(&mut out, handles);
        act(&mut output);
        output.finish().map_err(|error| error.to_string())?;
        Ok(String::from_utf8(out).expect("JSON is text"))
    }

    /// Frees nothing.
    unsafe fn free(_: *const (), _: *mut c_void, _: &[u64]) -> bool {
        true
    }

    fn owned(n: usize) -> Given {
        let parts = Parts { pointer: pointer(n), kept: Vec::new(), captured: Box::default() };
        Given::Owned { parts, free: Free::By(free) }
    }

    fn pointer(n: usize) -> NonNull<c_void> {
        NonNull::new(std::ptr::without_provenance_mut(n)).expect("not NULL")
    }

    #[test]
    fn a_token_leads_back_to_its_pointer_until_it_is_taken() {
        let handles = Handles::new();
        let token = handles.insert(owned(8), &FILE, &[]);
        let token = std::ffi::CString::new(token).expect("no NUL");
        let seen = reply(Some(&handles), |out| {
            assert_eq!(out.handle("f", Some(&token), &FILE), Some(Some(pointer(8))));
            assert_eq!(out.handle("f", None, &FILE), Some(None));
            assert_eq!(out.freeable_handle("f", None, &FILE), Some(None));
            assert_eq!(out.freeable_handle("f", Some(&token), &FILE), Some(Some(pointer(8))));
            assert!(out.take_handle("f", None, &FILE).is_some_and(|kept| kept.is_empty()));
            assert!(out.take_handle("f", Some(&token), &FILE).is_some_and(|kept| kept.is_empty()));
        });
        assert_eq!(seen.as_deref(), Ok("{}"));
        let gone = reply(Some(&handles), |out| assert_eq!(out.handle("f", Some(&token), &FILE), None));
        assert!(
            gone.is_err_and(|error| error.starts_with("invalid arguments: /f: ") && error.contains("freed"))
        );
    }

    #[test]
    fn a_wrong_token_is_an_invalid_argument() {
        let handles = Handles::new();
        let token = std::ffi::CString::new(handles.insert(owned(8), &FILE, &[])).expect("no NUL");
        let other = reply(Some(&handles), |out| out.handle("l", Some(&token), &LINE));
        assert!(
            other
                .is_err_and(|error| error.contains("/l: ") && error.contains("one of type `line` is needed"))
        );
        let made_up = reply(Some(&handles), |out| out.take_handle("f", Some(c"x"), &FILE));
        assert_eq!(
            made_up,
            Err("invalid arguments: /f: \"x\" is not a handle that this tool gave out".to_owned())
        );
        let without = reply(None, |out| out.handle("f", Some(&token), &FILE));
        assert_eq!(without, Err("invalid arguments: /f: this binding has no handles".to_owned()));
    }

    #[test]
    fn a_handle_is_put_as_a_token_even_where_the_call_has_failed() {
        let handles = Handles::new();
        let put = |out: &mut Output<'_>| out.put_borrowed("f", pointer(8).as_ptr(), &FILE, &[], &[]);
        let text = reply(Some(&handles), put).expect("a token");
        let token = text.strip_prefix(r#"{"f":""#).and_then(|rest| rest.strip_suffix(r#""}"#)).expect(&text);
        assert_eq!(handles.get(token, &FILE), Ok(pointer(8)));

        let handles = Handles::new();
        let failed = reply(Some(&handles), |out| {
            out.put("x", f64::NAN);
            put(out);
        });
        assert!(failed.is_err());
        assert_eq!(handles.len(), 1, "it can be freed in the end");

        let null = reply(Some(&handles), |out| out.put_borrowed("f", std::ptr::null_mut(), &FILE, &[], &[]));
        assert_eq!(null, Err("the call failed: `f` is a NULL pointer".to_owned()));
        assert!(reply(None, put).is_err());
    }

    #[test]
    fn one_handle_for_two_arguments_is_refused() {
        let names = ["a", "b", "c"];
        let apart = [Some(pointer(8)), None, None];
        assert_eq!(reply(None, |out| out.distinct(&names, &apart)).as_deref(), Ok("{}"));
        let twice = [Some(pointer(8)), Some(pointer(16)), Some(pointer(8))];
        assert_eq!(
            reply(None, |out| assert_eq!(out.distinct(&names, &twice), None)),
            Err("invalid arguments: /c: the same handle as `a`".to_owned())
        );
    }
}
