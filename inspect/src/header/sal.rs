//! SAL, the annotations of Microsoft's headers: `_In_reads_(n)`.
//!
//! They are macros, and every `sal.h` but Microsoft's own defines them as nothing. [`prelude`] therefore
//! includes `sal.h` first, if there is one, and then defines them as an attribute that the parser reads.

use crate::{AttributeKind, Count, Direction};

/// The attribute, without the underscores around its name.
pub(super) const ATTRIBUTE: &str = "opendyn_sal";

/// The annotations without arguments.
const PLAIN: [&str; 28] = [
    "_In_",
    "_In_opt_",
    "_In_z_",
    "_In_opt_z_",
    "_Out_",
    "_Out_opt_",
    "_Inout_",
    "_Inout_opt_",
    "_Inout_z_",
    "_Inout_opt_z_",
    "_Outptr_",
    "_Outptr_opt_",
    "_Outptr_result_maybenull_",
    "_Outptr_opt_result_maybenull_",
    "_Outptr_result_z_",
    "_Outptr_opt_result_z_",
    "_Outptr_result_maybenull_z_",
    "_Outptr_opt_result_maybenull_z_",
    "_COM_Outptr_",
    "_COM_Outptr_opt_",
    "_COM_Outptr_result_maybenull_",
    "_COM_Outptr_opt_result_maybenull_",
    "_Ret_z_",
    "_Ret_maybenull_",
    "_Ret_maybenull_z_",
    "_Ret_notnull_",
    "_Ret_null_",
    "_Printf_format_string_",
];

/// Those with one argument.
const COUNTED: [&str; 22] = [
    "_In_reads_",
    "_In_reads_opt_",
    "_In_reads_bytes_",
    "_In_reads_bytes_opt_",
    "_In_reads_z_",
    "_In_reads_opt_z_",
    "_Out_writes_",
    "_Out_writes_opt_",
    "_Out_writes_bytes_",
    "_Out_writes_bytes_opt_",
    "_Out_writes_z_",
    "_Out_writes_opt_z_",
    "_Out_writes_all_",
    "_Out_writes_all_opt_",
    "_Out_writes_bytes_all_",
    "_Out_writes_bytes_all_opt_",
    "_Inout_updates_",
    "_Inout_updates_opt_",
    "_Inout_updates_bytes_",
    "_Inout_updates_bytes_opt_",
    "_Inout_updates_all_",
    "_Inout_updates_bytes_all_",
];

/// Those with two: the capacity, and how many are valid after the call.
const WRITTEN: [&str; 6] = [
    "_Out_writes_to_",
    "_Out_writes_to_opt_",
    "_Out_writes_bytes_to_",
    "_Out_writes_bytes_to_opt_",
    "_Inout_updates_to_",
    "_Inout_updates_bytes_to_",
];

/// The text before the headers. The line markers keep it apart from them.
pub(super) fn prelude() -> String {
    let mut text = "# 1 \"<annotations>\" 1\n#if defined __has_include\n#if __has_include(<sal.h>)\n\
                    #include <sal.h>\n#endif\n#endif\n"
        .to_owned();
    for (names, parameters, arguments) in
        [(&PLAIN[..], "", ""), (&COUNTED, "(a)", ", a"), (&WRITTEN, "(a, b)", ", a, b")]
    {
        for name in names {
            text.push_str(&format!(
                "#undef {name}\n#define {name}{parameters} __attribute__((__{ATTRIBUTE}__({name}{arguments})))\n"
            ));
        }
    }
    text.push_str("# 1 \"<stdin>\" 2\n");
    text
}

/// What an annotation says about the value at `position`; `first` and `second` are its arguments.
pub(super) fn says(
    name: &str,
    position: usize,
    first: Option<Count>,
    second: Option<Count>,
) -> Vec<AttributeKind> {
    let mut kinds = Vec::new();
    let has = |part: &str| name.contains(part);
    if name.starts_with("_Ret_") || position == 0 {
        if has("maybenull") || has("_null_") {
            kinds.push(AttributeKind::Nullable(0));
        } else {
            kinds.push(AttributeKind::ReturnsNonnull);
        }
        if has("_z_") {
            kinds.push(AttributeKind::Text(0));
        }
        return kinds;
    }
    if name == "_Printf_format_string_" {
        return vec![AttributeKind::Text(position)];
    }
    let direction = if name.starts_with("_In_") {
        Direction::In
    } else if name.starts_with("_Inout_") {
        Direction::InOut
    } else {
        Direction::Out
    };
    kinds.push(AttributeKind::Access { direction, pointer: position, size: None });
    let is_optional = has("_opt_");
    kinds.push(match is_optional {
        true => AttributeKind::Nullable(position),
        false => AttributeKind::Nonnull(vec![position]),
    });
    if has("Outptr") {
        kinds.push(AttributeKind::One(position));
        if has("result_maybenull") {
            kinds.push(AttributeKind::GivesNull(position));
        }
        return kinds;
    }
    let is_counted = has("reads_") || has("writes_") || has("updates_");
    let is_text = has("_z_");
    // `_In_reads_z_(n)`: the NUL, or `n`, whichever comes first.
    if is_text && !is_counted {
        kinds.push(AttributeKind::Text(position));
    } else if let (true, Some(count)) = (is_counted && !(is_text && direction == Direction::In), first) {
        kinds.push(AttributeKind::Length { pointer: position, count, is_bytes: has("_bytes_") });
        if let Some(Count::Parameter(count)) = second {
            kinds.push(AttributeKind::Written { pointer: position, count });
        }
    } else if !is_counted {
        kinds.push(AttributeKind::One(position));
    }
    kinds
}
