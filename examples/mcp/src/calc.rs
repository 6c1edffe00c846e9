//! The bundled library, for clients of MCP and of OpenTool.

opendyn::opendyn!("../quickstart/calc.json", optional = [version]);

// calc.json names no library, so this does: the one that build.rs compiled.
opendyn::serve!(Calc, library = env!("CALC_LIBRARY"));
