//! The target of a compiler, from its predefined macros.

use super::lex::Unit;
use crate::Target;

/// The target of the compiler that preprocessed `unit`; missing facts come from `otherwise`, or from the
/// host.
pub(super) fn of(unit: &Unit<'_>, otherwise: Option<Target>) -> Target {
    let default = otherwise.unwrap_or_else(Target::host);
    let find = |name: &str| unit.macros.iter().find(|found| found.name == name);
    let defined = |name: &str| find(name).is_some();
    let number = |name: &str, default: u64| {
        let body = find(name).and_then(|found| found.body.first());
        body.and_then(|token| token.text.parse().ok()).unwrap_or(default)
    };
    if !defined("__SIZEOF_POINTER__") {
        return default;
    }
    let x86_32 = defined("__i386__");
    Target {
        pointer: number("__SIZEOF_POINTER__", default.pointer),
        long: number("__SIZEOF_LONG__", default.long),
        long_double: number("__SIZEOF_LONG_DOUBLE__", default.long_double),
        wide_char: number("__SIZEOF_WCHAR_T__", default.wide_char),
        char_signed: !defined("__CHAR_UNSIGNED__"),
        align_of_8: if x86_32 && !defined("_WIN32") { 4 } else { 8 },
        has_stdcall: x86_32,
    }
}

/// What the layout of records depends on besides the sizes of types.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// The largest useful alignment of the target.
    pub(super) largest: u64,
    /// Whether an unnamed bit field requires the alignment of its type, as on ARM.
    pub(super) nameless_align: bool,
    /// Whether bit fields use Microsoft's layout: a new unit if the size of the type changes.
    pub(super) windows: bool,
}

impl Rules {
    /// The rules of the compiler that preprocessed `unit`.
    pub(super) fn of(unit: &Unit<'_>) -> Self {
        let defined = |name: &str| unit.macros.iter().any(|found| found.name == name);
        let (windows, arm) = (defined("_WIN32"), defined("__arm__"));
        Self {
            // `__BIGGEST_ALIGNMENT__` is this value on some targets and another one on others.
            largest: if arm { 8 } else { 16 },
            nameless_align: (arm || defined("__aarch64__")) && !windows && !defined("__APPLE__"),
            windows,
        }
    }
}

/// How the two targets differ.
pub(super) fn difference(found: &Target, wanted: &Target) -> Option<String> {
    let sizes = [
        ("a pointer", found.pointer, wanted.pointer),
        ("long", found.long, wanted.long),
        ("wchar_t", found.wide_char, wanted.wide_char),
        ("long double", found.long_double, wanted.long_double),
    ];
    if let Some((what, found, wanted)) = sizes.into_iter().find(|(_, found, wanted)| found != wanted) {
        return Some(format!("{what} has {found} bytes there, not {wanted}"));
    }
    if found.char_signed != wanted.char_signed {
        let sign = if found.char_signed { "is signed" } else { "is unsigned" };
        return Some(format!("char {sign} there"));
    }
    let architecture = if found.has_stdcall { "it is 32-bit x86" } else { "it is not 32-bit x86" };
    (found.has_stdcall != wanted.has_stdcall).then(|| architecture.to_owned())
}
