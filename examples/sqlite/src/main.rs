//! SQLite as an agent sees it: connections and statements are tokens, values are JSON.

use std::error::Error;

use serde_json::{Value, json};

opendyn::opendyn!("sqlite.json");

fn main() -> Result<(), Box<dyn Error>> {
    // SAFETY: sqlite.json describes SQLite as its header does.
    let sqlite = unsafe { Sqlite::open_default()? };
    let call = |function: &str, arguments: Value| -> Result<Value, Box<dyn Error>> {
        let reply = sqlite.call_json(function, &arguments.to_string())?;
        println!("{function} {arguments}\n  {reply}");
        Ok(serde_json::from_str(&reply)?)
    };

    let opened = call("sqlite3_open", json!({"filename": ":memory:"}))?;
    let db = &opened["db"];
    call("sqlite3_exec", json!({"db": db, "sql": "CREATE TABLE planets (name TEXT, moons INTEGER)"}))?;

    let insert = "INSERT INTO planets VALUES (:name, :moons)";
    let insert = call("sqlite3_prepare_v2", json!({"db": db, "sql": insert}))?;
    for (name, moons) in [("Earth", 1), ("Mars", 2), ("Jupiter", 95)] {
        call("sqlite3_bind_text", json!({"stmt": insert["stmt"], "index": 1, "value": name}))?;
        call("sqlite3_bind_int", json!({"stmt": insert["stmt"], "index": 2, "value": moons}))?;
        call("sqlite3_step", json!({"stmt": insert["stmt"]}))?;
        call("sqlite3_reset", json!({"stmt": insert["stmt"]}))?;
    }
    call("sqlite3_finalize", json!({"stmt": insert["stmt"]}))?;

    let select = "SELECT name, moons FROM planets ORDER BY moons DESC";
    let select = call("sqlite3_prepare_v2", json!({"db": db, "sql": select}))?;
    let mut names = Vec::new();
    while call("sqlite3_step", json!({"stmt": select["stmt"]}))?["code"] == 100 {
        let name = call("sqlite3_column_text", json!({"stmt": select["stmt"], "column": 0}))?;
        names.push(name["value"].clone());
    }
    if names != ["Jupiter", "Mars", "Earth"] {
        return Err(format!("the planets are {names:?}").into());
    }

    // A statement lives in the connection, which therefore stays open until it is gone.
    let close = json!({"db": db}).to_string();
    match sqlite.call_json("sqlite3_close_v2", &close) {
        Ok(_) => return Err("the connection was closed under its statement".into()),
        Err(error) => println!("sqlite3_close_v2 {close}\n  {error}"),
    }
    call("sqlite3_finalize", json!({"stmt": select["stmt"]}))?;
    call("sqlite3_close_v2", json!({"db": db}))?;
    Ok(())
}
