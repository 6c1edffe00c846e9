//! SQLite, for clients of MCP and of OpenTool.

opendyn::opendyn!("../sqlite/sqlite.json");
opendyn::serve!(Sqlite);
