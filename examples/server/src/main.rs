//! An OpenTool server for the library of the quickstart.

opendyn::opendyn!("../quickstart/calc.json", optional = [version]);

// calc.json names no library, so this names the one that build.rs compiled. A document with
// `x-library` needs only `opendyn::serve!(Calc);`.
opendyn::serve!(Calc, library = env!("CALC_LIBRARY"));
