//! The spelling of basic types: compilers write `long unsigned int`, other languages write `u32`, and the
//! model has one spelling for each.

use crate::target::Target;
use crate::types::Integer;

/// An integer type that debug info calls `name`.
pub(super) fn integer(name: &str, size: u64, signed: bool, target: &Target) -> Integer {
    let spelling = c_spelling(name).unwrap_or_else(|| by_size(size, signed, target));
    Integer { size, signed, spelling }
}

/// A value of this type. Debug info often stores it as unsigned.
pub(super) fn with_sign(value: i128, of: &Integer) -> i128 {
    if !of.signed || !(1..=8).contains(&of.size) {
        return value;
    }
    let range = 1i128 << (of.size * 8);
    if (range / 2..range).contains(&value) { value - range } else { value }
}

/// The standard spelling of a C type; `None` for a name that is not one of C.
fn c_spelling(name: &str) -> Option<String> {
    if matches!(name, "wchar_t" | "char8_t" | "char16_t" | "char32_t") {
        return Some(name.to_owned());
    }
    let (mut signed, mut unsigned, mut longs) = (false, false, 0);
    let mut base = None;
    for word in name.split_ascii_whitespace() {
        match word {
            "signed" => signed = true,
            "unsigned" => unsigned = true,
            "long" => longs += 1,
            "short" | "char" | "__int128" => base = Some(word),
            "int" => {}
            _ => return None,
        }
    }
    let base = match (base, longs) {
        (Some(base), 0) => base,
        (None, 0) => "int",
        (None, 1) => "long",
        (None, 2) => "long long",
        _ => return None,
    };
    Some(match (unsigned, signed && base == "char") {
        (true, _) => format!("unsigned {base}"),
        (false, true) => "signed char".to_owned(),
        (false, false) => base.to_owned(),
    })
}

fn by_size(size: u64, signed: bool, target: &Target) -> String {
    let base = match size {
        1 if signed => return "signed char".to_owned(),
        1 => "char",
        2 => "short",
        4 => "int",
        8 if target.long == 8 => "long",
        8 => "long long",
        16 => "__int128",
        _ => return format!("{}integer of {size} bytes", if signed { "" } else { "unsigned " }),
    };
    if signed { base.to_owned() } else { format!("unsigned {base}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_without_a_sign_gets_that_of_its_type() {
        let target = Target::of_triple("x86_64-unknown-linux-gnu").expect("a target");
        let (int, unsigned) = (integer("int", 4, true, &target), integer("unsigned", 4, false, &target));
        assert_eq!(with_sign(0xffff_fffe, &int), -2);
        assert_eq!(with_sign(-2, &int), -2);
        assert_eq!(with_sign(200, &int), 200);
        assert_eq!(with_sign(0xffff_fffe, &unsigned), 0xffff_fffe);
    }

    #[test]
    fn the_spelling_is_the_standard_one() {
        let target = Target::of_triple("x86_64-unknown-linux-gnu").expect("a target");
        for (name, size, signed, expected) in [
            ("long unsigned int", 8, false, "unsigned long"),
            ("long int", 8, true, "long"),
            ("long long unsigned int", 8, false, "unsigned long long"),
            ("short int", 2, true, "short"),
            ("short unsigned int", 2, false, "unsigned short"),
            ("unsigned int", 4, false, "unsigned int"),
            ("unsigned", 4, false, "unsigned int"),
            ("int", 4, true, "int"),
            ("char", 1, true, "char"),
            ("signed char", 1, true, "signed char"),
            ("unsigned char", 1, false, "unsigned char"),
            ("__int128 unsigned", 16, false, "unsigned __int128"),
            ("u32", 4, false, "unsigned int"),
            ("isize", 8, true, "long"),
            ("integer(kind=4)", 4, true, "int"),
            ("wchar_t", 4, true, "wchar_t"),
        ] {
            assert_eq!(integer(name, size, signed, &target).spelling, expected, "{name}");
        }
    }
}
