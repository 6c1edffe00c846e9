//! The same steps with JSON only, as an agent makes them: connections and statements are tokens, integers beyond
//! 2^53 are decimal strings, bytes are base64.

use std::error::Error;

use data_encoding::BASE64;
use opendyn::{Session, Tool, ToolError};
use serde_json::{Value, from_str, from_value, json};

use crate::{CREATE, INSERT, NAMES, Planet, Results, SELECT, Sqlite};

pub fn run(binding: &Sqlite, planets: &[Planet]) -> Result<Results, Box<dyn Error>> {
    // One caller, with tokens of its own. What it leaves open is freed when it is dropped.
    let sqlite = Session::new(binding);
    let call = |function: &str, arguments: Value| call(&sqlite, function, &arguments);

    let db = &call("sqlite3_open", json!({"filename": ":memory:"}))?["db"];
    call("sqlite3_exec", json!({"db": db, "sql": CREATE}))?;
    let insert = &call("sqlite3_prepare_v2", json!({"db": db, "sql": INSERT}))?["stmt"];
    for planet in planets {
        call("sqlite3_bind_text", json!({"stmt": insert, "index": 1, "value": planet.name}))?;
        call("sqlite3_bind_int64", json!({"stmt": insert, "index": 2, "value": planet.micrometres}))?;
        call("sqlite3_bind_double", json!({"stmt": insert, "index": 3, "value": planet.gravity}))?;
        let symbol = BASE64.encode(&planet.symbol);
        call("sqlite3_bind_blob", json!({"stmt": insert, "index": 4, "value": symbol}))?;
        match &planet.discoverer {
            Some(name) => call("sqlite3_bind_text", json!({"stmt": insert, "index": 5, "value": name}))?,
            None => call("sqlite3_bind_null", json!({"stmt": insert, "index": 5}))?,
        };
        call("sqlite3_step", json!({"stmt": insert}))?;
        call("sqlite3_reset", json!({"stmt": insert}))?;
    }

    let select = &call("sqlite3_prepare_v2", json!({"db": db, "sql": SELECT}))?["stmt"];
    let column = |function: &str, column: i32| {
        call(function, json!({"stmt": select, "column": column})).map(|mut reply| reply["value"].take())
    };
    let mut read = Vec::new();
    while call("sqlite3_step", json!({"stmt": select}))?["code"] == 100 {
        read.push(Planet {
            name: from_value(column("sqlite3_column_text", 0)?)?,
            micrometres: from_value::<String>(column("sqlite3_column_int64", 1)?)?.parse()?,
            gravity: from_value(column("sqlite3_column_double", 2)?)?,
            symbol: BASE64.decode(from_value::<String>(column("sqlite3_column_blob", 3)?)?.as_bytes())?,
            discoverer: from_value(column("sqlite3_column_text", 4)?)?,
        });
    }

    // The document says `collect` for the callback, so its calls are in the reply.
    let reply = call("sqlite3_exec", json!({"db": db, "sql": NAMES}))?;
    let calls = reply["rows"].as_array().ok_or("no calls")?;
    let rows = calls.iter().map(|row| from_value(row["values"].clone())).collect::<Result<_, _>>()?;

    let duplicate = failure(call("sqlite3_step", json!({"stmt": insert})))?;
    let syntax = failure(call("sqlite3_prepare_v2", json!({"db": db, "sql": "SELEC name"})))?;
    let nowhere = failure(call("sqlite3_open", json!({"filename": "/nowhere/planets.db"})))?;

    // A token has one type, and is invalid once freed.
    assert!(call("sqlite3_errmsg", json!({"db": select})).is_err());
    call("sqlite3_finalize", json!({"stmt": insert}))?;
    assert!(call("sqlite3_step", json!({"stmt": insert})).is_err());
    // This connection belongs to the binding.
    binding.call_json("sqlite3_open", r#"{"filename":":memory:"}"#)?;
    Ok(Results { planets: read, rows, failures: [duplicate, syntax, nowhere] })
}

/// Makes a call and prints it. Only the types of tokens are shown, because the rest differs in each run.
fn call(sqlite: &Session<&Sqlite>, function: &str, arguments: &Value) -> Result<Value, Box<dyn Error>> {
    let reply = sqlite.call_json(function, &arguments.to_string());
    let said = reply.as_ref().map_or_else(ToString::to_string, String::clone);
    let line = format!("{function} {arguments} -> {said}");
    let parts = line.split('"').map(|part| match part.split_once(':') {
        Some((kind @ ("sqlite3" | "sqlite3_stmt"), _)) => format!("{kind}:…"),
        _ => part.to_owned(),
    });
    println!("  {}", parts.collect::<Vec<_>>().join("\""));
    Ok(from_str(&reply?)?)
}

/// What SQLite says about a call that has to fail.
fn failure(result: Result<Value, Box<dyn Error>>) -> Result<(i64, String), Box<dyn Error>> {
    let error = result.err().ok_or("the call should have failed")?;
    match *error.downcast::<ToolError>()? {
        ToolError::CallFailed { code: Some(code), message, .. } => Ok((code, message)),
        error => Err(error.into()),
    }
}
