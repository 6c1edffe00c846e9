//! The steps with typed calls. A connection is a `Sqlite3`; a statement is a `Stmt`, which borrows it. Both are
//! freed when dropped.

use std::error::Error;

use opendyn::CallError;

use crate::{CREATE, INSERT, NAMES, Planet, Results, SELECT, Sqlite, SqliteCode};

pub fn run(sqlite: &Sqlite, planets: &[Planet]) -> Result<Results, Box<dyn Error>> {
    let db = sqlite.open(":memory:")?;
    db.exec(CREATE, None)?;
    // Only a text without SQL, such as a comment, has no statement.
    let insert = db.prepare(INSERT)?.stmt.ok_or("no statement")?;
    for planet in planets {
        insert.bind_text(1, &planet.name)?;
        insert.bind_int64(2, planet.micrometres)?;
        insert.bind_double(3, planet.gravity)?;
        insert.bind_blob(4, &planet.symbol)?;
        match &planet.discoverer {
            Some(name) => insert.bind_text(5, name)?,
            None => insert.bind_null(5)?,
        }
        println!("  {}", insert.expanded_sql()?.unwrap_or_default());
        insert.step()?;
        insert.reset();
    }

    let select = db.prepare(SELECT)?.stmt.ok_or("no statement")?;
    let mut read = Vec::new();
    while select.step()? == SqliteCode::ROW {
        read.push(Planet {
            name: select.column_text(0)?.ok_or("no name")?,
            micrometres: select.column_int64(1),
            gravity: select.column_double(2),
            symbol: select.column_blob(3)?.unwrap_or_default(),
            discoverer: select.column_text(4)?,
        });
    }

    // SQLite calls the closure for each row, while `exec` runs.
    let mut rows = Vec::new();
    db.exec(
        NAMES,
        Some(&mut |values, _names| {
            rows.push(values.iter().map(|value| Some(value?.to_string_lossy().into_owned())).collect());
            0
        }),
    )?;
    println!("  {rows:?}");

    let duplicate = failure(insert.step(), SqliteCode::CONSTRAINT)?;
    let syntax = failure(db.prepare("SELEC name"), SqliteCode::ERROR)?;
    let nowhere = failure(sqlite.open("/nowhere/planets.db"), SqliteCode::CANTOPEN)?;
    Ok(Results { planets: read, rows, failures: [duplicate, syntax, nowhere] })
}

/// What SQLite says about a call that has to fail with `code`.
fn failure<T>(result: Result<T, CallError>, code: SqliteCode) -> Result<(i64, String), Box<dyn Error>> {
    let error = result.err().ok_or("the call should have failed")?;
    println!("  {error}");
    assert!(error.is(code));
    Ok((code.into(), error.text().unwrap_or_default().to_owned()))
}
