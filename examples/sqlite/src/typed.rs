//! The steps with typed calls. A connection is a `Sqlite3`, a statement is a `Sqlite3Stmt` that borrows
//! it; both are freed when dropped.

use std::cell::Cell;
use std::error::Error;
use std::ffi::{CStr, CString, c_int};
use std::rc::Rc;

use opendyn::{CallError, CodeError};

use crate::{
    CREATE, ColumnType, Failure, INSERT, Planet, Results, SELECT, Sqlite, Sqlite3, Sqlite3Stmt, SqliteCode,
};

pub fn run(sqlite: &Sqlite, planets: &[Planet]) -> Result<Results, Box<dyn Error>> {
    let db = sqlite.open_database(c":memory:")?;
    sqlite.exec(&db, &CString::new(CREATE)?, None)?;

    insert(sqlite, &db, planets)?;
    let read = select(sqlite, &db)?;
    for planet in &read {
        println!("  {planet:?}");
    }
    rows_by_callback(sqlite, &db)?;
    hooks(sqlite, &db)?;

    let duplicate = failure(sqlite, &db, insert(sqlite, &db, &planets[..1]))?;
    println!("  the same name twice: {duplicate:?}");
    let syntax = failure(sqlite, &db, prepare(sqlite, &db, "SELEC name").map(drop))?;
    println!("  not SQL: {syntax:?}");
    match sqlite.open_database(c"/nowhere/planets.db") {
        Err(CallError::Failed(error)) => println!("  no such folder: {error}"),
        other => return Err(format!("a database in a folder that does not exist: {other:?}").into()),
    }

    // The library may be built without it: then the call is an error, and `has_serialize` is false.
    if sqlite.has_serialize() {
        let file = sqlite.serialize(&db, None)?.ok_or("no memory")?;
        if !file.starts_with(b"SQLite format 3") {
            return Err("the file has another format".into());
        }
    }

    // Closing explicitly returns errors. It would not compile while a statement borrows `db`.
    sqlite.close(db)?;
    Ok(Results { planets: read, duplicate, syntax })
}

fn prepare<'h>(
    sqlite: &'h Sqlite,
    db: &'h Sqlite3<'_>,
    sql: &str,
) -> Result<Sqlite3Stmt<'h>, Box<dyn Error>> {
    // A text of only spaces and comments has no statement, which is not an error in SQLite.
    let prepared = sqlite.prepare_v2(db, &CString::new(sql)?)?;
    prepared.stmt.ok_or_else(|| "there is no statement in it".into())
}

fn insert(sqlite: &Sqlite, db: &Sqlite3<'_>, planets: &[Planet]) -> Result<(), Box<dyn Error>> {
    let stmt = prepare(sqlite, db, INSERT)?;
    for planet in planets {
        sqlite.bind_text(&stmt, 1, &planet.name)?;
        sqlite.bind_int64(&stmt, 2, planet.distance)?;
        sqlite.bind_double(&stmt, 3, planet.gravity)?;
        sqlite.bind_blob(&stmt, 4, &planet.symbol)?;
        match &planet.discoverer {
            Some(discoverer) => sqlite.bind_text(&stmt, 5, discoverer)?,
            None => sqlite.bind_null(&stmt, 5)?,
        }
        // SQLite allocated this memory: it is copied, and freed by `sqlite3_free`.
        println!("  {}", sqlite.expanded_sql(&stmt).unwrap_or_default().to_string_lossy());
        sqlite.step(&stmt)?;
        sqlite.reset(&stmt);
    }
    Ok(())
}

fn select(sqlite: &Sqlite, db: &Sqlite3<'_>) -> Result<Vec<Planet>, Box<dyn Error>> {
    let stmt = prepare(sqlite, db, SELECT)?;
    let text = |column| sqlite.column_text(&stmt, column).map(CString::into_string).transpose();
    let mut planets = Vec::new();
    // Two codes are success here, so the method returns the code.
    while sqlite.step(&stmt)? == SqliteCode::ROW {
        let discoverer = text(4)?;
        if discoverer.is_none() != (sqlite.column_type(&stmt, 4) == ColumnType::Null) {
            return Err(format!("{discoverer:?} is of another type").into());
        }
        planets.push(Planet {
            name: text(0)?.ok_or("a planet without a name")?,
            distance: sqlite.column_int64(&stmt, 1),
            gravity: sqlite.column_double(&stmt, 2),
            symbol: sqlite.column_blob(&stmt, 3)?.unwrap_or_default(),
            discoverer,
        });
    }
    Ok(planets)
}

/// C calls a closure for each row, while `exec` runs. The closure may borrow local variables.
fn rows_by_callback(sqlite: &Sqlite, db: &Sqlite3<'_>) -> Result<(), CallError> {
    let mut rows = Vec::new();
    let mut collect = |values: opendyn::CStrings<'_>, names: opendyn::CStrings<'_>| {
        let text = |text: Option<&CStr>| text.map_or("NULL".into(), CStr::to_string_lossy).into_owned();
        rows.extend(names.iter().zip(values.iter()).map(|(name, value)| (text(name), text(value))));
        0
    };
    sqlite.exec(db, c"SELECT name, discoverer FROM planets", Some(&mut collect))?;
    for (name, value) in rows {
        println!("  a closure was called with {name} = {value}");
    }
    Ok(())
}

/// C calls a closure at each commit, until the connection is closed, so the closure owns its data.
fn hooks(sqlite: &Sqlite, db: &Sqlite3<'_>) -> Result<(), Box<dyn Error>> {
    let commits = Rc::new(Cell::new(0));
    let hook = {
        let commits = Rc::clone(&commits);
        // The third commit is refused.
        move || {
            commits.set(commits.get() + 1);
            c_int::from(commits.get() == 3)
        }
    };
    sqlite.commit_hook(db, Some(Box::new(hook)));

    let update = c"UPDATE planets SET discoverer = discoverer";
    sqlite.exec(db, update, None)?;
    sqlite.exec(db, update, None)?;
    match sqlite.exec(db, update, None) {
        Err(error) => println!("  commit {} was refused by a closure: {error}", commits.get()),
        Ok(_) => return Err("the hook did not refuse".into()),
    }
    sqlite.commit_hook(db, None);
    Ok(())
}

/// The error of a call that has to fail, by its code and by SQLite.
fn failure(
    sqlite: &Sqlite,
    db: &Sqlite3<'_>,
    result: Result<(), Box<dyn Error>>,
) -> Result<Failure, Box<dyn Error>> {
    let Err(error) = result else { return Err("the call should have failed".into()) };
    let (code, text) = match error.downcast::<CodeError>() {
        Ok(error) => (Some(error.code()), error.text().map(str::to_owned)),
        // Compiling a statement fails with the text of the connection.
        Err(error) => {
            let error = error.downcast::<CallError>()?;
            (error.code(), error.text().map(str::to_owned))
        }
    };
    let message = sqlite.errmsg(db)?.into_string()?;
    // The same message in UTF-16.
    if sqlite.errmsg16(db)?.to_string_lossy() != message {
        return Err("UTF-8 and UTF-16 differ".into());
    }
    Ok(Failure { code: code.ok_or("no code")?, text: text.unwrap_or_default(), message })
}
