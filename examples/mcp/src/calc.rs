//! The bundled library, for clients of MCP and OpenTool.

opendyn::opendyn!("../quickstart/calc.json", optional = [version]);

// calc.json names no library, so this names the one that build.rs compiled.
opendyn::serve!(Calc, library = env!("CALC_LIBRARY"));
