//! How much of seven real libraries a document can describe, and how much of that without a question: `cargo
//! test -p opendyn-cli --test coverage -- --nocapture` prints the table.

#![allow(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

mod command;

use std::collections::BTreeMap;
use std::fmt::Write;

use command::{assert_golden, opendyn};
use opendyn_tests::Workspace;
use serde_json::Value;

/// The title of each library, the import arguments, and the library.
const LIBRARIES: [(&str, &[&str], &str); 7] = [
    ("zlib", &["zlib.h"], "libz.so.1"),
    ("sqlite", &["sqlite3.h"], "libsqlite3.so.0"),
    ("lz4", &["lz4.h", "lz4hc.h", "lz4frame.h"], "liblz4.so.1"),
    ("libsodium", &["sodium.h"], "libsodium.so.23"),
    ("libcurl", &["curl/curl.h"], "libcurl.so.4"),
    ("pcre2", &["pcre2.h", "-D", "PCRE2_CODE_UNIT_WIDTH=8"], "libpcre2-8.so.0"),
    ("libm", &["math.h", "complex.h", "fenv.h"], "libm.so.6"),
];

/// Not expected of a document: Rust bindings cannot pass these either.
const BEYOND: [&str; 2] = ["`long double`", "a complex number"];

#[derive(Default)]
struct Row {
    /// In the header, and exported.
    public: usize,
    /// `long double`, and complex numbers by value.
    beyond: usize,
    /// Described without a question.
    as_they_are: usize,
    /// Described, with a question.
    with_question: usize,
    /// Left out for another reason.
    inexpressible: usize,
}

impl Row {
    fn asked_of(&self) -> usize {
        self.public - self.beyond
    }

    fn add(&mut self, other: &Self) {
        self.public += other.public;
        self.beyond += other.beyond;
        self.as_they_are += other.as_they_are;
        self.with_question += other.with_question;
        self.inexpressible += other.inexpressible;
    }

    fn write(&self, name: &str, text: &mut String) {
        let Self { public, beyond, as_they_are, with_question, inexpressible } = self;
        writeln!(
            text,
            "| {name} | {public} | {beyond} | {as_they_are} | {with_question} | {inexpressible} | {} | {} |",
            share(as_they_are + with_question, self.asked_of()),
            share(*as_they_are, self.asked_of()),
        )
        .expect("it grows");
    }
}

fn share(part: usize, whole: usize) -> String {
    format!("{}.{} %", part * 1000 / whole / 10, part * 1000 / whole % 10)
}

/// Whether a function, or one of its values, has a question.
fn has_question(function: &Value) -> bool {
    let parameters = function["parameters"].as_array().expect("a list");
    parameters.iter().chain([function, &function["return"]]).any(|object| object.get("x-todo").is_some())
}

fn import(arguments: &[&str], library: &str, further: &[&str]) -> (String, Value) {
    let run = opendyn(&[&["import"], arguments, &["--library", library], further].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = serde_json::from_str(&run.stdout).expect("JSON");
    (run.stdout, document)
}

#[test]
#[cfg_attr(quick, ignore = "compiles fourteen large bindings; set OPENDYN_TEST_ALL=1")]
fn seven_libraries_are_covered() {
    let workspace = Workspace::new("coverage", &["coverage"]);
    let mut crate_root = "//! Bindings.\n#![deny(warnings, missing_docs)]\n".to_owned();
    let mut table = "| library | public functions | long double, complex | as they are | after a question | \
                     inexpressible | expressible | no question |\n|---|--:|--:|--:|--:|--:|--:|--:|\n"
        .to_owned();
    let mut total = Row::default();
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, arguments, library) in LIBRARIES {
        // Both as imported and with every suggestion taken, the bindings must compile.
        for (suffix, further) in [("", &[][..]), ("_answered", &["--take-suggestions"])] {
            let (text, _) = import(arguments, library, further);
            let options = opendyn_codegen::Options::default();
            let generated = opendyn_codegen::generate(name, &text, &options).expect(name);
            writeln!(crate_root, "/// It.\npub mod {name}{suffix};").expect("it grows");
            workspace.write(&format!("coverage/src/{name}{suffix}.rs"), &generated.to_file().expect("Rust"));
        }
        let (_, document) = import(arguments, library, &[]);
        let functions = document["functions"].as_array().expect("a list");
        let mut row =
            Row { with_question: functions.iter().filter(|f| has_question(f)).count(), ..Row::default() };
        row.as_they_are = functions.len() - row.with_question;
        for (reason, names) in document["info"]["x-omitted"].as_object().into_iter().flatten() {
            let names: Vec<String> = names
                .as_array()
                .expect("a list")
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect();
            if BEYOND.iter().any(|what| reason.contains(what)) {
                row.beyond += names.len();
            } else {
                row.inexpressible += names.len();
                reasons.entry(reason.clone()).or_default().extend(names);
            }
        }
        row.public = functions.len() + row.beyond + row.inexpressible;
        row.write(name, &mut table);
        total.add(&row);
    }
    total.write("all", &mut table);
    writeln!(table, "\nInexpressible, beside `long double` and complex numbers by value:").expect("it grows");
    for (reason, names) in &reasons {
        writeln!(table, "- {reason}: {}", names.join(", ")).expect("it grows");
    }
    println!("{table}");

    workspace.write("coverage/src/lib.rs", &crate_root);
    let check = workspace.cargo(&["check"]);
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
    assert!((total.as_they_are + total.with_question) * 100 >= total.asked_of() * 97, "{table}");
    assert!(total.as_they_are * 100 >= total.asked_of() * 45, "{table}");
    assert_golden("import/coverage.md", &table);
}
