//! The macro and the build script are two ways to the same code, and that code compiles.
//!
//! `build.rs` writes bindings for some fixtures, the macro writes its own with `debug = true`,
//! and the two files are compared. The bindings of every document that `build.rs` wrote are compiled here too, because
//! this crate denies all that a strict one does (`cargo clippy` adds the pedantic lints).

#![deny(warnings, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
#![expect(clippy::panic, reason = "what helps a test may fail as a test does")]

use std::path::Path;

/// Declares the bindings of the macro and of the build script side by side, and compares them.
macro_rules! same {
    ($($module:ident: $file:literal, $name:ident, opendyn!($($input:tt)*);)*) => {
        $(mod $module {
            pub(crate) mod by_macro {
                opendyn::opendyn!($($input)*, name = $name, debug = true);
            }

            pub(crate) mod by_build_script {
                include!(concat!(env!("OUT_DIR"), "/", $file));
            }

            #[test]
            fn macro_and_build_script_give_the_same_code() {
                super::assert_same($file, concat!("opendyn-tests-", stringify!($name), "-"));
            }
        })*
    };
}

same! {
    outputs: "tool.rs", FromBuild, opendyn!("fixtures/outputs/tool.json");
    optional: "FromBuildOptional.rs", FromBuildOptional,
        opendyn!("fixtures/optional/tool.json", optional = [plain]);
    unchecked: "FromBuildUnchecked.rs", FromBuildUnchecked,
        opendyn!("fixtures/unchecked/tool.json", unchecked = allow);
    docs: "FromBuildDocs.rs", FromBuildDocs, opendyn!("fixtures/docs/tool.json");
    stdcall: "FromBuildStdcall.rs", FromBuildStdcall, opendyn!("fixtures/stdcall/tool.json");
    names: "FromBuildNames.rs", FromBuildNames, opendyn!(
        "fixtures/names/tool.json",
        strip_prefix = "gfx_",
        rename = { old_name = "new_name", "old_keyword" = r#yield },
        optional = ["get-x", drop]
    );
}

/// A module that has names of its own for everything that the bindings need.
#[expect(dead_code, non_camel_case_types, reason = "only their names matter")]
mod shadowed {
    struct Option;
    struct Result;
    struct String;
    struct Vec;
    struct Some;
    struct Ok;
    struct c_int;
    mod core {}
    mod std {}
    mod opendyn {}
    mod runtime {}

    ::opendyn::opendyn!("fixtures/optional/tool.json", name = Shadowed);
}

#[test]
fn names_around_the_bindings_do_not_matter() {
    use std::ffi::c_int;
    let _: fn(&shadowed::Shadowed, c_int) -> Result<c_int, opendyn::CallError> = shadowed::Shadowed::recent;
}

/// `by_macro` is how the name begins of the file that `debug` wrote; a hash of the document's
/// path and of the options follows.
fn assert_same(by_build_script: &str, by_macro: &str) {
    let out_dir = Path::new(env!("OUT_DIR"));
    let mut written: Vec<_> = std::fs::read_dir(out_dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(by_macro)))
        .collect();
    // An earlier build may have left one with other options.
    written.sort_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok());
    let by_macro = written.pop().unwrap_or_else(|| panic!("no {by_macro}*.rs in {}", out_dir.display()));
    let read = |path: &Path| {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let (expected, actual) = (read(&out_dir.join(by_build_script)), read(&by_macro));
    let line = expected.lines().zip(actual.lines()).position(|(expected, actual)| expected != actual);
    assert!(
        expected == actual,
        "{by_build_script} and {} differ in line {line:?}, counted from 0",
        by_macro.display()
    );
}

/// The bindings of every document of this crate.
pub mod documents {
    include!(concat!(env!("OUT_DIR"), "/documents.rs"));
}

#[test]
fn the_bindings_of_every_document_are_compiled() {
    let modules = include_str!(concat!(env!("OUT_DIR"), "/documents.rs"));
    for document in opendyn_tests::documents().unwrap_or_else(|error| panic!("{error}")) {
        assert!(modules.contains(&format!("`{}`", document.file)), "{} is not compiled", document.file);
    }
}
