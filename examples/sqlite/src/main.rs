//! SQLite from its description: what a Rust program does with it, and the same steps by JSON
//! alone. Both have to come to the same results.

mod json;
mod typed;

use std::error::Error;

// `sqlite3_step` becomes `sqlite.step`. Every binding has an `open`, so SQLite's gets a name of
// its own. JSON callers know all of them by their names in C.
opendyn::opendyn!("sqlite.json", strip_prefix = "sqlite3_", rename = { "sqlite3_open" = open_database });

/// A row of the table: text, an integer of 64 bits, a number, bytes, and text or NULL.
#[derive(Clone, Debug, PartialEq)]
struct Planet {
    name: String,
    /// From the sun, in micrometres: more than a double can hold exactly.
    distance: i64,
    gravity: f64,
    /// The bytes of its symbol.
    symbol: Vec<u8>,
    /// Nobody discovered the Earth.
    discoverer: Option<String>,
}

/// A call that failed: its code, the text of that in the document, and SQLite's own words.
#[derive(Debug, PartialEq)]
struct Failure {
    code: i64,
    text: String,
    message: String,
}

/// What both ways have to agree on.
#[derive(Debug, PartialEq)]
struct Results {
    planets: Vec<Planet>,
    /// A name that is there already.
    duplicate: Failure,
    /// SQL that is none.
    syntax: Failure,
}

const CREATE: &str = "CREATE TABLE planets (name TEXT UNIQUE, distance INTEGER, gravity REAL, symbol BLOB, \
                      discoverer TEXT)";
const INSERT: &str = "INSERT INTO planets VALUES (?, ?, ?, ?, ?)";
const SELECT: &str = "SELECT * FROM planets ORDER BY distance";

fn main() -> Result<(), Box<dyn Error>> {
    // SAFETY: sqlite.json describes SQLite as its header does.
    let sqlite = unsafe { Sqlite::open_default()? };
    let planets = planets();

    println!("Typed:");
    let typed = typed::run(&sqlite, &planets)?;
    println!("\nWith JSON:");
    let json = json::run(&sqlite, &planets)?;

    if typed != json {
        return Err(format!("they differ: {typed:?}, {json:?}").into());
    }
    if typed.planets != planets {
        return Err(format!("what was read is not what was written: {:?}", typed.planets).into());
    }
    println!("\nBoth came to the same results.");

    // The JSON calls left a connection with the binding: it goes with it.
    let held = sqlite.memory_used();
    drop(sqlite);
    // SAFETY: as before. The library is still loaded, so this is the same one.
    let left = unsafe { Sqlite::open_default()? }.memory_used();
    if held == 0 || left != 0 {
        return Err(format!("SQLite held {held} bytes, and {left} when all were dropped").into());
    }
    println!("Nothing is left of what was opened.");
    Ok(())
}

fn planets() -> Vec<Planet> {
    vec![
        Planet {
            name: "Earth".to_owned(),
            distance: 149_598_023_000_000_000,
            gravity: 9.80665,
            symbol: "🜨".into(),
            discoverer: None,
        },
        Planet {
            name: "Neptune".to_owned(),
            distance: 4_498_396_441_000_000_001,
            gravity: 11.15,
            symbol: "♆".into(),
            discoverer: Some("Le Verrier".to_owned()),
        },
    ]
}
