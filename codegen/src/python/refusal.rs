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

pub(super) fn init() -> Refusal {
    "the library must be initialized before a call (`x-init`), which a script does not do".to_owned()
}

pub(super) fn room(key: &str) -> Refusal {
    format!("the document does not say how large the buffer `{key}` must be (`x-length`)")
}

pub(super) fn pointee(key: &str) -> Refusal {
    format!("the document does not say what `{key}` points to (`x-handle`)")
}

pub(super) fn kept(key: &str) -> Refusal {
    format!("C keeps `{key}` after the call (`x-keeps`): a script makes one call and keeps nothing")
}

pub(super) fn taken(key: &str) -> Refusal {
    format!("C frees `{key}` itself (`x-takes`), for which scripts have no code")
}

pub(super) fn free() -> Refusal {
    "a result is freed with further arguments, or through a variable (`x-free`), which a script does not do"
        .to_owned()
}

pub(super) fn failure() -> Refusal {
    "the library tells why it failed (`x-error`), which a script cannot ask it".to_owned()
}

pub(super) fn length() -> Refusal {
    "a length (`x-length`) is a product, is in an output of a call or ends at a zero: scripts have no code for it"
        .to_owned()
}

pub(super) fn calls(key: &str) -> Refusal {
    format!("the calls of `{key}` are collected (`collect`), which a script cannot do")
}

pub(super) fn progress(key: &str) -> Refusal {
    format!("`{key}` tells how far a call is (`progress`), which a script cannot pass on")
}

pub(super) fn limits() -> Refusal {
    "a value has limits (`minimum`, `maximum` or `x-maxLength`), which a script does not check".to_owned()
}

pub(super) fn member(key: &str) -> Refusal {
    format!(
        "the member `{key}` is a bit field or a union, or points to elements or to a struct: scripts have no code for it"
    )
}

pub(super) fn odd() -> Refusal {
    "a value is a complex number, a union or a struct with bit fields, for which scripts have no code"
        .to_owned()
}

pub(super) fn null_elements() -> Refusal {
    "an array has NULL among its elements, for which scripts have no code".to_owned()
}
