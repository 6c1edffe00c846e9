//! The same steps with JSON only, as an agent makes them: connections and statements are tokens,
//! integers beyond 2^53 are decimal strings, bytes are base64.

use std::error::Error;

use data_encoding::BASE64;
use opendyn::{Session, Tool, ToolError};
use serde_json::{Value, json};

use crate::{CREATE, Failure, INSERT, Planet, Results, SELECT, Sqlite};

pub fn run(binding: &Sqlite, planets: &[Planet]) -> Result<Results, Box<dyn Error>> {
    // One caller, with tokens of its own.
    let sqlite = Session::new(binding);
    let opened = call(&sqlite, "sqlite3_open", json!({"filename": ":memory:"}))?;
    let db = &opened["db"];
    call(&sqlite, "sqlite3_exec", json!({"db": db, "sql": CREATE}))?;

    let prepared = call(&sqlite, "sqlite3_prepare_v2", json!({"db": db, "sql": INSERT}))?;
    let insert = &prepared["stmt"];
    for planet in planets {
        bind(&sqlite, insert, planet)?;
        call(&sqlite, "sqlite3_expanded_sql", json!({"stmt": insert}))?;
        call(&sqlite, "sqlite3_step", json!({"stmt": insert}))?;
        call(&sqlite, "sqlite3_reset", json!({"stmt": insert}))?;
    }
    let prepared = call(&sqlite, "sqlite3_prepare_v2", json!({"db": db, "sql": SELECT}))?;
    let select = &prepared["stmt"];
    let mut read = Vec::new();
    while call(&sqlite, "sqlite3_step", json!({"stmt": select}))?["code"] == 100 {
        read.push(columns(&sqlite, select)?);
    }

    let duplicate = failure(&sqlite, db, "sqlite3_step", json!({"stmt": insert}))?;
    let syntax = failure(&sqlite, db, "sqlite3_prepare_v2", json!({"db": db, "sql": "SELEC name"}))?;
    fail(&sqlite, "sqlite3_open", json!({"filename": "/nowhere/planets.db"}))?;

    // Not printed: it is the whole file in base64.
    if binding.has_serialize() {
        let file = sqlite.call_json("sqlite3_serialize", &json!({"db": db}).to_string())?;
        if !file.starts_with(&format!(r#"{{"database":"{}"#, BASE64.encode(b"SQLite format 3"))) {
            return Err("the file has another format".into());
        }
    }

    // JSON has no closures and no addresses. A token has one type and one owner, and is invalid once freed.
    fail(&sqlite, "sqlite3_exec", json!({"db": db, "sql": SELECT, "callback": "print"}))?;
    fail(&sqlite, "sqlite3_free", json!({"memory": 4096}))?;
    fail(&sqlite, "sqlite3_malloc", json!({"size": 4096}))?;
    fail(&sqlite, "sqlite3_errmsg", json!({"db": select}))?;
    fail(&sqlite, "sqlite3_close", json!({"db": db}))?;
    call(&sqlite, "sqlite3_finalize", json!({"stmt": insert}))?;
    fail(&sqlite, "sqlite3_step", json!({"stmt": insert}))?;
    println!("  another session:");
    fail(&Session::new(binding), "sqlite3_errmsg", json!({"db": db}))?;

    // Calls on the binding itself have tokens too, which are valid as long as the binding.
    binding.call_json("sqlite3_open", r#"{"filename":":memory:"}"#)?;
    Ok(Results { planets: read, duplicate, syntax })
    // The connection and a statement are still open: dropping the session frees them in the right order.
}

fn bind(sqlite: &Session<&Sqlite>, stmt: &Value, planet: &Planet) -> Result<(), Box<dyn Error>> {
    call(sqlite, "sqlite3_bind_text", json!({"stmt": stmt, "index": 1, "value": planet.name}))?;
    call(sqlite, "sqlite3_bind_int64", json!({"stmt": stmt, "index": 2, "value": planet.distance}))?;
    call(sqlite, "sqlite3_bind_double", json!({"stmt": stmt, "index": 3, "value": planet.gravity}))?;
    let symbol = BASE64.encode(&planet.symbol);
    call(sqlite, "sqlite3_bind_blob", json!({"stmt": stmt, "index": 4, "value": symbol}))?;
    match &planet.discoverer {
        Some(name) => call(sqlite, "sqlite3_bind_text", json!({"stmt": stmt, "index": 5, "value": name}))?,
        None => call(sqlite, "sqlite3_bind_null", json!({"stmt": stmt, "index": 5}))?,
    };
    Ok(())
}

fn columns(sqlite: &Session<&Sqlite>, stmt: &Value) -> Result<Planet, Box<dyn Error>> {
    let column = |function, column| -> Result<Value, Box<dyn Error>> {
        Ok(call(sqlite, function, json!({"stmt": stmt, "column": column}))?["value"].take())
    };
    // 5 is NULL, and the OpenTool document says so.
    let kind = call(sqlite, "sqlite3_column_type", json!({"stmt": stmt, "column": 4}))?;
    let discoverer = column("sqlite3_column_text", 4)?.as_str().map(str::to_owned);
    if discoverer.is_none() != (kind["type"] == 5) {
        return Err(format!("{discoverer:?} is of type {kind}").into());
    }
    Ok(Planet {
        name: column("sqlite3_column_text", 0)?.as_str().ok_or("the name is missing")?.to_owned(),
        distance: match column("sqlite3_column_int64", 1)? {
            Value::String(digits) => digits.parse()?,
            number => number.as_i64().ok_or("not an integer")?,
        },
        gravity: column("sqlite3_column_double", 2)?.as_f64().ok_or("not a number")?,
        symbol: BASE64.decode(column("sqlite3_column_blob", 3)?.as_str().ok_or("not bytes")?.as_bytes())?,
        discoverer,
    })
}

/// Makes a call that has to succeed, and prints it.
fn call(sqlite: &Session<&Sqlite>, function: &str, arguments: Value) -> Result<Value, Box<dyn Error>> {
    let reply = sqlite.call_json(function, &arguments.to_string())?;
    println!("  {function} {} -> {}", shown(&arguments.to_string()), shown(&reply));
    Ok(serde_json::from_str(&reply)?)
}

/// Makes a call that has to fail, and prints it.
fn fail(sqlite: &Session<&Sqlite>, function: &str, arguments: Value) -> Result<ToolError, Box<dyn Error>> {
    match sqlite.call_json(function, &arguments.to_string()) {
        Ok(reply) => Err(format!("the call should have failed: {reply}").into()),
        Err(error) => {
            println!("  {function} {}\n    {}", shown(&arguments.to_string()), shown(&error.to_string()));
            Ok(error)
        }
    }
}

/// The error of a call that has to fail, by its code and by SQLite.
fn failure(
    sqlite: &Session<&Sqlite>,
    db: &Value,
    function: &str,
    arguments: Value,
) -> Result<Failure, Box<dyn Error>> {
    match fail(sqlite, function, arguments)? {
        ToolError::CallFailed { code: Some(code), message: text, .. } => {
            let told = call(sqlite, "sqlite3_errmsg", json!({"db": db}))?;
            if call(sqlite, "sqlite3_errmsg16", json!({"db": db}))? != told {
                return Err("UTF-8 and UTF-16 differ".into());
            }
            Ok(Failure { code, text, message: told["text"].as_str().unwrap_or_default().to_owned() })
        }
        error => Err(error.into()),
    }
}

/// JSON as it is printed: tokens are reduced to their type, because the rest differs in each run.
fn shown(text: &str) -> String {
    ["sqlite3:", "sqlite3_stmt:"].iter().fold(text.to_owned(), |text, name| {
        let mut parts = text.split(name);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |shown, rest| {
            shown + name + "…" + rest.trim_start_matches(|c: char| c.is_ascii_hexdigit() || c == '.')
        })
    })
}
