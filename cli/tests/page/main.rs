//! The page of `opendyn serve` in a browser. What a rule does is in `page.mjs`, under the name of its test.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]
#![cfg(unix)]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page");
const STOCK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page/stock.json");
const SQLITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/sqlite/sqlite.json");
const BOOK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/page.md"));

/// A running server, killed at the end.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_opendyn"))
            .args([&["serve", "--port", "0"], arguments].concat())
            .env_remove("OPENDYN_API_KEY")
            .env_remove("OPENTOOL_LOG")
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut said = BufReader::new(process.stderr.take().expect("a pipe"));
        let mut all = String::new();
        while !all.contains("Ctrl-C") {
            assert_ne!(said.read_line(&mut all).expect("text"), 0, "it ended: {all}");
        }
        // Nobody reads what it says later; the pipe must not be full.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let url = all.split_once("  page      ").expect("its page").1.lines().next().unwrap_or_default();
        Self { process, url: url.trim_end_matches('/').to_owned() }
    }

    /// Without `wipe`, which the rule refuses.
    fn of_stock(more: &[&str]) -> Self {
        Self::start(&[&[STOCK, "--library", library(), "--deny", "wipe*"], more].concat())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It runs until then.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The compiled library.
fn library() -> &'static str {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let library = format!("{}/libstock.so", env!("CARGO_TARGET_TMPDIR"));
        let source = format!("{FOLDER}/stock.c");
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let status =
            Command::new(compiler).args(["-shared", "-fPIC", "-O1", "-o", &library, &source]).status();
        assert!(status.expect("these tests need a C compiler").success());
        library
    })
}

/// Runs a rule in the browser, and returns what it printed.
#[track_caller]
fn holds(rule: &str, server: &Server, key: &str) -> String {
    let output = Command::new("node")
        .args([&format!("{FOLDER}/page.mjs"), rule, &server.url, key])
        .output()
        .expect("`.ci/install` installs Node.js");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

macro_rules! rules_of_stock {
    ($(fn $rule:ident();)*) => {$(
        #[test]
        #[cfg_attr(no_browser, ignore = "needs Chromium, Node.js and `.ci/browser`; set OPENDYN_TEST_ALL=1")]
        fn $rule() {
            holds(stringify!($rule), &Server::of_stock(&[]), "");
        }
    )*};
}

rules_of_stock! {
    fn functions_are_listed_and_found();
    fn a_call_shows_its_reply_and_is_logged();
    fn every_kind_of_value_can_be_given();
    fn no_digit_of_a_large_number_is_lost();
    fn an_error_is_shown_at_its_field();
    fn the_keyboard_is_enough();
    fn a_refused_function_says_why_and_what_to_answer();
    fn a_call_can_be_cancelled_and_the_next_one_works();
    fn text_of_a_document_is_never_read_as_html();
    fn a_reply_of_a_megabyte_is_cut_and_can_be_shown();
    fn people_with_any_sight_and_any_screen_can_use_it();
}

#[test]
#[cfg_attr(no_browser, ignore = "needs Chromium, Node.js and `.ci/browser`; set OPENDYN_TEST_ALL=1")]
fn a_handle_is_open_until_a_call_ends_it() {
    holds("a_handle_is_open_until_a_call_ends_it", &Server::start(&[SQLITE]), "");
}

#[test]
#[cfg_attr(no_browser, ignore = "needs Chromium, Node.js and `.ci/browser`; set OPENDYN_TEST_ALL=1")]
fn a_key_is_asked_for_and_kept_for_the_tab_alone() {
    let server = Server::of_stock(&["--api-key", "a-key-that-is-long"]);
    holds("a_key_is_asked_for_and_kept_for_the_tab_alone", &server, "a-key-that-is-long");
}

#[test]
#[cfg_attr(no_browser, ignore = "needs Chromium, Node.js and `.ci/browser`; set OPENDYN_TEST_ALL=1")]
fn the_same_call_works_with_curl() {
    holds("the_same_call_works_with_curl", &Server::of_stock(&[]), "");
    let server = Server::of_stock(&["--api-key", "a-key-that-is-long"]);
    holds("the_same_call_works_with_curl", &server, "a-key-that-is-long");
}

/// The block in the book is compiled there.
#[test]
#[cfg_attr(no_browser, ignore = "needs Chromium, Node.js and `.ci/browser`; set OPENDYN_TEST_ALL=1")]
fn the_same_call_is_shown_in_rust_and_for_mcp() {
    let rust = holds("the_same_call_is_shown_in_rust_and_for_mcp", &Server::of_stock(&[]), "");
    assert!(
        BOOK.replace("http://127.0.0.1:17001", "URL").contains(rust.trim()),
        "docs/page.md lacks\n{rust}"
    );
}

#[test]
#[cfg_attr(no_browser, ignore = "needs Chromium, Node.js and `.ci/browser`; set OPENDYN_TEST_ALL=1")]
fn a_thousand_functions_are_listed_and_found() {
    let mut functions = String::new();
    for number in 0..1000 {
        let comma = if number == 0 { "" } else { "," };
        write!(
            functions,
            r#"{comma}{{"name": "number_{number}", "description": "Function number {number} of many.", "x-optional": true, "parameters": []}}"#
        )
        .expect("a string");
    }
    let document = format!(
        r#"{{"opendyn": "1.0.0", "info": {{"title": "many", "version": "1.0.0", "callingConvention": "cdecl"}}, "functions": [{functions}]}}"#
    );
    let path = format!("{}/many.json", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, document).expect("a file");
    let server = Server::start(&[&path, "--library", library()]);
    holds("a_thousand_functions_are_listed_and_found", &server, "");
}
