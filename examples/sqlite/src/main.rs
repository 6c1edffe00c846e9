//! SQLite through its description: typed calls, and the same steps with JSON only. Both must have the
//! same results.

mod json;
mod typed;

use std::error::Error;

// `sqlite3_step` becomes `sqlite.step`. Every binding has an `open`, so SQLite's gets another name.
// JSON callers use the C names.
opendyn::opendyn!("sqlite.json", strip_prefix = "sqlite3_", rename = { "sqlite3_open" = open_database });

/// A row of the table: text, an integer of 64 bits, a number, bytes, and text or NULL.
#[derive(Clone, Debug, PartialEq)]
struct Planet {
    name: String,
    /// From the sun, in micrometres: more than a double can represent exactly.
    distance: i64,
    gravity: f64,
    /// The bytes of its symbol.
    symbol: Vec<u8>,
    /// `None` for the Earth.
    discoverer: Option<String>,
}

/// A failed call: its code, the text of the error (of the connection, or else of the code in the document), and
/// SQLite's own message.
#[derive(Debug, PartialEq)]
struct Failure {
    code: i64,
    text: String,
    message: String,
}

/// The results that both ways must agree on.
#[derive(Debug, PartialEq)]
struct Results {
    planets: Vec<Planet>,
    /// A name that already exists.
    duplicate: Failure,
    /// Text that is not SQL.
    syntax: Failure,
}

const CREATE: &str = "CREATE TABLE planets (name TEXT UNIQUE, distance INTEGER, gravity REAL, symbol BLOB, \
                      discoverer TEXT)";
const INSERT: &str = "INSERT INTO planets VALUES (?, ?, ?, ?, ?)";
const SELECT: &str = "SELECT * FROM planets ORDER BY distance";

fn main() -> Result<(), Box<dyn Error>> {
    // SAFETY: sqlite.json agrees with the header of SQLite.
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
        return Err(format!("the rows differ from those that were written: {:?}", typed.planets).into());
    }
    println!("\nBoth have the same results.");

    // The JSON calls left a connection open in the binding, which closes it when dropped.
    let held = sqlite.memory_used();
    drop(sqlite);
    // SAFETY: as before. The library is still loaded, so this is the same one.
    let left = unsafe { Sqlite::open_default()? }.memory_used();
    if held == 0 || left != 0 {
        return Err(format!("SQLite held {held} bytes, and {left} after everything was dropped").into());
    }
    println!("Everything that was opened is closed.");
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
