//! The error of a call that took nothing: what the caller gave up comes back.

use std::error::Error;
use std::fmt;

use opentool::ToolError;

use crate::CallError;

/// A call that failed before it took what the caller gave up, such as a handle that C refused to free. Nothing is lost:
/// [`Refused::into_inner`] gives it back.
///
/// With `?` it becomes a [`CallError`]; what was given back is then dropped, which for a handle tries to free it again.
/// Where `?` needs an error that borrows nothing, such as `Box<dyn Error>`, write `.map_err(Refused::into_error)?`.
///
/// ```
/// use opendyn::{CallError, Refused};
///
/// fn close(file: String) -> Result<(), Refused<String>> {
///     Err(Refused::new(CallError::Null { value: "file" }, file))
/// }
///
/// let refused = close("notes".to_owned()).unwrap_err();
/// assert_eq!(refused.error(), &CallError::Null { value: "file" });
/// assert_eq!(refused.into_inner(), "notes");
/// ```
pub struct Refused<T> {
    // Behind a pointer, so that the result of a call that succeeds is small.
    parts: Box<(CallError, T)>,
}

impl<T> Refused<T> {
    /// The error of a call that gives `given` back.
    #[cold]
    #[must_use]
    pub fn new(error: impl Into<CallError>, given: T) -> Self {
        Self { parts: Box::new((error.into(), given)) }
    }

    /// Why the call failed.
    #[must_use]
    pub fn error(&self) -> &CallError {
        &self.parts.0
    }

    /// What the caller gave up.
    #[must_use]
    pub fn inner(&self) -> &T {
        &self.parts.1
    }

    /// What the caller gave up, given back.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.parts.1
    }

    /// Why the call failed. What the caller gave up is dropped, which for a handle tries to free it again.
    #[must_use]
    pub fn into_error(self) -> CallError {
        self.parts.0
    }

    /// The error and what the caller gave up.
    #[must_use]
    pub fn into_parts(self) -> (CallError, T) {
        *self.parts
    }

    /// The function's own code, if it failed with one.
    #[must_use]
    pub fn code(&self) -> Option<i64> {
        self.error().code()
    }

    /// The text of the library, of the system or of the document for the function's own failure.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.error().text()
    }

    /// Whether the function failed with this code, which may be a value of the code type of the binding.
    #[must_use]
    pub fn is(&self, code: impl Into<i64>) -> bool {
        self.error().is(code)
    }
}

impl<T> fmt::Debug for Refused<T> {
    // Omits what was given up, which need not have a `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Refused").field(self.error()).finish()
    }
}

impl<T> fmt::Display for Refused<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error().fmt(f)
    }
}

impl<T> Error for Refused<T> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.error())
    }
}

impl<T> From<Refused<T>> for CallError {
    fn from(refused: Refused<T>) -> Self {
        refused.into_error()
    }
}

impl<T> From<Refused<T>> for ToolError {
    fn from(refused: Refused<T>) -> Self {
        CallError::from(refused).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Codes;
    use crate::FailedCall;

    #[test]
    fn it_says_what_the_call_said_and_gives_back_what_it_was_given() {
        let failed = FailedCall::new(Codes::new(&[])).with_code(5).with_text(Some("busy".to_owned()));
        let refused = Refused::new(failed.clone(), "handle");
        assert_eq!((refused.code(), refused.text()), (Some(5), Some("busy")));
        assert!(refused.is(5) && !refused.is(6));
        assert_eq!(refused.to_string(), "code 5: busy");
        let source = refused.source().and_then(|source| source.downcast_ref::<CallError>());
        assert_eq!(source, Some(&CallError::from(failed.clone())));
        assert_eq!(*refused.inner(), "handle");
        assert_eq!(refused.into_parts(), (CallError::from(failed.clone()), "handle"));
        assert_eq!(CallError::from(Refused::new(failed.clone(), ())), CallError::from(failed));
    }
}
