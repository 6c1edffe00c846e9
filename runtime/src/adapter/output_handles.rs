//! Tokens in the arguments and results of a call. Only thunks of functions with handles call this.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use opentool::ToolError;

use super::datum::Datum;
use super::fault::Fault;
use super::output::Output;
use crate::free::Free;
use crate::handles::{Entered, HandleError, HandleType, Handles};

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

    /// Invalidates `token`, the argument `name`, whose handle the call frees. It must come last, when
    /// nothing else can refuse the call. `None` is an error of the call.
    pub fn take_handle(
        &mut self,
        name: &'static str,
        token: Option<&CStr>,
        of: &'static HandleType,
    ) -> Option<()> {
        self.look_up(name, token, |handles, token| handles.take(token, of)).map(drop)
    }

    /// Adds a token for a handle from C; with `free` it is owned. `parent` is the token of the handle
    /// that it lives in. NULL is an error of the call.
    pub fn put_handle(
        &mut self,
        name: &'static str,
        pointer: *mut c_void,
        of: &'static HandleType,
        free: Option<Free>,
        parent: Option<&CStr>,
    ) {
        let Some(pointer) = NonNull::new(pointer) else {
            return self.fail(ToolError::call_failed(format!("`{name}` is a NULL pointer")));
        };
        let Some(handles) = self.handles else {
            return self.fail(ToolError::call_failed(format!("`{name}` is a handle; {NO_HANDLES}")));
        };
        let parent = parent.map(CStr::to_string_lossy);
        // Also if the call has failed: the table frees the handle later.
        let token = handles.insert(pointer, of, free, parent.as_deref());
        self.datum(name, Datum::Text(&token));
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

    fn look_up(
        &mut self,
        name: &'static str,
        token: Option<&CStr>,
        find: impl FnOnce(&Handles, &str) -> Result<NonNull<c_void>, HandleError>,
    ) -> Option<Option<NonNull<c_void>>> {
        let Some(token) = token else { return Some(None) };
        let found = match self.handles {
            Some(handles) => {
                find(handles, &token.to_string_lossy()).map_err(|error| Fault::new(error.to_string()))
            }
            None => Err(Fault::new(NO_HANDLES)),
        };
        found.map(Some).map_err(|fault| self.fail(fault.inside(name).into())).ok()
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
    unsafe fn free(_: *const (), _: *mut c_void) {}

    fn pointer(n: usize) -> NonNull<c_void> {
        NonNull::new(std::ptr::without_provenance_mut(n)).expect("not NULL")
    }

    #[test]
    fn a_token_leads_back_to_its_pointer_until_it_is_taken() {
        let handles = Handles::new();
        let token = handles.insert(pointer(8), &FILE, Some(Free::By(free)), None);
        let token = std::ffi::CString::new(token).expect("no NUL");
        let seen = reply(Some(&handles), |out| {
            assert_eq!(out.handle("f", Some(&token), &FILE), Some(Some(pointer(8))));
            assert_eq!(out.handle("f", None, &FILE), Some(None));
            assert_eq!(out.freeable_handle("f", None, &FILE), Some(None));
            assert_eq!(out.freeable_handle("f", Some(&token), &FILE), Some(Some(pointer(8))));
            assert_eq!(out.take_handle("f", None, &FILE), Some(()));
            assert_eq!(out.take_handle("f", Some(&token), &FILE), Some(()));
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
        let token = std::ffi::CString::new(handles.insert(pointer(8), &FILE, None, None)).expect("no NUL");
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
        let put = |out: &mut Output<'_>| out.put_handle("f", pointer(8).as_ptr(), &FILE, None, None);
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

        let null = reply(Some(&handles), |out| out.put_handle("f", std::ptr::null_mut(), &FILE, None, None));
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
