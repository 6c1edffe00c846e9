//! An interface as text, for goldens.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use opendyn_inspect::header::{Options, read};
use opendyn_inspect::{Convention, Interface, Type};

/// The folder of the test headers.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/headers")
}

/// Reads one of the test headers.
pub fn of(name: &str) -> Interface {
    read(&[folder().join(name)], &Options::default()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Everything that an interface says.
pub fn list(interface: &Interface) -> String {
    let types = &interface.types;
    let mut out = String::new();
    for function in &interface.functions {
        let place = function.place.as_ref().expect("headers have places");
        let file = Path::new(&place.file).file_name().unwrap_or_default().to_string_lossy();
        let symbol = function.symbol.as_ref().map(|symbol| format!(" as {symbol}")).unwrap_or_default();
        _ = writeln!(out, "{}{symbol} ({file}:{})", function.name, place.line);
        match &function.signature {
            Err(reason) => _ = writeln!(out, "  unknown: {reason}"),
            Ok(signature) => {
                for parameter in &signature.parameters {
                    let name = parameter.name.as_deref().unwrap_or("-");
                    let array = parameter.array.map(|length| format!(" [{length}]")).unwrap_or_default();
                    let direction = parameter.direction.map(|way| format!(" {way:?}")).unwrap_or_default();
                    let comment =
                        parameter.comment.as_ref().map(|text| format!(" // {text}")).unwrap_or_default();
                    _ = writeln!(
                        out,
                        "  {name}: {}{array}{direction}{comment}",
                        types.spelling(parameter.of)
                    );
                }
                let variadic = if signature.variadic { ", ..." } else { "" };
                let convention = match signature.convention {
                    Convention::Cdecl => "",
                    Convention::Stdcall => " (stdcall)",
                    Convention::Other => " (another convention)",
                };
                _ = writeln!(out, "  -> {}{variadic}{convention}", types.spelling(signature.returns));
                list_record(&mut out, interface, signature.returns);
            }
        }
        if let Some(comment) = &function.comment {
            let shared =
                if comment.shared_by > 1 { format!(" (of {})", comment.shared_by) } else { String::new() };
            _ = writeln!(out, "  |{shared} {}", comment.text.replace('\n', "\n  | "));
            comment
                .returns
                .iter()
                .for_each(|text| _ = writeln!(out, "  | returns {}", text.replace('\n', "\n  | ")));
        }
    }
    for constant in &interface.constants {
        let comment = constant.comment.as_ref().map(|text| format!(" // {text}")).unwrap_or_default();
        _ = writeln!(out, "#{} = {}{comment}", constant.name, constant.value);
    }
    for skipped in &interface.skipped {
        _ = writeln!(out, "skipped line {}: {}\n  {}", skipped.place.line, skipped.text, skipped.reason);
    }
    out
}

fn list_record(out: &mut String, interface: &Interface, id: opendyn_inspect::TypeId) {
    match interface.types.resolve(id) {
        Type::Record(record) => {
            let layout = record.size.zip(record.align);
            layout
                .into_iter()
                .for_each(|(size, align)| _ = writeln!(out, "    {size} bytes, aligned to {align}"));
            for member in &record.members {
                let offset = member.offset.map(|offset| offset.to_string()).unwrap_or_else(|| "?".to_owned());
                let bits = member.bits.map(|bits| format!(" : {bits}")).unwrap_or_default();
                let name = member.name.as_deref().unwrap_or("-");
                let comment = member.comment.as_ref().map(|text| format!(" // {text}")).unwrap_or_default();
                _ = writeln!(
                    out,
                    "    {offset} {name}: {}{bits}{comment}",
                    interface.types.spelling(member.of)
                );
            }
        }
        Type::Enum { values, integer, .. } => {
            _ = writeln!(out, "    {}", integer.spelling);
            for value in values {
                let comment = value.comment.as_ref().map(|text| format!(" // {text}")).unwrap_or_default();
                _ = writeln!(out, "    {} = {}{comment}", value.name, value.value);
            }
        }
        _ => {}
    }
}

/// Compares a listing with the golden file next to the header.
pub fn agrees(interface: &Interface, golden: &str) {
    let path = folder().join(golden);
    let listing = list(interface);
    if std::env::var_os("OPENDYN_BLESS").is_some() {
        std::fs::write(&path, &listing).expect("the golden can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(listing, expected, "{golden} differs; OPENDYN_BLESS=1 rewrites it");
}
