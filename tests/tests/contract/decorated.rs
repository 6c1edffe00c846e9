//! The decorated names of 32-bit Windows, which contain the convention and the size of the arguments.

use std::path::{Path, PathBuf};

use opendyn_codegen::Options;
use opendyn_inspect::contract::{NativeLibrary, NativeOptions, check_contract, symbols};

use super::variants;

const SOURCE: &str = "
__declspec(dllexport) int __stdcall sub(int a, int b) { return a - b; }
__declspec(dllexport) int __fastcall quick(int a, int b) { return a - b; }
__declspec(dllexport) int add(int a, int b) { return a + b; }
";

fn dll() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contract-decorated");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    std::fs::write(folder.join("calc.c"), SOURCE).expect("the file can be written");
    let flags = ["--target=i686-pc-windows-msvc", "-g", "-c", "calc.c", "-o", "calc.obj"];
    variants::run("clang", flags, &folder);
    variants::run("lld-link", ["/dll", "/noentry", "/debug", "/out:calc.dll", "calc.obj"], &folder);
    folder.join("calc.dll")
}

/// A document with one function that takes integers.
fn document(convention: &str, name: &str, symbol: &str, parameters: usize) -> String {
    let schema = r#"{ "type": "integer", "cType": { "type": "int", "isPointer": false } }"#;
    let parameters: Vec<String> = (0..parameters)
        .map(|index| {
            format!(r#"{{ "name": "p{index}", "isIn": true, "required": true, "schema": {schema} }}"#)
        })
        .collect();
    let parameters = parameters.join(", ");
    format!(
        r#"{{ "opendyn": "1.0.0", "info": {{ "title": "t", "version": "1", "callingConvention": "{convention}" }},
  "functions": [ {{ "name": "{name}", "description": "F.", "x-symbol": "{symbol}", "parameters": [{parameters}],
    "return": {{ "name": "result", "schema": {schema} }} }} ] }}"#
    )
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn decorated_names_tell_the_convention_and_the_arguments() {
    let dll = dll();
    for (convention, name, symbol, parameters, expected) in [
        ("cdecl", "add", "add", 2, &[][..]),
        ("stdcall", "sub", "_sub@8", 2, &[]),
        ("stdcall", "sub", "sub", 2, &["E039: the library exports `sub` only under the name `_sub@8`"]),
        (
            "stdcall",
            "sub",
            "_sub@8",
            1,
            &["E040: sub: the parameters of the document take 4 bytes, the name `_sub@8` says 8"],
        ),
        (
            "cdecl",
            "sub",
            "_sub@8",
            2,
            &["E046: the calling convention of sub: the document says cdecl, the name `_sub@8` says stdcall"],
        ),
        (
            "cdecl",
            "quick",
            "@quick@8",
            2,
            &["E046: the calling convention of quick: the name `@quick@8` says fastcall"],
        ),
        (
            "stdcall",
            "add",
            "add",
            2,
            &["E046: the calling convention of add: the document says stdcall, the library says cdecl"],
        ),
    ] {
        let source = document(convention, name, symbol, parameters);
        let library =
            NativeLibrary::read(&dll, &symbols(&source), NativeOptions::default()).expect("it is a library");
        let report = check_contract("t.json", &source, &Options::default(), &library.evidence());
        let mut found: Vec<String> = report
            .diagnostics
            .iter()
            .map(|diagnostic| format!("{}: {}", diagnostic.rule.code(), diagnostic.message))
            .collect();
        found.sort();
        let mut expected: Vec<&str> = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{convention} {symbol} of {parameters}: {}", report.tiers[2]);
    }
}
