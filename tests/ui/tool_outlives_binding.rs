//! A tool is borrowed from its binding.

use opendyn::Tool;

opendyn::opendyn!("calc.json");

fn tool(calc: Calc) -> &'static dyn Tool {
    let tool: &dyn Tool = &calc;
    tool
}

fn later(calc: Calc) {
    let tool: &dyn Tool = &calc;
    drop(calc);
    let _ = tool.call_json("add", "{}");
}

fn main() {}
