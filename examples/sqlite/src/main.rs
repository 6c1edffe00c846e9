//! SQLite through its description: typed calls, and the same steps with JSON only. Both must have the same results.

mod json;
mod typed;

use std::error::Error;

// `sqlite3_open` is `sqlite.open`, `sqlite3_step` is `stmt.step`. JSON callers use the C names.
opendyn::opendyn!(
    "sqlite.json",
    strip_prefix = "sqlite3_",
    rename = { "sqlite3_prepare_v2" = prepare },
    strings = str,
);

/// A row of the table: text, an integer that a double cannot represent, a number, bytes, and text or NULL.
#[derive(Debug, PartialEq)]
struct Planet {
    name: String,
    micrometres: i64,
    gravity: f64,
    symbol: Vec<u8>,
    discoverer: Option<String>,
}

/// What both ways must agree on.
#[derive(Debug, PartialEq)]
struct Results {
    planets: Vec<Planet>,
    /// Columns as text, from the callback of `sqlite3_exec`.
    rows: Vec<Vec<Option<String>>>,
    /// Codes and texts: a name that exists already, text that is not SQL, a folder that does not exist.
    failures: [(i64, String); 3],
}

const CREATE: &str = "CREATE TABLE planets (name UNIQUE, micrometres, gravity, symbol, discoverer)";
const INSERT: &str = "INSERT INTO planets VALUES (?, ?, ?, ?, ?)";
const SELECT: &str = "SELECT * FROM planets ORDER BY micrometres";
const NAMES: &str = "SELECT name, discoverer FROM planets";

fn main() -> Result<(), Box<dyn Error>> {
    let planets = [
        ("Earth", 149_598_023_000_000_000, 9.80665, "🜨", None),
        ("Neptune", 4_498_396_441_000_000_001, 11.15, "♆", Some("Le Verrier")),
    ]
    .map(|(name, micrometres, gravity, symbol, discoverer)| Planet {
        name: name.to_owned(),
        micrometres,
        gravity,
        symbol: symbol.into(),
        discoverer: discoverer.map(str::to_owned),
    });
    // SAFETY: sqlite.json agrees with the header of SQLite.
    let sqlite = unsafe { Sqlite::open_default()? };

    println!("Typed:");
    let typed = typed::run(&sqlite, &planets)?;
    println!("\nWith JSON:");
    let json = json::run(&sqlite, &planets)?;
    assert_eq!(typed, json);
    assert_eq!(typed.planets, planets);
    println!("\nBoth have the same results.");

    // The JSON calls left a connection open in the binding, which closes it when dropped.
    assert_ne!(sqlite.memory_used(), 0);
    drop(sqlite);
    // SAFETY: as before. The library is still loaded, so this is the same one.
    assert_eq!(unsafe { Sqlite::open_default()? }.memory_used(), 0);
    println!("Everything that was opened is closed.");
    Ok(())
}
