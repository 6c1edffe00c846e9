//! Generated code as files that people read and review: `goldens/SHAPE.json` and `goldens/SHAPE.rs`.
//!
//! A golden shows one function per shape. Items that an earlier golden of [`BASES`] shows word for word are left out, and
//! so are the lists of all functions. The rules below hold for every document, also those of `fixtures/`.
//!
//! Nothing is compiled here, so that `OPENDYN_BLESS=1` can rewrite a golden whose code does not compile. `frontends`
//! compiles the bindings of every document, and `build_script` builds the documentation of them.

#![expect(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use opendyn_codegen::{Generated, generate};
use opendyn_tests::{Document, assert_golden, documents};

/// One test per golden; the name of its file has dashes for the underscores.
macro_rules! goldens {
    ($($shape:ident)*) => {
        const SHAPES: &[&str] = &[$(stringify!($shape)),*];

        $(#[test]
        fn $shape() {
            is_as_expected(&stringify!($shape).replace('_', "-"));
        })*
    };
}

goldens! {
    arrays bits buffers bytes callbacks codes collect complex deep docs empty enums errors frees handles keeps lengths library limits linked_states lists names optional_arguments optional_functions owned pointers progress scalars shared_handles states stdcall strings strs structs takes unchecked unions variadic
}

/// Goldens whose items others have too: what every binding has, some types, and what every binding with handles has.
const BASES: &[&str] = &["empty", "enums", "structs", "handles"];

/// Lists of all functions of a binding. `empty.rs` shows how they begin.
const LISTS: &[&str] =
    &["static SYMBOLS: [&str;", "enum Symbol {", "// SAFETY: the functions put only handles"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens")
}

fn all() -> Vec<Document> {
    documents().expect("the documents can be read")
}

fn document(shape: &str) -> Document {
    let file = format!("goldens/{shape}.json");
    all().into_iter().find(|document| document.file == file).unwrap_or_else(|| panic!("no {file}"))
}

fn generated(document: &Document) -> Generated {
    let Document { file, source, options } = document;
    generate(file, source, options).unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

fn text(document: &Document) -> String {
    generated(document).to_file().expect("it is Rust")
}

fn is_as_expected(shape: &str) {
    assert_golden(&folder().join(shape).with_extension("rs"), &shown(shape));
}

/// The generated file; of all but `empty` without its header, without lists, and without items that the bases before it
/// have too.
fn shown(shape: &str) -> String {
    let document = &document(shape);
    let bases: Vec<&str> = BASES.iter().copied().take_while(|base| *base != shape).collect();
    if bases.is_empty() {
        return text(document);
    }
    let mut left_out = BTreeSet::new();
    for base in &bases {
        let mut base = self::document(base);
        // Many items have the name of the binding in them.
        base.options.name = Some(generated(document).name().to_owned());
        left_out.extend(items(&text(&base)).iter().map(|item| item.trim().to_owned()));
    }
    let is_shown = |item: &&String| {
        !left_out.contains(item.trim()) && !LISTS.iter().any(|list| item.trim_start().starts_with(list))
    };
    let file = text(document);
    let bases: Vec<String> = bases.iter().map(|base| format!("{base}.rs")).collect();
    let header = file.lines().next().unwrap_or_default();
    let header =
        format!("{header}\n// Left out: lists of functions, and items that are in {}.\n", bases.join(", "));
    items(&file).iter().filter(is_shown).fold(header, |shown, item| shown + item)
}

/// The items of the module in a generated file, each as lines without their indentation; an empty line before an item
/// belongs to it.
fn items(file: &str) -> Vec<String> {
    let inside = file.lines().skip_while(|line| !line.starts_with("mod ")).skip(1);
    let (mut items, mut item) = (Vec::new(), String::new());
    for line in inside.map(|line| line.strip_prefix("    ").unwrap_or(line)) {
        item += line;
        item += "\n";
        let is_outer = !line.starts_with([' ', '/', '#', ')']);
        if is_outer && line.ends_with([';', '}']) || line == ");" {
            items.push(std::mem::take(&mut item));
        }
    }
    // The end of the module itself.
    items.pop();
    items
}

#[test]
fn every_golden_has_a_test() {
    let tested: BTreeSet<String> = SHAPES.iter().map(|shape| shape.replace('_', "-")).collect();
    for entry in std::fs::read_dir(folder()).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let shape = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(tested.contains(&shape), "no test looks at {}", path.display());
    }
}

#[test]
fn a_person_can_review_all_goldens() {
    let sum: usize = SHAPES.iter().map(|shape| shown(&shape.replace('_', "-")).lines().count()).sum();
    assert!(sum < 11_400, "{sum} lines: show a shape once, and prove the rest in behaviour tests");
}

#[test]
fn no_description_becomes_a_doctest() {
    for document in all() {
        let file = &document.file;
        let mut fenced = false;
        for line in text(&document).lines().map(str::trim_start) {
            let Some(docs) = line.strip_prefix("///") else {
                assert!(!fenced, "{file}: a fence is not closed before {line}");
                continue;
            };
            let docs = docs.strip_prefix(' ').unwrap_or(docs);
            assert!(fenced || !docs.starts_with("    "), "{file}: an indented block: {line}");
            if docs.trim_start().starts_with("```") || docs.trim_start().starts_with("~~~") {
                assert_eq!(docs, if fenced { "```" } else { "```text" }, "{file}");
                fenced = !fenced;
            }
        }
    }
}

/// The generated file without its documentation.
fn code(document: &Document) -> String {
    let is_code = |line: &&str| !line.trim_start().starts_with("///");
    text(document).lines().filter(is_code).fold(String::new(), |code, line| code + line + "\n")
}

/// A JSON caller is a client that knows nothing of memory.
#[test]
fn no_thunk_relies_on_its_caller() {
    let wrong: Vec<String> = all()
        .iter()
        .flat_map(|document| {
            let code = code(document);
            let (_, thunks) =
                code.split_once("runtime::Functions<").expect("every binding has its functions");
            let reasons =
                thunks.lines().filter(|line| line.contains("// SAFETY:") && line.contains("caller"));
            reasons.map(|reason| format!("{}: {}", document.file, reason.trim())).collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{} thunks: {wrong:#?}", wrong.len());
}

#[test]
fn every_unsafe_block_has_a_reason() {
    for document in all() {
        let code = code(&document);
        let unsafes = code.matches("unsafe {").count() + code.matches("unsafe impl ").count();
        assert_eq!(code.matches("// SAFETY: ").count(), unsafes, "{}", document.file);
    }
}
