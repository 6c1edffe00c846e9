//! Test headers, each with the difficult cases of one subject.

use opendyn_inspect::Target;
use opendyn_inspect::header::{Options, read};

use crate::{listing, prove};

/// Reads a header, verifies it with the compiler, and compares it with its golden.
fn holds(name: &str) {
    let interface = listing::of(name);
    let path = listing::folder().join(name);
    let (program, facts) = prove::program(&interface, &[&path.display().to_string()]);
    assert!(facts >= interface.functions.len(), "{facts}");
    assert_eq!(prove::complaints(&program, &[]), "");
    listing::agrees(&interface, &name.replace(".h", ".txt"));
}

#[test]
fn declarations_are_read_as_the_compiler_reads_them() {
    holds("declarations.h");
}

#[test]
fn layouts_are_those_of_the_compiler() {
    holds("layouts.h");
}

#[test]
#[cfg_attr(no_clang, ignore = "needs clang, which compiles for every target")]
fn layouts_are_those_of_other_targets() {
    let path = listing::folder().join("layouts.h");
    for triple in [
        "i686-unknown-linux-gnu",
        "aarch64-unknown-linux-gnu",
        "armv7-unknown-linux-gnueabihf",
        "aarch64-apple-darwin",
        "x86_64-pc-windows-gnu",
        "i686-pc-windows-gnu",
    ] {
        let target = format!("--target={triple}");
        let options = Options {
            compiler: Some("clang".into()),
            arguments: vec![target.clone().into(), "-ffreestanding".into()],
            target: Target::of_triple(triple),
            ..Options::default()
        };
        let interface =
            read(std::slice::from_ref(&path), &options).unwrap_or_else(|error| panic!("{triple}: {error}"));
        assert_eq!(interface.skipped, [], "{triple}");
        let (program, facts) = prove::program(&interface, &[&path.display().to_string()]);
        assert!(facts > 150, "{facts}");
        let complaints = prove::complaints_of("clang", &program, &[&target, "-ffreestanding"]);
        assert_eq!(complaints, "", "{triple}");
    }
}

#[test]
fn macros_that_are_integers_are_constants() {
    holds("constants.h");
}

#[test]
fn the_compiler_finds_what_is_wrong_with_a_signature() {
    let mut interface = listing::of("declarations.h");
    let path = listing::folder().join("declarations.h").display().to_string();
    let plain = interface.functions.iter_mut().find(|function| function.name == "plain").expect("declared");
    plain.signature.as_mut().expect("known").parameters.swap(0, 1);
    assert!(prove::complaints(&prove::program(&interface, &[&path]).0, &[]).contains("plain"));
}

#[test]
fn conventions_are_kept() {
    listing::agrees(&listing::of("conventions.h"), "conventions.txt");
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_read() {
    let interface = listing::of("broken.h");
    listing::agrees(&interface, "broken.txt");
    assert!(interface.function("last").is_some());
    assert_eq!(interface.skipped.len(), 5);
}

#[test]
fn a_library_is_its_header_and_the_parts_that_it_includes() {
    let interface = listing::of("library/library.h");
    let names: Vec<&str> = interface.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["of_part", "of_sibling", "own"]);
}

#[test]
fn an_option_names_more_folders() {
    let folder = listing::folder();
    let options = Options { also: vec![folder.join("library/../other")], ..Default::default() };
    let interface = read(&[folder.join("library/library.h")], &options).expect("it reads");
    assert!(interface.function("foreign").is_some());
}

#[test]
fn a_header_that_only_includes_another_stands_for_it() {
    let folder = listing::folder();
    let options = Options { include: vec![folder.join("other")], ..Options::default() };
    let interface = read(&[folder.join("wrapper.h")], &options).expect("it reads");
    let names: Vec<&str> = interface.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["foreign"]);
}
