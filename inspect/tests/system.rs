//! Libraries of the system, with the debug info that Debian has for them.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::expect_used, clippy::panic)]

use opendyn_inspect::debug::{self, Options};
use opendyn_inspect::{Exports, Interface, locate};

fn signature(interface: &Interface, name: &str) -> String {
    let function = interface.function(name).unwrap_or_else(|| panic!("{name} is exported"));
    match &function.signature {
        Ok(signature) => {
            let parameters =
                signature.parameters.iter().map(|parameter| interface.types.spelling(parameter.of));
            let dots = signature.variadic.then(|| "...".to_owned());
            let parameters: Vec<String> = parameters.chain(dots).collect();
            format!("{}({})", interface.types.spelling(signature.returns), parameters.join(", "))
        }
        Err(reason) => reason.clone(),
    }
}

#[test]
#[cfg_attr(no_libc_debug_info, ignore = "needs the package libc6-dbg")]
fn the_mathematical_library_says_what_the_standard_says() {
    let path = locate("libm.so.6").expect("every system has it");
    let interface = debug::read(&path, &Options::default()).expect("libc6-dbg describes it");
    for (name, expected) in [
        ("pow", "double(double, double)"),
        ("sinf", "float(float)"),
        ("cos", "double(double)"),
        ("frexp", "double(double, int *)"),
        ("ldexpl", "long double(long double, int)"),
        ("cexp", "complex of 16 bytes(complex of 16 bytes)"),
        ("nan", "double(const char *)"),
        ("llround", "long long(double)"),
    ] {
        assert_eq!(signature(&interface, name), expected, "{name}");
    }
    let untold: Vec<&str> = interface
        .functions
        .iter()
        .filter(|function| function.signature.is_err())
        .map(|function| function.name.as_str())
        .collect();
    assert!(untold.len() * 10 < interface.functions.len(), "too many have no type: {untold:?}");
}

#[test]
#[cfg_attr(no_libc_debug_info, ignore = "needs the package libc6-dbg")]
fn the_c_library_says_what_the_standard_says() {
    let path = locate("libc.so.6").expect("every system has it");
    let interface = debug::read(&path, &Options::default()).expect("libc6-dbg describes it");
    for (name, expected) in [
        ("printf", "int(const char *, ...)"),
        ("qsort", "void(void *, size_t, size_t, __compar_fn_t)"),
        ("malloc", "void *(size_t)"),
        ("memcpy", "void *(void *, const void *, size_t)"),
        ("strlen", "size_t(const char *)"),
        ("div", "div_t(int, int)"),
        ("getenv", "char *(const char *)"),
        ("abs", "int(int)"),
        ("write", "ssize_t(int, const void *, size_t)"),
    ] {
        assert_eq!(signature(&interface, name), expected, "{name}");
    }
}

#[test]
fn a_name_of_old_programs_alone_is_not_found_by_name() {
    let exports = Exports::read(&locate("libc.so.6").expect("every system has it")).expect("a library");
    let hidden = exports.all().iter().find(|export| !export.default && exports.get(&export.name).is_none());
    let hidden = hidden.expect("glibc keeps names of old programs");
    assert!(!exports.has(&hidden.name));
    assert!(!exports.versions(&hidden.name).is_empty());
    assert!(exports.has("printf"));
}
