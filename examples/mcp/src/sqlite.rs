//! SQLite, for clients of MCP and OpenTool.

opendyn::opendyn!("../sqlite/sqlite.json");
opendyn::serve!(Sqlite);
