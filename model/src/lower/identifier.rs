//! Turns names of the document into Rust identifiers.

use crate::c_type::CType;
use crate::diagnostic::Findings;
use crate::rule::Rule;
use crate::span::Spanned;

/// The longest name: for functions the limit of the specification, for others that of models.
pub(super) const MAX_NAME: usize = 64;

/// Methods that every binding has, including those of `Tool`. A function can become `open`: loading is then
/// `open_library`.
const RESERVED_METHODS: &[&str] = &[
    "open_default",
    "open_library",
    "from_library",
    "library",
    "load",
    "call",
    "call_json",
    "call_into",
    "call_serde",
];

/// Methods that every handle has, or may have.
const RESERVED_HANDLE_METHODS: &[&str] = &["from_ptr", "as_ptr", "clone", "zeroed"];

/// Keywords that cannot be raw identifiers.
const NEVER_RAW: &[&str] = &["self", "Self", "super", "crate", "_"];

/// Keywords of every edition, including reserved ones.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Names that generated code uses in its module, besides the C types.
const USED_NAMES: &[&str] = &[
    "runtime",
    "opendyn",
    "ptr",
    "offset_of",
    "bool",
    "i64",
    "str",
    "u8",
    "u16",
    "usize",
    "AsRef",
    "Box",
    "CStr",
    "CString",
    "Default",
    "Drop",
    "Err",
    "Fn",
    "FnMut",
    "From",
    "None",
    "Ok",
    "Option",
    "Result",
    "Send",
    "Some",
    "String",
    "Sync",
    "Vec",
];

/// `GetX`, `get-x` and `getX` as `get_x`. Snake case stays unchanged.
pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let characters: Vec<char> = name.chars().collect();
    for (index, &character) in characters.iter().enumerate() {
        if !unicode_ident::is_xid_continue(character) {
            snake.push('_');
            continue;
        }
        if character.is_uppercase() {
            let before = index.checked_sub(1).map(|before| characters[before]);
            let follows_word = before.is_some_and(|before| before.is_lowercase() || before.is_numeric());
            // The last capital of a run begins the next word: `HTTPServer` is `http_server`.
            let ends_run = before.is_some_and(char::is_uppercase)
                && characters.get(index + 1).is_some_and(|after| after.is_lowercase());
            if follows_word || ends_run {
                snake.push('_');
            }
        }
        snake.extend(character.to_lowercase());
    }
    snake
}

/// `simple calc` and `simple_calc` as `SimpleCalc`.
pub(super) fn pascal_case(name: &str) -> String {
    let words = name.split(|character: char| character == '_' || !unicode_ident::is_xid_continue(character));
    words.fold(String::new(), |mut pascal, word| {
        let mut characters = word.chars();
        if let Some(first) = characters.next() {
            pascal.extend(first.to_uppercase());
            pascal.push_str(characters.as_str());
        }
        pascal
    })
}

/// `get_x` as `GET_X`. No local has such a name: they are in lower case.
pub(super) fn constant_case(ident: &str) -> String {
    let upper = unraw(ident).to_uppercase();
    if upper.chars().any(char::is_uppercase) { upper } else { upper + "_FN" }
}

/// The static that describes a type to JSON: `Point` as `POINT_STRUCT`, `2d` as `_2D_STRUCT`.
pub(super) fn type_constant(name: &str, suffix: &str) -> String {
    constant_case(&with_start(snake_case(name))) + suffix
}

pub(super) fn unraw(ident: &str) -> &str {
    ident.strip_prefix("r#").unwrap_or(ident)
}

/// Whether `name` is a Rust identifier, plain or raw.
pub(super) fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| unicode_ident::is_xid_start(first) || first == '_')
        && characters.all(unicode_ident::is_xid_continue)
        && name != "_"
        && !NEVER_RAW.contains(&name)
}

/// Whether a type can be called `name`. The module of a binding uses some names for other things.
pub(super) fn is_type_name(name: &str) -> bool {
    is_identifier(name) && !KEYWORDS.contains(&name) && !is_used(name)
}

fn is_used(name: &str) -> bool {
    USED_NAMES.contains(&name) || CType::takes(name)
}

/// The type for a name of the document: `point` as `Point`, `option` as `Option_`.
pub(super) fn for_type(name: &str) -> String {
    let ident = pascal_case(name);
    if is_used(&ident) { ident + "_" } else { ident }
}

/// The identifier for a parameter or a result.
pub(super) fn for_value(name: &str) -> Option<String> {
    raw_if_keyword(with_start(snake_case(name)))
}

/// The identifier for a function.
pub(super) fn for_method(name: &str) -> Option<String> {
    let ident = snake_case(name);
    if is_reserved_method(&ident) {
        return Some(ident + "_");
    }
    raw_if_keyword(with_start(ident))
}

/// The identifier for a function that is a method of a handle.
pub(super) fn for_handle_method(name: &str) -> Option<String> {
    let ident = snake_case(name);
    if RESERVED_HANDLE_METHODS.contains(&ident.as_str()) {
        return Some(ident + "_");
    }
    raw_if_keyword(with_start(ident))
}

/// Whether every handle has, or may have, a method of that name.
pub(super) fn is_reserved_handle_method(ident: &str) -> bool {
    RESERVED_HANDLE_METHODS.contains(&ident)
}

/// Whether every binding has a method of that name.
pub(super) fn is_reserved_method(ident: &str) -> bool {
    RESERVED_METHODS.contains(&ident)
}

/// Makes a keyword raw, or appends an underscore if it cannot be raw.
pub(super) fn raw_if_keyword(ident: String) -> Option<String> {
    if ident != "_" && NEVER_RAW.contains(&ident.as_str()) {
        return Some(ident + "_");
    }
    if !is_identifier(&ident) {
        return None;
    }
    Some(if KEYWORDS.contains(&ident.as_str()) { format!("r#{ident}") } else { ident })
}

/// An identifier cannot begin with a digit: `2d` becomes `_2d`.
pub(super) fn with_start(ident: String) -> String {
    if ident.starts_with(|first: char| first.is_numeric()) { format!("_{ident}") } else { ident }
}

/// The specification allows up to 64 ASCII letters, ASCII digits, `-` and `_`.
pub(super) fn check_function_name(name: &Spanned<String>, findings: &Findings) -> bool {
    let legal = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_');
    check(name, "function", "a-z, A-Z, 0-9, - and _", legal, findings)
}

/// As for functions, plus letters of every script, `.` and `$`. JSON needs no escape for any of them.
pub(super) fn check_value_name(name: &Spanned<String>, what: &str, findings: &Findings) -> bool {
    let legal = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | '$');
    check(name, what, "letters, digits, -, _, . and $", legal, findings)
}

/// The identifier for a parameter, a result or a member. A name that cannot become one is reported.
pub(super) fn of_value(name: &Spanned<String>, what: &str, findings: &Findings) -> Option<String> {
    if !check_value_name(name, what, findings) {
        return None;
    }
    let ident = for_value(&name.value);
    if ident.is_none() {
        report_none(name, what, findings);
    }
    ident
}

/// Reports a name that cannot become an identifier.
pub(super) fn report_none(name: &Spanned<String>, what: &str, findings: &Findings) {
    findings.report(
        Rule::NoIdentifier,
        name.span,
        format!("the {what} name {:?} cannot be turned into a Rust identifier", name.value),
        if what == "function" {
            "give the method a name with the option `rename`"
        } else {
            "use a name with letters"
        },
    );
}

fn check(
    name: &Spanned<String>,
    what: &str,
    allowed: &str,
    legal: impl Fn(char) -> bool,
    findings: &Findings,
) -> bool {
    let Spanned { value, span } = name;
    if let Some(character) = value.chars().find(|character| !legal(*character)) {
        findings.report(
            Rule::IllegalName,
            *span,
            format!("the {what} name {value:?} contains {character:?}"),
            format!("use only {allowed}"),
        );
        return false;
    }
    if value.is_empty() {
        findings.report(
            Rule::IllegalName,
            *span,
            format!("a {what} has an empty name"),
            format!("write a name of {allowed}"),
        );
        return false;
    }
    let length = value.chars().count();
    if length > MAX_NAME {
        findings.report(
            Rule::LongName,
            *span,
            format!("the {what} name has {length} characters; at most {MAX_NAME} are allowed"),
            "shorten it; models refuse longer names",
        );
        return false;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_snake_case() {
        for (name, expected) in [
            ("get-x", "get_x"),
            ("GetX", "get_x"),
            ("getX", "get_x"),
            ("HTTPServer", "http_server"),
            ("sqlite3_open_v2", "sqlite3_open_v2"),
            ("crc32Z", "crc32_z"),
            ("__private__", "__private__"),
            ("ABC", "abc"),
            ("宽度", "宽度"),
            ("a.b$c", "a_b_c"),
        ] {
            assert_eq!(snake_case(name), expected, "{name}");
        }
    }

    #[test]
    fn a_type_that_begins_with_a_digit_has_a_static() {
        for (name, expected) in [("Point", "POINT_STRUCT"), ("2d-x", "_2D_X_STRUCT"), ("1", "_1_FN_STRUCT")] {
            assert_eq!(type_constant(name, "_STRUCT"), expected);
        }
    }

    #[test]
    fn titles_become_pascal_case() {
        for (title, expected) in [
            ("calc", "Calc"),
            ("OpenDyn Mock util", "OpenDynMockUtil"),
            ("a-b_c 2", "ABC2"),
            ("数学 库", "数学库"),
        ] {
            assert_eq!(pascal_case(title), expected, "{title}");
        }
    }

    #[test]
    fn keywords_are_raw_and_reserved_names_get_an_underscore() {
        for (name, expected) in [
            ("type", "r#type"),
            ("Self", "self_"),
            ("self", "self_"),
            ("open", "open"),
            ("open_library", "open_library_"),
            ("Load", "load_"),
            ("gen", "r#gen"),
            ("2d", "_2d"),
            ("new", "new"),
        ] {
            assert_eq!(for_method(name).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(for_value("open").as_deref(), Some("open"));
        assert_eq!(for_value("_"), None);
        assert_eq!(for_method("-"), None);
    }
}
