//! The documents of the examples, compiled and interpreted: the calls that the examples make, and a call of every
//! function of the math library. `.ci/memory` runs this under valgrind.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "test code may panic")]

use std::ffi::c_int;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use data_encoding::BASE64;
use opendyn::opentool::SchemaType;
use opendyn::{Binding, Session, Tool, ToolError};
use opendyn_tests::{Compiled, Twin, TwinLibrary};
use serde_json::{Map, Value, json};

opendyn::opendyn!("../examples/quickstart/calc.json", optional = [version]);
opendyn::opendyn!("../examples/libm/libm.json");
opendyn::opendyn!("../examples/zlib/zlib.json");
opendyn::opendyn!("../examples/sqlite/sqlite.json");

opendyn_tests::twin!(Calc = "../examples/quickstart/calc.json", |options| {
    options.optional.insert("version".to_owned());
});
opendyn_tests::twin!(Libm = "../examples/libm/libm.json");
opendyn_tests::twin!(Zlib = "../examples/zlib/zlib.json");
opendyn_tests::twin!(Sqlite = "../examples/sqlite/sqlite.json");

/// Both tools of a library of the system, which they share.
fn of_system<T: Compiled>(name: &str) -> Twin<T> {
    let path = Path::new(name);
    // SAFETY: the documents of the examples describe their libraries correctly.
    unsafe { Twin::open_with(&T::source(), path, path) }.expect("it is installed")
}

fn call(tool: &impl Tool, function: &str, arguments: &Value) -> Result<Value, ToolError> {
    let reply = tool.call_json(function, &arguments.to_string())?;
    Ok(serde_json::from_str(&reply).expect("a reply is JSON"))
}

fn assert_fails(tool: &impl Tool, function: &str, arguments: &Value, expected: &str) {
    let error = call(tool, function, arguments).expect_err(function).to_string();
    assert!(error.contains(expected), "{function}: {error}");
}

#[test]
fn quickstart() {
    let library = TwinLibrary::new("../../examples/quickstart/calc", &["-lm"]);
    // SAFETY: calc.json describes calc.c correctly.
    let calc: Twin<Calc> = unsafe { Twin::open_in(&library) }.expect("every function is there");
    calc.load().expect("it describes itself");
    for (function, arguments, expected) in [
        ("add", r#"{"a":2,"b":3}"#, Some(r#"{"result":5}"#)),
        ("divide", r#"{"dividend":17,"divisor":5}"#, Some(r#"{"code":0,"quotient":3,"remainder":2}"#)),
        ("greet", r#"{"name":"Grace"}"#, Some(r#"{"greeting":"Hello, Grace!"}"#)),
        ("greet", "{}", Some(r#"{"greeting":"Hello, everybody!"}"#)),
        ("ad", r#"{"a":2,"b":3}"#, None),
        ("add", r#"{"a":2}"#, None),
        ("add", r#"{"a":2,"b":3,"c":4}"#, None),
        ("add", r#"{"a":2,"a":2,"b":3}"#, None),
        ("add", r#"{"a":"2","b":3}"#, None),
        ("add", r#"{"a":2.5,"b":3}"#, None),
        ("add", r#"{"a":3000000000,"b":3}"#, None),
        ("add", r#"{"a":2,"b":3"#, None),
        ("greet", r#"{"name":"a\u0000b"}"#, None),
        ("greet", r#"{"name":""}"#, None),
        ("square_root", r#"{"x":-1}"#, None),
        ("sum", r#"{"values":[1,2,3],"count":3}"#, None),
        ("version", "{}", None),
    ] {
        assert_eq!(calc.call_json(function, arguments).ok().as_deref(), expected, "{function} {arguments}");
    }
}

#[test]
fn libm() {
    let libm: Twin<Libm> = of_system("libm.so.6");
    let document = libm.load().expect("it describes itself");
    let mut called = 0;
    for function in &document.functions {
        for numbers in [[0.625, 2.25, -0.5], [1.625, -2.5, 1e300], [-0.0, 5e-324, 3.0]] {
            let mut numbers = numbers.into_iter();
            let arguments: Map<String, Value> = function
                .parameters
                .iter()
                .map(|parameter| {
                    let value = match parameter.schema.kind {
                        SchemaType::Integer => json!(3),
                        SchemaType::String => json!("7"),
                        _ => json!(numbers.next().expect("no function takes more than three")),
                    };
                    (parameter.name.clone(), value)
                })
                .collect();
            called += usize::from(call(&libm, &function.name, &Value::Object(arguments)).is_ok());
        }
    }
    assert!(called > 2 * document.functions.len(), "{called} calls succeeded");
}

/// "the quick brown fox", and so on, in base64.
const TEXT: &str = "dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZw==";

/// A text, compressed and decompressed in pieces of 100 bytes: with typed calls, with JSON, and interpreted, which the twin
/// compares.
#[test]
fn zlib_streams() {
    let _turn = one_at_a_time();
    let zlib: Twin<Zlib> = of_system("libz.so.1");
    let text: Vec<u8> =
        (0..500).flat_map(|number: u32| format!("{} bottles, ", number * number).into_bytes()).collect();
    let (mut deflate, mut inflate) =
        (zlib.deflate_init_(Some(9), None).expect("a stream"), zlib.inflate_init_(None).expect("a stream"));
    let typed = streamed(&text, |piece, is_last| {
        let step = deflate.deflate(Some(if is_last { Flush::Finish } else { Flush::NoFlush }), piece, 100);
        let step = step.expect("it compresses");
        (step.next_out, step.avail_in)
    });
    let again = streamed(&typed, |piece, _| {
        let step = inflate.inflate(None, piece, 100).expect("it decompresses");
        (step.next_out, step.avail_in)
    });
    assert!(typed.len() < text.len() && again == text, "{} bytes", typed.len());
    assert_eq!(deflate.deflate_total_out(), typed.len() as std::ffi::c_ulong);

    let stream = call(&zlib, "deflateInit_", &json!({"level": 9})).expect("a stream")["strm"].clone();
    let step = |function: &str, stream: &Value, piece: &[u8], flush: u32| {
        let arguments =
            json!({"strm": stream, "flush": flush, "next_in": BASE64.encode(piece), "avail_out": 100});
        let reply = call(&zlib, function, &arguments).expect(function);
        let written = BASE64.decode(reply["next_out"].as_str().expect("bytes").as_bytes()).expect("base64");
        (written, reply["avail_in"].as_u64().expect("a count") as u32)
    };
    let packed =
        streamed(&text, |piece, is_last| step("deflate", &stream, piece, if is_last { 4 } else { 0 }));
    assert_eq!(packed, typed);
    let stream = call(&zlib, "inflateInit_", &json!({})).expect("a stream")["strm"].clone();
    assert_eq!(streamed(&packed, |piece, _| step("inflate", &stream, piece, 0)), text);

    inflate.inflate_reset().expect("it begins again");
    let error = inflate.inflate(None, b"no zlib", 100).expect_err("another format");
    assert_eq!((error.code(), error.text()), (Some(-3), Some("incorrect header check")));
    call(&zlib, "inflateReset", &json!({"strm": stream})).expect("it begins again");
    let other = json!({"strm": stream, "next_in": TEXT, "avail_out": 100});
    assert_fails(&zlib, "inflate", &other, "incorrect header check");
    let text = call(&zlib, "inflateMsg", &json!({"strm": stream})).expect("a text");
    assert_eq!(text, json!({"text": "incorrect header check"}));
}

/// Passes pieces of 100 bytes to `step`, and what it left of them, until it writes no more.
fn streamed(input: &[u8], mut step: impl FnMut(&[u8], bool) -> (Vec<u8>, u32)) -> Vec<u8> {
    let mut output = Vec::new();
    let mut pieces = input.chunks(100).peekable();
    while let Some(mut piece) = pieces.next() {
        let is_last = pieces.peek().is_none();
        loop {
            let (written, left) = step(piece, is_last);
            piece = &piece[piece.len() - left as usize..];
            let is_full = written.len() == 100;
            output.extend(written);
            if !is_full {
                break;
            }
        }
    }
    output
}

#[test]
fn zlib() {
    let _turn = one_at_a_time();
    let binding: Twin<Zlib> = of_system("libz.so.1");
    Binding::load(&binding).expect("it describes itself");
    let zlib = Session::new(&binding);
    let crc = call(&zlib, "crc32", &json!({"crc": 0, "buf": TEXT})).expect("a checksum");
    assert_eq!(crc, json!({"checksum": 3_456_913_684_u32}), "{crc}");
    let table = zlib.call_json("get_crc_table", "{}").expect("a table");
    assert!(table.starts_with(r#"{"table":[0,1996959894,"#), "{table}");
    let packed = call(&zlib, "compress", &json!({"source": TEXT})).expect("it fits")["dest"].clone();
    for (function, length) in [("uncompress", 43), ("uncompress2", 43), ("uncompress", 100)] {
        let unpacked = call(&zlib, function, &json!({"source": packed, "destLen": length})).expect("it fits");
        assert_eq!(unpacked["dest"], TEXT, "{function}");
    }
    assert_fails(&zlib, "uncompress", &json!({"source": packed, "destLen": 4}), "code -5");
    assert_fails(&zlib, "uncompress", &json!({"source": TEXT, "destLen": 43}), "code -3");

    // Both tools write the same bytes to the same file.
    let path = std::env::temp_dir().join(format!("opendyn_examples_{}.gz", std::process::id()));
    let open = |mode: &str| call(&zlib, "gzopen", &json!({"path": path.to_string_lossy(), "mode": mode}));
    let file = open("wb").expect("a file")["file"].clone();
    for (function, arguments) in [
        ("gzputs", json!({"file": file, "s": "bytes: "})),
        ("gzprintf_int", json!({"file": file, "format": "%d", "value": 43})),
        ("gzputs", json!({"file": file, "s": "\n"})),
        ("gzwrite", json!({"file": file, "buf": TEXT})),
        ("gzclose", json!({"file": file})),
    ] {
        call(&zlib, function, &arguments).expect(function);
    }
    assert_fails(&zlib, "gzclose", &json!({"file": file}), "was freed");
    let file = open("rb").expect("a file")["file"].clone();
    let line = call(&zlib, "gzgets", &json!({"file": file, "len": 100})).expect("a line");
    assert_eq!(line["buf"], "bytes: 43\n");
    let read = call(&zlib, "gzread", &json!({"file": file, "len": 43})).expect("the rest");
    assert_eq!(read["buf"], TEXT);
    // The session closes the file.
    drop(zlib);
    std::fs::remove_file(path).expect("it was written");
}

/// The documents of zlib and SQLite do not say that all of it is thread-safe, so that one test at a time binds them.
fn one_at_a_time() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn sqlite() {
    let _alone = one_at_a_time();
    let binding: Twin<Sqlite> = of_system("libsqlite3.so.0");
    Binding::load(&binding).expect("it describes itself");
    let sqlite = Session::new(&binding);
    let run = |function: &str, arguments: Value| call(&sqlite, function, &arguments).expect(function);
    let db = run("sqlite3_open", json!({"filename": ":memory:"}))["db"].clone();
    let create =
        "CREATE TABLE planets (name TEXT UNIQUE, distance INTEGER, gravity REAL, symbol BLOB, by TEXT)";
    run("sqlite3_exec", json!({"db": db, "sql": create}));
    let prepare = |sql: &str| run("sqlite3_prepare_v2", json!({"db": db, "sql": sql}))["stmt"].clone();
    let insert = prepare("INSERT INTO planets VALUES (?, ?, ?, ?, ?)");
    for (name, distance) in [("Saturn", json!(1_426_666_422)), ("Été", json!("9007199254740993"))] {
        run("sqlite3_bind_text", json!({"stmt": insert, "index": 1, "value": name}));
        run("sqlite3_bind_int64", json!({"stmt": insert, "index": 2, "value": distance}));
        run("sqlite3_bind_double", json!({"stmt": insert, "index": 3, "value": 10.44}));
        run("sqlite3_bind_blob", json!({"stmt": insert, "index": 4, "value": "4pmE"}));
        run("sqlite3_bind_null", json!({"stmt": insert, "index": 5}));
        run("sqlite3_expanded_sql", json!({"stmt": insert}));
        run("sqlite3_step", json!({"stmt": insert}));
        run("sqlite3_reset", json!({"stmt": insert}));
    }
    let listed =
        run("sqlite3_exec", json!({"db": db, "sql": "SELECT name, by FROM planets; SELECT 1 AS one"}));
    let expected = json!({"errmsg": null, "rows": [
        {"values": ["Saturn", null], "names": ["name", "by"]},
        {"values": ["Été", null], "names": ["name", "by"]},
        {"values": ["1"], "names": ["one"]},
    ]});
    assert_eq!(listed, expected, "all rows, in one call");
    let broken = json!({"db": db, "sql": "SELECT 1 AS one; SELECT ghost FROM planets"});
    let error = call(&sqlite, "sqlite3_exec", &broken).expect_err("no such column");
    assert_eq!(error.to_string(), "the call failed with code 1 (ERROR): no such column: ghost");
    let ToolError::CallFailed { details: Some(details), .. } = error else { panic!("{error}") };
    assert_eq!(details.outputs["errmsg"], "no such column: ghost");
    assert_eq!(details.outputs["rows"], json!([{"values": ["1"], "names": ["one"]}]));
    let select = prepare("SELECT * FROM planets");
    let mut rows = 0;
    while run("sqlite3_step", json!({"stmt": select}))["code"] == 100 {
        rows += 1;
        for (function, column) in
            [("text", 0), ("int64", 1), ("double", 2), ("blob", 3), ("text", 4), ("type", 4)]
        {
            run(&format!("sqlite3_column_{function}"), json!({"stmt": select, "column": column}));
        }
    }
    assert_eq!(rows, 2);
    assert_fails(
        &sqlite,
        "sqlite3_step",
        &json!({"stmt": insert}),
        "code 19 (CONSTRAINT): UNIQUE constraint failed: planets.name",
    );
    assert_fails(&sqlite, "sqlite3_prepare_v2", &json!({"db": db, "sql": "SELEC name"}), "code 1");
    assert_eq!(run("sqlite3_errmsg", json!({"db": db})), run("sqlite3_errmsg16", json!({"db": db})));
    assert_fails(&sqlite, "sqlite3_open", &json!({"filename": "/nowhere/planets.db"}), "code 14");
    run("sqlite3_serialize", json!({"db": db}));
    assert_fails(
        &sqlite,
        "sqlite3_exec",
        &json!({"db": db, "sql": "", "rows": "x"}),
        "expected true or false",
    );
    assert_fails(&sqlite, "sqlite3_free", &json!({"memory": 4096}), "/memory");
    assert_fails(&sqlite, "sqlite3_malloc", &json!({"size": 4096}), "cannot be called with JSON");
    assert_fails(&sqlite, "sqlite3_errmsg", &json!({"db": select}), "is a handle of type");
    assert_fails(&sqlite, "sqlite3_close", &json!({"db": db}), "live in it");
    run("sqlite3_finalize", json!({"stmt": insert}));
    assert_fails(&sqlite, "sqlite3_step", &json!({"stmt": insert}), "was freed");
    let other = Session::new(&binding);
    assert_fails(&other, "sqlite3_errmsg", &json!({"db": db}), "belongs to another session");
    // A connection of the binding itself, which lives as long as it does.
    call(&binding, "sqlite3_open", &json!({"filename": ":memory:"})).expect("a connection");
}

/// What the program of the example does not call: errors in both encodings, types, a closure that C keeps, the file.
#[test]
fn sqlite_typed() {
    let _alone = one_at_a_time();
    // SAFETY: the document describes the library correctly.
    let sqlite = unsafe { Sqlite::open("libsqlite3.so.0") }.expect("it is installed");
    let db = sqlite.sqlite3_open(c":memory:").expect("a connection");
    db.exec(c"CREATE TABLE planets (name TEXT)", None).expect("a table");
    let stmt = db.prepare_v2(c"SELECT NULL, 'Saturn'").expect("SQL").stmt.expect("a statement");
    stmt.sqlite3_step().expect("a row");
    assert_eq!(stmt.sqlite3_column_type(0), ColumnType::Null);
    assert_eq!(stmt.sqlite3_column_type(1), ColumnType::Text);
    drop(stmt);

    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    // It refuses the second commit.
    db.commit_hook(Some(Box::new(move || c_int::from(counter.fetch_add(1, Ordering::Relaxed) == 1))));
    let insert = c"INSERT INTO planets VALUES ('Saturn')";
    db.exec(insert, None).expect("the first commit");
    let error = db.exec(insert, None).expect_err("the hook refuses");
    assert_eq!((error.code(), error.text()), (Some(19), Some("constraint failed")));
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    assert_eq!(db.errmsg().expect("a text").as_c_str(), c"constraint failed");
    assert_eq!(db.errmsg16().expect("a text").to_string_lossy(), "constraint failed");

    if sqlite.has_sqlite3_serialize() {
        let file = db.serialize(None).expect("it is there").expect("memory");
        assert!(file.starts_with(b"SQLite format 3"));
    }
    db.close().expect("nothing is open in it");
    assert_eq!(Arc::strong_count(&asked), 1, "the closure is dropped with the connection");
}
