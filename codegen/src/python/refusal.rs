//! Why a script cannot call a function.

/// The reason, for the user.
pub(super) type Refusal = String;

pub(super) fn handle(key: &str, name: &str) -> Refusal {
    outlives_call(key, &format!("handle of `{name}`"))
}

pub(super) fn state(key: &str, name: &str) -> Refusal {
    outlives_call(key, &format!("state of `{name}`"))
}

fn outlives_call(key: &str, what: &str) -> Refusal {
    format!("`{key}` is a {what}, which lives across calls: a script makes one call and keeps nothing")
}

pub(super) fn variadic() -> Refusal {
    "it takes a variable number of arguments (`...`), which `ctypes` cannot pass safely".to_owned()
}

pub(super) fn room(key: &str) -> Refusal {
    format!("the document does not say how large the buffer `{key}` must be (`x-length`)")
}

pub(super) fn pointee(key: &str) -> Refusal {
    format!("the document does not say what `{key}` points to (`x-handle`)")
}

pub(super) fn failure() -> Refusal {
    "the library tells why it failed (`x-error`), which a script cannot ask it".to_owned()
}
