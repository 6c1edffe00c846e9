//! Seven tasks with SQLite.

use serde_json::{Value, json};

use super::Model;

/// The number of calls that they took.
pub(crate) fn tasks() -> usize {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tools-sqlite");
    std::fs::create_dir_all(&folder).expect("a folder");
    let copy = folder.join("copy.db");
    let _ = std::fs::remove_file(&copy);
    let allowed = folder.to_str().expect("UTF-8");
    let mut model = Model::at(&[
        "sqlite/sqlite.json",
        "sqlite/tools/query.py",
        "sqlite/tools/backup.py",
        "--allow-write",
        allowed,
    ]);
    // The instructions name the functions, and one search shows their arguments.
    for name in ["sqlite3_open", "sqlite3_exec", "sqlite3_close"] {
        assert!(model.instructions.contains(name), "{name}");
    }
    model.search("sqlite3_open sqlite3_exec sqlite3_close");
    let db = model.call("sqlite3_open", json!({"filename": ":memory:"}))["db"].clone();

    // The average of five rows.
    let sql = "create table five (x); insert into five values (1), (2), (3), (4), (10); select avg(x) as mean from five";
    let reply = model.call("sqlite3_exec", json!({"db": db, "sql": sql}));
    assert_eq!(reply["rows"], json!([{"values": ["4.0"], "names": ["mean"]}]));

    // 20 rows as JSON.
    let sql = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20) \
               select i, i * i as square, 'row ' || i as name from n";
    let reply = model.call("query", json!({"db": db, "sql": sql}));
    let rows = reply["data"]["rows"].as_array().expect("rows");
    assert_eq!((rows.len(), &rows[19]), (20, &json!({"i": 20, "square": 400, "name": "row 20"})));

    // A syntax error, explained.
    let error = model.mistake("sqlite3_exec", json!({"db": db, "sql": "selec x from five"}));
    assert!(error.contains("near \"selec\": syntax error") && error.contains("Correct the SQL"), "{error}");

    // Version and compile options.
    let sql = "select sqlite_version() as version, group_concat(compile_options) as options \
               from pragma_compile_options";
    let reply = model.call("query", json!({"db": db, "sql": sql}));
    let row = &reply["data"]["rows"][0];
    assert!(row["version"].as_str().is_some_and(|version| version.starts_with("3.")), "{row}");
    assert!(row["options"].as_str().is_some_and(|options| options.contains("THREADSAFE")), "{row}");

    // A blob of 1,000 bytes.
    let bytes = "QUJD".repeat(333) + "RA==";
    model.call("query", json!({"db": db, "sql": "create table blobs (b blob)"}));
    let sql = "insert into blobs values (?) returning length(b) as length, b";
    let reply = model.call("query", json!({"db": db, "sql": sql, "params": [{"base64": bytes}]}));
    assert_eq!(reply["data"]["rows"], json!([{"length": 1000, "b": {"base64": bytes}}]));

    // Mistakes with values, and with what a connection still has.
    let error = model.mistake("query", json!({"db": db, "sql": "select ?, ?", "params": [1]}));
    assert!(error.contains("the SQL has 2 parameters, and `params` has 1 values"), "{error}");
    model.search("prepare a statement, finalize a statement");
    let open =
        model.call("sqlite3_prepare_v2", json!({"db": db, "sql": "select x from five"}))["stmt"].clone();
    let error = model.mistake("sqlite3_close", json!({"db": db}));
    assert!(error.contains(open.as_str().expect("a token")) && error.contains("free that first"), "{error}");
    model.call("sqlite3_finalize", json!({"stmt": open}));

    // A backup.
    let reply = model.call("backup", json!({"db": db, "path": copy}));
    assert!(reply["data"]["pages"].as_i64().is_some_and(|pages| pages > 0), "{reply}");
    assert!(copy.metadata().is_ok_and(|file| file.len() > 0));
    let error = model.mistake("backup", json!({"db": db, "path": "/etc/copy.db"}));
    assert!(error.contains("--allow-write /etc"), "{error}");

    // Everything is closed.
    assert_eq!(model.call("sqlite3_close", json!({"db": db})), Value::Object(serde_json::Map::default()));
    model.calls
}
