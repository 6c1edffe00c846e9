//! A backup lives in both connections (`x-parent` with two names), with the document of examples/sqlite.

opendyn::opendyn!("sqlite.json", name = Sqlite);

fn source_dropped(sqlite: &Sqlite, destination: &Sqlite3<'_>) {
    let backup = match sqlite.sqlite3_open(c":memory:") {
        Ok(source) => destination.backup_init(None, &source, None).ok(),
        Err(_) => None,
    };
    drop(backup);
}

fn destination_closed(destination: Sqlite3<'_>, source: &Sqlite3<'_>) {
    let backup = destination.backup_init(None, source, None);
    let _ = destination.close();
    drop(backup);
}

fn main() {}
